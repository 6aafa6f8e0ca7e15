//! An installed system, without what differs from build to build.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::os::unix::fs::FileExt;
use std::path::{Component, Path, PathBuf};

use slopbench_digest::Sha256;
use tar::EntryType;

use crate::Error;

/// Paths whose contents are left out: what belongs to the machine that runs the image, or to the one that built it.
const EMPTIED: [&str; 9] = ["dev", "proc", "run", "sys", "tmp", "var/cache", "var/lib/apt/lists", "var/log", "var/tmp"];

/// Files that are left out: copied from the machine that built the image, the state before the last installation, or
/// Java's store of certificates, which holds the time when it was made.
const LEFT_OUT: [&str; 12] = [
    "etc/.pwd.lock",
    "etc/group-",
    "etc/gshadow-",
    "etc/hostname",
    "etc/machine-id",
    "etc/passwd-",
    "etc/ssl/certs/java/cacerts",
    "etc/resolv.conf",
    "etc/shadow-",
    "etc/subgid-",
    "etc/subuid-",
    "var/lib/dpkg/status-old",
];

/// Folders for people, of which only licences are kept.
const FOR_PEOPLE: [&str; 5] =
    ["usr/share/doc", "usr/share/info", "usr/share/lintian", "usr/share/locale", "usr/share/man"];

/// An installed system, by paths relative to its root.
#[derive(Debug)]
pub struct Tree {
    path: PathBuf,
    tar: File,
    /// Where in the tar file a content is: its place and length, in bytes.
    places: BTreeMap<Sha256, (u64, usize)>,
    /// What is there. Paths compare by their parts, so a folder comes right before what lies in it.
    pub entries: BTreeMap<PathBuf, LayerEntry>,
}

/// A file, folder or link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerEntry {
    /// Permissions, with the set-user-id bits.
    pub mode: u32,
    /// The owner.
    pub uid: u64,
    /// The owning group.
    pub gid: u64,
    /// What it is.
    pub content: EntryContent,
}

/// What an entry is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryContent {
    /// A folder.
    Folder,
    /// A file with this content.
    File(Sha256),
    /// A symbolic link to this target.
    Symlink(PathBuf),
    /// The same file as this other path, which comes before.
    Link(PathBuf),
}

impl Tree {
    /// Reads a system from a tar file, which must stay as it is while the tree is used.
    ///
    /// # Errors
    ///
    /// [`Error::Tree`] for anything that no image can hold; [`Error::File`].
    pub fn read(path: &Path) -> Result<Self, Error> {
        let wrong = |source| Error::File { path: path.to_owned(), source };
        let tar = File::open(path).map_err(wrong)?;
        let mut archive = tar::Archive::new(BufReader::with_capacity(1 << 20, &tar));
        let (mut entries, mut places) = (BTreeMap::new(), BTreeMap::new());
        for entry in archive.entries().map_err(wrong)? {
            let mut entry = entry.map_err(wrong)?;
            let name = relative(&entry.path().map_err(wrong)?);
            if name.as_os_str().is_empty() || is_left_out(&name) {
                continue;
            }
            if name.to_str().is_none() {
                return Err(Error::Tree { what: format!("the name {}", name.display()) });
            }
            let header = entry.header();
            let (mode, uid, gid) =
                (header.mode().map_err(wrong)? & 0o7777, header.uid().map_err(wrong)?, header.gid().map_err(wrong)?);
            let target = entry.link_name().map_err(wrong)?.map(|target| target.into_owned());
            let content = match (header.entry_type(), target) {
                (EntryType::Directory, _) => EntryContent::Folder,
                (EntryType::Symlink, Some(target)) => EntryContent::Symlink(target),
                (EntryType::Link, Some(target)) => EntryContent::Link(relative(&target)),
                (EntryType::Regular, _) => {
                    let mut bytes = Vec::new();
                    entry.read_to_end(&mut bytes).map_err(wrong)?;
                    let digest = Sha256::of(&bytes);
                    places.insert(digest, (entry.raw_file_position(), bytes.len()));
                    EntryContent::File(digest)
                }
                (kind, _) => {
                    return Err(Error::Tree { what: format!("{}, of the kind {kind:?}", name.display()) });
                }
            };
            entries.insert(name, LayerEntry { mode, uid, gid, content });
        }
        drop(archive);
        Ok(Self { path: path.to_owned(), tar, places, entries })
    }

    /// The content of a file, by its digest.
    ///
    /// # Errors
    ///
    /// [`Error::File`] if no file of this tree has that content, or the tar file is gone.
    pub fn bytes(&self, content: Sha256) -> Result<Vec<u8>, Error> {
        let wrong = |source| Error::File { path: self.path.clone(), source };
        let (position, length) = self.places.get(&content).ok_or_else(|| wrong(io::ErrorKind::NotFound.into()))?;
        let mut bytes = vec![0; *length];
        self.tar.read_exact_at(&mut bytes, *position).map_err(wrong)?;
        Ok(bytes)
    }

    /// The installed packages.
    ///
    /// # Errors
    ///
    /// [`Error::Tree`] if the system has no list of packages.
    pub fn packages(&self) -> Result<Vec<Package>, Error> {
        let no = || Error::Tree { what: format!("no list of packages at {STATUS}") };
        let Some(EntryContent::File(content)) = self.entries.get(Path::new(STATUS)).map(|entry| &entry.content) else {
            return Err(no());
        };
        let status = String::from_utf8(self.bytes(*content)?).map_err(|_| no())?;
        Ok(status.split("\n\n").filter_map(Package::parse).collect())
    }
}

/// An installed package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The processor that it is for, or `all`.
    pub architecture: String,
}

impl Package {
    /// Reads a paragraph of Debian's list.
    fn parse(paragraph: &str) -> Option<Self> {
        let field = |name: &str| {
            paragraph.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": ").map(str::to_owned))
        };
        Some(Self { name: field("Package")?, version: field("Version")?, architecture: field("Architecture")? })
    }
}

/// Where Debian lists what is installed.
const STATUS: &str = "var/lib/dpkg/status";

/// A path as it is counted from the root.
fn relative(path: &Path) -> PathBuf {
    path.components().filter(|part| matches!(part, Component::Normal(_))).collect()
}

fn is_left_out(path: &Path) -> bool {
    let below = |folder: &&str| path.starts_with(folder) && path != Path::new(folder);
    let licence = path.ends_with("copyright");
    EMPTIED.iter().any(&below)
        || LEFT_OUT.iter().any(|file| path == Path::new(file))
        || (FOR_PEOPLE.iter().any(below) && !licence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_belongs_to_a_machine_is_left_out() {
        for path in ["dev/null", "etc/resolv.conf", "var/cache/ldconfig/aux-cache", "usr/share/man/man1/ls.1.gz"] {
            assert!(is_left_out(Path::new(path)), "{path}");
        }
        for path in ["dev", "var/cache", "etc/passwd", "usr/share/doc/bash/copyright", "devel"] {
            assert!(!is_left_out(Path::new(path)), "{path}");
        }
    }
}
