use std::io;
use std::path::{Path, PathBuf};

/// Why a package's sources are not to be had.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// pip could not be run, or found nothing.
    #[error("cannot fetch {package}: {reason}; check the network, and that `python3 -m pip download` works here")]
    Fetch {
        /// Name and version.
        package: String,
        /// What went wrong, in pip's words where it said something.
        reason: String,
    },
    /// Other bytes than the pinned ones.
    #[error("{}: expected the digest {expected}, got {actual}; remove the file to fetch it again", path.display())]
    Digest {
        /// The archive.
        path: PathBuf,
        /// What was pinned.
        expected: String,
        /// What is there.
        actual: String,
    },
    /// A file or folder could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl Error {
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        |source| Self::Io { path, source }
    }
}
