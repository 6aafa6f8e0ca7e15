//! What code is like: parse each file once, count, match rules.
//!
//! [`measure()`] turns a folder (or one file) and a [`RuleSet`] into a [`Measurement`]: complexity mass and structural
//! erosion, clones, rule matches and verbosity, for every callable, every file and the whole. Files that cannot be
//! measured are named in [`Measurement::skipped`], never dropped. [`measure_roots`] applies the overrides of a project's
//! owner, a [`Configuration`] and comments that suppress matches; [`measure()`] reads nothing but the code.
//! [`grading`] is for what others wrote to be judged by it: it says, too, how much could run and is not measured.
//!
//! Beside these, the paper's measures, a measurement has what [`radon`] says (raw counts, cyclomatic complexity, Halstead,
//! Maintainability Index), cognitive complexity and nesting, [`wrappers`], [`dependencies`], erosion's [`sensitivity`] to
//! its free choices, and the older [`composites`]. By itself stands [`integration`]: whether what was written is used.
//! [`explain`](mod@explain) says what each is. An [`outline`](mod@outline) has no figures: it is what a file offers to others, and imports.
//!
//! Where to start: [`measurement`] says what the figures mean, `file.rs` how one file becomes figures, `language.rs`
//! what a language has to say about itself, `python/` says it for Python, and `languages/` for all others.

mod block_depth;
mod callables;
mod clones;
mod cognitive;
pub mod composites;
pub mod configuration;
pub mod dependencies;
mod error;
pub mod explain;
mod extra_measures;
mod file;
mod file_discovery;
pub mod grading;
pub mod integration;
mod language;
mod languages;
mod line_set;
mod measure;
pub mod measurement;
mod memory;
pub mod outline;
mod overrides;
mod parse;
mod program_signs;
mod python;
pub mod radon;
mod refusal;
mod roots;
mod rules;
pub mod sensitivity;
mod source;
pub mod spread;
mod sum;
mod suppress;
mod syntax;
mod tally;
mod text;
mod threshold;
mod tree;
pub mod wrappers;

pub use configuration::{Configuration, ConfigurationError, RulesError};
pub use error::Error;
pub use file_discovery::{Admission, admission, is_cache_tag, known_names, may_be_cache_tag};
pub use line_set::LineSet;
pub use measure::{SourceFile, measure, measure_roots, measure_sources, read_sources};
pub use measurement::Measurement;
pub use overrides::{Misfit, Overrides, Suppressed, SuppressedBy};
pub use refusal::Refusal;
pub use roots::{Ignored, Roots};
pub use rules::fixtures;
pub use rules::{RuleDescription, RuleError, RuleSet, Tier};
pub use tally::FileTally;
pub use threshold::{Threshold, ThresholdError};
