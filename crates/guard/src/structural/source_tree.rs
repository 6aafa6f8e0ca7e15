//! Where source files come from: a folder, or a revision of a git repository.

use std::path::{Path, PathBuf};

use slopbench_history::{GitRepository, RevisionSources, SourceBlob, SourceSnapshot, blob_id};
use slopbench_metrics::measurement::SkippedFile;

use crate::Error;

/// A state of a project's code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceTree {
    /// A folder as it is now, without what git ignores.
    Folder(PathBuf),
    /// What a revision names, as for `git rev-parse`, of a folder below the repository's that folder; read from git objects, so that only blobs that changed are read.
    Revision {
        /// A clone, a worktree of one, or a bare repository.
        repository: PathBuf,
        /// A commit, a tag, or a folder of one, as in `HEAD:src`.
        revision: String,
    },
}

/// The source files of a tree, by path.
pub(super) struct SourceListing {
    pub(super) sources: Vec<ListedSource>,
    pub(super) skipped: Vec<SkippedFile>,
    /// Where blobs are read.
    pub(super) revision: Option<RevisionSources>,
}

pub(super) struct ListedSource {
    pub(super) path: String,
    pub(super) blob: String,
    pub(super) content: SourceContent,
}

/// The bytes of a file, or where they are.
pub(super) enum SourceContent {
    Bytes(Vec<u8>),
    InGit(SourceBlob),
}

impl SourceContent {
    /// The bytes; those in git are read from `revision`.
    pub(super) fn read(self, revision: Option<&RevisionSources>) -> Result<Vec<u8>, Error> {
        match (self, revision) {
            (Self::Bytes(bytes), _) => Ok(bytes),
            (Self::InGit(blob), Some(revision)) => Ok(revision.read(&blob)?),
            (Self::InGit(blob), None) => Err(Error::Internal(format!("{}: no repository to read it from", blob.path))),
        }
    }
}

impl SourceTree {
    pub(super) fn list(&self) -> Result<SourceListing, Error> {
        match self {
            Self::Folder(folder) => {
                let snapshot = SourceSnapshot::on_disk(folder, true)?;
                let listed = |(path, bytes): (String, Vec<u8>)| {
                    let blob = blob_id(&bytes).map_err(|error| Error::Internal(format!("{path}: {error}")))?;
                    Ok(ListedSource { path, blob, content: SourceContent::Bytes(bytes) })
                };
                let sources = snapshot.sources.into_iter().map(listed).collect::<Result<_, Error>>()?;
                Ok(SourceListing { sources, skipped: snapshot.skipped, revision: None })
            }
            Self::Revision { repository, revision } => {
                let (folder, repository) = (repository, GitRepository::discover(repository)?);
                let mut revision = RevisionSources::list(&repository, &of_folder(&repository, folder, revision))?;
                let (files, skipped) = (std::mem::take(&mut revision.files), std::mem::take(&mut revision.skipped));
                let listed = |file: SourceBlob| ListedSource {
                    path: file.path.clone(),
                    blob: file.blob.clone(),
                    content: SourceContent::InGit(file),
                };
                Ok(SourceListing {
                    sources: files.into_iter().map(listed).collect(),
                    skipped,
                    revision: Some(revision),
                })
            }
        }
    }
}

/// The revision's part that lies in `folder`, so that paths are those that the folder itself has.
fn of_folder(repository: &GitRepository, folder: &Path, revision: &str) -> String {
    let below = || {
        let (root, folder) = (repository.work_dir()?.canonicalize().ok()?, folder.canonicalize().ok()?);
        Some(folder.strip_prefix(root).ok()?.to_str()?.to_owned())
    };
    match below() {
        Some(below) if !below.is_empty() && !revision.contains(':') => format!("{revision}:{below}"),
        _ => revision.to_owned(),
    }
}
