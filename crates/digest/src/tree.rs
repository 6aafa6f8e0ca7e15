use std::{
    fmt, fs, io,
    os::unix::{ffi::OsStringExt, fs::PermissionsExt},
    path::Path,
};

use gix_object::{
    Kind, Tree, WriteTo, compute_hash,
    tree::{Entry, EntryKind},
};
use serde::{Deserialize, Serialize, de};

use crate::{Exclusion, ReadError};

/// A git tree id (SHA-1): what `git write-tree` prints for a folder with these files.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
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
pub fn tree_id(dir: &Path) -> Result<TreeId, ReadError> {
    let tree = read_tree(dir)?;
    hash_tree(&tree).map(TreeId).map_err(|source| ReadError::new(dir, source))
}

fn read_tree(dir: &Path) -> Result<Tree, ReadError> {
    let failed = |source| ReadError::new(dir, source);
    let mut tree = Tree::empty();
    for entry in fs::read_dir(dir).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        if Exclusion::of_name(name.as_encoded_bytes()).is_some() {
            continue;
        }
        if let Some((kind, oid)) = read_entry(&entry)? {
            tree.entries.push(Entry { mode: kind.into(), filename: name.into_vec().into(), oid });
        }
    }
    tree.entries.sort();
    Ok(tree)
}

fn read_entry(entry: &fs::DirEntry) -> Result<Option<(EntryKind, gix_hash::ObjectId)>, ReadError> {
    let path = entry.path();
    let failed = |source| ReadError::new(&path, source);
    let metadata = fs::symlink_metadata(&path).map_err(failed)?;
    if metadata.is_dir() {
        let tree = read_tree(&path)?;
        return match tree.entries.is_empty() {
            true => Ok(None),
            false => Ok(Some((EntryKind::Tree, hash_tree(&tree).map_err(failed)?))),
        };
    }
    let (kind, content) = if metadata.is_symlink() {
        (EntryKind::Link, fs::read_link(&path).map_err(failed)?.into_os_string().into_vec())
    } else if !metadata.is_file() {
        return Err(ReadError::special_file(&path));
    } else if metadata.permissions().mode() & 0o100 != 0 {
        (EntryKind::BlobExecutable, fs::read(&path).map_err(failed)?)
    } else {
        (EntryKind::Blob, fs::read(&path).map_err(failed)?)
    };
    Ok(Some((kind, hash(Kind::Blob, &content).map_err(failed)?)))
}

fn hash_tree(tree: &Tree) -> io::Result<gix_hash::ObjectId> {
    let mut bytes = Vec::new();
    tree.write_to(&mut bytes)?;
    hash(Kind::Tree, &bytes)
}

fn hash(kind: Kind, content: &[u8]) -> io::Result<gix_hash::ObjectId> {
    compute_hash(gix_hash::Kind::Sha1, kind, content).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

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
