//! What lies in a session's own folders: they are the machine's, which need not have quotas.

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The least time between two counts.
const PAUSE: Duration = Duration::from_secs(2);

/// A count may take this part of the time, so that a million files do not keep a processor busy.
const SHARE: u32 = 20;

/// The bytes below some folders, counted again and again.
pub(super) struct Footprint {
    folders: [PathBuf; 2],
    due: Instant,
}

impl Footprint {
    pub(super) fn new(folders: [PathBuf; 2]) -> Self {
        Self { folders, due: Instant::now() + PAUSE }
    }

    /// When the next count is to be made.
    pub(super) fn due(&self) -> Instant {
        self.due
    }

    /// What is there now, if it is time for a count.
    pub(super) fn measured(&mut self) -> Option<u64> {
        let started = Instant::now();
        if started < self.due {
            return None;
        }
        let bytes = size_of(self.folders.to_vec());
        self.due = Instant::now() + PAUSE.max(started.elapsed() * SHARE);
        Some(bytes)
    }
}

/// The bytes that these folders and all below them take on their disk. No link is followed. Folders may vanish meanwhile,
/// and those that are closed to us count by themselves only.
fn size_of(mut pending: Vec<PathBuf>) -> u64 {
    let mut bytes = 0;
    // A file of several names takes its space once.
    let mut seen = HashSet::new();
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let Ok(metadata) = entry.metadata() else { continue };
            if metadata.nlink() == 1 || metadata.is_dir() || seen.insert(metadata.ino()) {
                bytes += metadata.blocks() * 512;
            }
            if metadata.is_dir() {
                pending.push(entry.path());
            }
        }
    }
    bytes
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_two_names_counts_once_and_a_link_as_itself() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("below")).unwrap();
        let empty = size_of(vec![folder.path().to_owned()]);
        fs::write(at("below/file"), vec![1; 1 << 20]).unwrap();
        fs::hard_link(at("below/file"), at("again")).unwrap();
        std::os::unix::fs::symlink("/usr", at("link")).unwrap();
        let size = size_of(vec![folder.path().to_owned()]) - empty;
        assert!((1 << 20..(1 << 20) + 8192).contains(&size), "{empty} {size}");
    }
}
