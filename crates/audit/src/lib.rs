//! Whether a problem is sound, shown by evidence, and the beginning of a new one.
//!
//! [`audit`](audit()) makes the checks of a table, [`CHECKS`], each in a file of its own, and keeps what they found by
//! everything it depends on. What they say is in [`report`]. Solutions are played as they are graded, by
//! [`SolutionPlayer`](slopbench_slopcode::SolutionPlayer); `wrapped` varies what they find. [`wording`] looks at
//! texts alone;
//! [`scaffold`] writes a problem that passes its own check.

mod audit;
mod distinct;
mod error;
mod files;
mod growth;
mod independent;
mod joined;
mod kept;
mod lazy;
mod mutants;
mod plays;
mod references;
pub mod report;
pub mod scaffold;
mod second;
mod sentences;
mod side_by_side;
mod stable;
mod subject;
pub mod wording;
mod wrapped;

pub use audit::{AuditCheck, CHECKS, audit, checks, is_current};
pub use error::Error;
pub use growth::growth;
pub use joined::add_checks;
pub use second::other_tracks;
pub use subject::{AuditContext, AuditOptions, OtherInterpreter};
