//! What a pinned linter finds in measured files.
//!
//! [`Ruff`] is one version, a wheel known by its digest (`pin.toml`), and the [`RuleFamilies`] whose findings count
//! (`families.toml`). [`Ruff::lint`] runs it on texts, in a session that sees nothing else: no configuration of the tree that they
//! are from, and no comment in them, has a say. [`LintFindings`] are what it finds, counted by rule.

mod error;
mod families;
mod findings;
mod ruff;

pub use error::LintError;
pub use families::{FamilySource, RuleFamilies, RuleFamily};
pub use findings::{LintFindings, LintOutcome};
pub use ruff::{LinterIdentity, Ruff};
