//! Identity of results: what makes two of them the same.
//!
//! - [`canonical`]: one JSON text for one value, so that results are compared as bytes;
//! - [`Sha256`]: the digest of bytes and of files;
//! - [`Listing`]: the digest of every file below a folder, by which a changed file is named;
//! - [`Exclusion`]: what is no part of a solution, by name;
//! - [`tree_id`]: the git tree id of a folder, by which a solution's snapshot is known.

pub mod canonical;
mod exclusion;
mod listing;
mod sha256;
mod tree;

pub use exclusion::Exclusion;
pub use listing::{Listing, ListingDifference};
pub use sha256::Sha256;
pub use tree::{TreeId, tree_id};

use std::path::PathBuf;

/// A file or folder that could not be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {}: {source}", path.display())]
pub struct ReadError {
    /// What was being read.
    pub path: PathBuf,
    /// Why it failed.
    pub source: std::io::Error,
}

impl ReadError {
    fn new(path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        Self { path: path.into(), source }
    }
}
