//! A page as an agent gets it.

use std::path::PathBuf;

use bytes::Bytes;
use reqwest::Url;

/// Where a file is.
#[derive(Clone, Debug)]
pub(crate) enum FilePlace {
    /// Linked to by an index: the place of that among those of its kind.
    Linked { index: usize, url: Url },
    /// Of a folder of this machine.
    Local(PathBuf),
}

/// A page as an agent gets it, and where the files are that it links to, by their names.
#[derive(Debug)]
pub(crate) struct MirroredPage {
    pub(crate) content_type: &'static str,
    pub(crate) text: Bytes,
    pub(crate) files: Vec<(String, FilePlace)>,
    /// The host that gave it.
    pub(crate) host: String,
}
