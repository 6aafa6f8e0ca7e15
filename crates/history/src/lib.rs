//! Code over time: how its figures went over a repository's [`history()`], and what changed between two trees
//! ([`compare()`]).
//!
//! Git objects are read directly: nothing is checked out, no git process is started, and the repository is not written
//! to. A revision has the figures that [`slopbench_metrics::measure()`] finds in a checkout of it, as long as git writes the
//! files as they are committed (filters and submodules are not applied).
//!
//! Where to start: [`record`] and [`comparison`] define the two formats; `trees.rs` says which blobs of a tree are
//! source, `commits.rs` which commits change them, `measured.rs` how each version of a file is measured once.

mod blobs;
mod commits;
mod compare;
pub mod comparison;
mod error;
mod gitignore;
mod history;
mod measured;
pub mod record;
mod repository;
mod snapshot;
mod trees;

pub use blobs::{RevisionSources, SourceBlob, blob_id};
pub use compare::compare;
pub use comparison::Comparison;
pub use error::Error;
pub use gitignore::gitignored;
pub use history::{HistoryOptions, Progress, history};
pub use record::History;
pub use repository::GitRepository;
pub use snapshot::SourceSnapshot;
