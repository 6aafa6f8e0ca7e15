//! Published Python packages as sources: pinned to the byte, fetched with pip, kept in a cache.
//!
//! An [`Sdist`] is a pin. [`Sdist::fetch`] gives its [`Archive`], from the cache where it is there, and checks its
//! digest each time; [`Archive::unpack`] writes its Python sources below a folder. Nothing of a package is ever run.

mod error;
mod fetch;
mod unpack;

use std::path::PathBuf;

pub use error::Error;
use serde::Deserialize;

/// A pinned source distribution.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Sdist {
    /// As the package index knows it.
    pub name: String,
    /// As the package index writes it.
    pub version: String,
    /// SHA-256 of the archive, 64 hexadecimal digits, as the package index shows it.
    pub sha256: String,
}

/// The archive of an [`Sdist`], with the digest that was pinned.
#[derive(Debug)]
pub struct Archive {
    path: PathBuf,
    bytes: Vec<u8>,
}

impl Sdist {
    /// `<name>-<version>`.
    pub fn label(&self) -> String {
        format!("{}-{}", self.name, self.version)
    }
}
