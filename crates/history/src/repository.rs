//! A git repository, as far as it is read here.

use std::path::{Path, PathBuf};

use gix::ObjectId;
use gix::objs::{Kind, TreeRefIter};

use crate::Error;

/// Trees of one branch are read in the order of its commits, so each is wanted again for the next commit.
const OBJECT_CACHE_BYTES: usize = 16 << 20;

/// A git repository: a clone, a worktree of one, or a bare one.
pub struct GitRepository {
    shared: gix::ThreadSafeRepository,
}

impl GitRepository {
    /// The repository that `path` is or lies in.
    ///
    /// # Errors
    ///
    /// [`Error::Open`] if there is none, or it cannot be read.
    pub fn discover(path: &Path) -> Result<Self, Error> {
        let opened = gix::ThreadSafeRepository::discover(path);
        let shared = opened.map_err(|source| Error::Open { path: path.to_owned(), source: Box::new(source) })?;
        Ok(GitRepository { shared })
    }

    /// The repository's git folder.
    pub fn git_dir(&self) -> PathBuf {
        self.shared.git_dir().to_owned()
    }

    /// The folder that its files are checked out in; a bare one has none.
    pub fn work_dir(&self) -> Option<PathBuf> {
        self.shared.work_dir().map(Path::to_owned)
    }

    /// A handle for one thread, with caches of its own.
    pub(crate) fn reader(&self) -> Reader {
        let mut local = self.shared.to_thread_local();
        local.object_cache_size(OBJECT_CACHE_BYTES);
        Reader { local }
    }
}

/// Reads objects on one thread.
pub(crate) struct Reader {
    local: gix::Repository,
}

impl Reader {
    /// The commits whose parents are not there because the clone is shallow.
    pub(crate) fn shallow_boundary(&self) -> Result<Vec<ObjectId>, Error> {
        let boundary = self.local.shallow_commits();
        let boundary = boundary
            .map_err(|source| Error::Open { path: self.local.git_dir().to_owned(), source: Box::new(source) })?;
        Ok(boundary.map(|commits| commits.iter().copied().collect()).unwrap_or_default())
    }

    /// The object that `revision` names, after following tags (and, for a tree, the commit) to one of this kind.
    pub(crate) fn resolve(&self, revision: &str, kind: Kind) -> Result<ObjectId, Error> {
        let id = self.local.rev_parse_single(revision).and_then(|id| id.object()?.peel_to_kind(kind));
        id.map(|object| object.id).map_err(|error| Error::Revision {
            revision: revision.to_owned(),
            expected: if kind == Kind::Commit { "commit" } else { "tree" },
            repository: self.local.git_dir().to_owned(),
            message: error.to_string(),
        })
    }

    pub(crate) fn commit(&self, id: ObjectId) -> Result<gix::Commit<'_>, Error> {
        self.local.find_commit(id).map_err(at(id))
    }

    pub(crate) fn blob(&self, id: ObjectId) -> Result<Vec<u8>, Error> {
        self.local.find_blob(id).map(|mut blob| blob.take_data()).map_err(at(id))
    }

    pub(crate) fn tree(&self, id: ObjectId) -> Result<gix::Tree<'_>, Error> {
        self.local.find_tree(id).map_err(at(id))
    }

    /// The tree at `path` (with `/`) below a tree, if there is one.
    pub(crate) fn subtree(&self, tree: ObjectId, path: &str) -> Result<Option<ObjectId>, Error> {
        let mut tree = tree;
        for name in path.split('/').filter(|name| !name.is_empty() && *name != ".") {
            let data = self.tree(tree)?;
            let mut entries = TreeRefIter::from_bytes(&data.data, tree.kind()).filter_map(Result::ok);
            match entries.find(|entry| entry.filename == name && entry.mode.is_tree()) {
                Some(entry) => tree = entry.oid.to_owned(),
                None => return Ok(None),
            }
        }
        Ok(Some(tree))
    }
}

/// Says which object an error is about.
pub(crate) fn at(id: ObjectId) -> impl Fn(gix::Error) -> Error {
    move |source| Error::Object { id: id.to_string(), source: Box::new(source) }
}
