use std::{
    fmt, io,
    os::unix::{ffi::OsStringExt, fs::MetadataExt},
    path::Path,
};

use gix_object::{
    Kind, Tree, WriteTo, compute_hash,
    encode::loose_header,
    tree::{Entry, EntryKind},
};
use serde::{Deserialize, Serialize, de};
use slopbench_walk::{FileType, Walk, WalkStep};

use crate::{
    Exclusion, ReadError,
    listing::{special_file, walk},
};

/// A git tree id (SHA-1): what `git write-tree` prints for a folder with these files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TreeId(gix_hash::ObjectId);

impl fmt::Display for TreeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for TreeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for TreeId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TreeId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        gix_hash::ObjectId::from_hex(text.as_bytes()).map(Self).map_err(de::Error::custom)
    }
}

/// The tree id of `dir`, without what is an [`Exclusion`] and, as git has it, without empty folders.
///
/// # Errors
///
/// [`ReadError`] names what could not be read.
pub fn tree_id(dir: &Path) -> Result<TreeId, ReadError> {
    let mut walk = walk(dir)?;
    // The folders on the way, each with what was read of it so far.
    let (mut above, mut tree) = (Vec::new(), Tree::empty());
    while let Some(step) = walk.step().map_err(|source| ReadError::new(dir, source))? {
        let failed = |walk: &Walk, source| ReadError::new(dir.join(walk.path()), source);
        match step {
            WalkStep::Found(_) if Exclusion::of_name(walk.name().to_bytes()).is_some() => {}
            WalkStep::Found(FileType::Directory) => {
                walk.enter().map_err(|source| failed(&walk, source))?;
                above.push(std::mem::replace(&mut tree, Tree::empty()));
            }
            WalkStep::Found(kind) => {
                let (kind, oid) = read(&walk, kind).map_err(|source| failed(&walk, source))?;
                tree.entries.push(entry(&walk, kind, oid));
            }
            WalkStep::Left => {
                let left = std::mem::replace(&mut tree, above.pop().unwrap_or_else(Tree::empty));
                if !left.entries.is_empty() {
                    let oid = hash_tree(left).map_err(|source| failed(&walk, source))?;
                    tree.entries.push(entry(&walk, EntryKind::Tree, oid));
                }
            }
        }
    }
    hash_tree(tree).map(TreeId).map_err(|source| ReadError::new(dir, source))
}

fn entry(walk: &Walk, kind: EntryKind, oid: gix_hash::ObjectId) -> Entry {
    Entry { mode: kind.into(), filename: walk.name().to_bytes().into(), oid }
}

fn read(walk: &Walk, kind: FileType) -> io::Result<(EntryKind, gix_hash::ObjectId)> {
    if kind == FileType::Symlink {
        return Ok((EntryKind::Link, hash(Kind::Blob, &walk.target()?.into_vec())?));
    }
    if kind != FileType::RegularFile {
        return Err(special_file());
    }
    let mut file = walk.file()?;
    let metadata = file.metadata()?;
    let kind = if metadata.mode() & 0o100 != 0 { EntryKind::BlobExecutable } else { EntryKind::Blob };
    Ok((kind, hash_stream(&mut file, metadata.len())?))
}

/// The id of a blob that is read piece by piece: foreign files may be of any size.
fn hash_stream(content: &mut impl io::Read, size: u64) -> io::Result<gix_hash::ObjectId> {
    let mut hasher = gix_hash::hasher(gix_hash::Kind::Sha1);
    hasher.update(&loose_header(Kind::Blob, size));
    let mut hashing = Hashing { hasher, size: 0 };
    io::copy(content, &mut hashing)?;
    match hashing.size == size {
        true => hashing.hasher.try_finalize().map_err(io::Error::other),
        false => Err(io::Error::other("it was written to while it was read")),
    }
}

/// Hashes what is written to it.
struct Hashing {
    hasher: gix_hash::Hasher,
    size: u64,
}

impl io::Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.hasher.update(bytes);
        self.size += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Sorted as git does: a folder as if its name ended in `/`.
fn hash_tree(mut tree: Tree) -> io::Result<gix_hash::ObjectId> {
    tree.entries.sort();
    let mut bytes = Vec::new();
    tree.write_to(&mut bytes)?;
    hash(Kind::Tree, &bytes)
}

fn hash(kind: Kind, content: &[u8]) -> io::Result<gix_hash::ObjectId> {
    compute_hash(gix_hash::Kind::Sha1, kind, content).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use std::{ffi::CString, fs, os::unix::fs::PermissionsExt, process::Command, thread};

    use slopbench_walk::Cursor;

    use super::*;
    use crate::Listing;

    #[test]
    fn no_depth_is_too_much() {
        // In memory where there is some; with a stack that has no room for a call a folder.
        let dir = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        let root = dir.path().join("root");
        fs::create_dir(&root).unwrap();
        let mut cursor = Cursor::new(slopbench_walk::open(&root).unwrap());
        let name = CString::new("d").unwrap();
        for _ in 0..20_000 {
            let here = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&cursor.folder()));
            fs::create_dir(Path::new(&here).join("d")).unwrap();
            cursor.down(&name).unwrap();
        }
        let here = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&cursor.folder()));
        fs::write(Path::new(&here).join("file"), "x").unwrap();
        drop(cursor);
        let walk = thread::Builder::new().stack_size(256 << 10).spawn(move || {
            assert_ne!(tree_id(&root).unwrap().0, gix_hash::ObjectId::empty_tree(gix_hash::Kind::Sha1));
            assert_eq!(Listing::of_dir(&root, "").unwrap().0.len(), 1);
            slopbench_walk::remove(&root).unwrap();
        });
        walk.unwrap().join().unwrap();
    }

    #[test]
    fn git_itself_gives_the_same_id() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        fs::create_dir_all(root.join("a.d/empty")).unwrap();
        fs::create_dir_all(root.join("__pycache__")).unwrap();
        fs::create_dir_all(root.join("virtualenv")).unwrap();
        for name in ["a", "a.d/x", "a.py", "__pycache__/a.pyc", "virtualenv/a.py", "a.d/b.pyc"] {
            fs::write(root.join(name), name).unwrap();
        }
        fs::set_permissions(root.join("a.py"), fs::Permissions::from_mode(0o755)).unwrap();
        std::os::unix::fs::symlink("a", root.join("link")).unwrap();
        let git = |args: &[&str]| {
            let output = Command::new("git").args(args).current_dir(root).output().unwrap();
            assert!(output.status.success(), "{output:?}");
            String::from_utf8(output.stdout).unwrap().trim().to_owned()
        };
        git(&["init", "--quiet"]);
        git(&["add", "a", "a.d/x", "a.py", "link"]);
        let id = tree_id(root).unwrap();
        assert_eq!(id.to_string(), git(&["write-tree"]));
        assert_eq!(serde_json::from_str::<TreeId>(&format!("\"{id}\"")).unwrap(), id);
    }
}
