//! The source files of a revision by their blobs, whose bytes are read one by one.

use gix::ObjectId;
use gix::objs::{Kind, compute_hash};
use slopbench_metrics::measurement::SkippedFile;

use crate::repository::Reader;
use crate::{Error, GitRepository, trees};

/// The source files of a revision, without their bytes: whoever knows most blobs already reads the others alone.
pub struct RevisionSources {
    /// By path.
    pub files: Vec<SourceBlob>,
    /// What looks like source and was left out.
    pub skipped: Vec<SkippedFile>,
    reader: Reader,
}

/// A source file of a revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceBlob {
    /// Path below the revision's tree.
    pub path: String,
    /// The blob's id, in hexadecimal.
    pub blob: String,
    id: ObjectId,
}

impl RevisionSources {
    /// Lists what `revision` names: a commit, a tag, or a folder of one, as in `HEAD~1:src`.
    ///
    /// # Errors
    ///
    /// [`Error::Revision`] if it names neither, [`Error::Object`] if the repository is not whole.
    pub fn list(repository: &GitRepository, revision: &str) -> Result<Self, Error> {
        let reader = repository.reader();
        let listing = trees::list(&reader, Some(reader.resolve(revision, Kind::Tree)?))?;
        let blob = |id: ObjectId, path| SourceBlob { path, blob: id.to_string(), id };
        let files = listing.sources.into_iter().map(|source| blob(source.blob, source.path)).collect();
        Ok(Self { files, skipped: listing.skipped, reader })
    }

    /// The bytes of one of the files.
    ///
    /// # Errors
    ///
    /// [`Error::Object`] if the blob is missing or broken.
    pub fn read(&self, file: &SourceBlob) -> Result<Vec<u8>, Error> {
        self.reader.blob(file.id)
    }
}

/// The id that a blob with these bytes has, in hexadecimal.
///
/// # Errors
///
/// Says that the bytes were made to collide with others' id.
pub fn blob_id(bytes: &[u8]) -> Result<String, String> {
    let id = compute_hash(gix::hash::Kind::Sha1, Kind::Blob, bytes);
    id.map(|id| id.to_string()).map_err(|error| error.to_string())
}
