//! The tree that is judged: read once, bounded, as the inspector shows it.

use std::{
    collections::BTreeMap,
    io::{self, Read as _},
    path::Path,
};

use serde::{Deserialize, Serialize};
use slopbench_digest::{Exclusion, Sha256};
use slopbench_walk::{FileType, Walk, WalkStep};

use crate::{
    attempts::{self, Attempts},
    error::JudgeError,
    file::{FileContent, TreeFile},
    outcome::Evidence,
    question::Citation,
    shown,
};

/// The most names that are listed: beyond, the tree's rest is not seen, and that is said.
const MOST_NAMES: u64 = 200_000;

/// The most bytes of their paths together, likewise.
const MOST_OF_PATHS: usize = 32 << 20;

/// The most bytes of one file.
const MOST_OF_FILE: u64 = 8 << 20;

/// The most bytes of all files. Where they have more, each is shown up to the same size, so that a pile hides no small file.
const MOST_OF_ALL: u64 = 256 << 20;

/// How many of what is left out are named.
const MOST_LEFT_OUT: usize = 50;

/// One tree as it was when it was read. Ignore files in it mean nothing, links are not followed, and names that are no part
/// of a solution ([`Exclusion`]) are left out.
#[derive(Debug)]
pub struct JudgedTree {
    files: BTreeMap<String, TreeFile>,
    left_out: Vec<LeftOut>,
    attempts: Attempts,
    /// By file, the lines that talk to whoever judges.
    talking: BTreeMap<String, Vec<u32>>,
    digest: Sha256,
}

/// What the inspector cannot show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeftOut {
    /// Where.
    pub path: String,
    /// Why, and how much of it.
    pub why: String,
}

impl JudgedTree {
    /// Reads the tree in `folder`.
    ///
    /// # Errors
    ///
    /// [`JudgeError::Read`] if the folder itself cannot be read, or is moved meanwhile. A file in it that cannot be read is
    /// left out, and named.
    pub fn read(folder: &Path) -> Result<Self, JudgeError> {
        let failed = |source| JudgeError::Read { path: folder.to_path_buf(), source };
        Self::read_at_most(folder, MOST_OF_FILE, MOST_OF_ALL).map_err(failed)
    }

    fn read_at_most(folder: &Path, most_of_file: u64, most_of_all: u64) -> io::Result<Self> {
        let mut sizes = Vec::new();
        each_file(folder, |walk, kind| {
            if kind == FileType::RegularFile {
                sizes.extend(walk.status().ok().and_then(|status| u64::try_from(status.st_size).ok()));
            }
        })?;
        let most = share(sizes, most_of_file, most_of_all);
        let (mut files, mut left_out) = (BTreeMap::new(), LeftOutList::default());
        let more = each_file(folder, |walk, kind| {
            let path = shown::path(walk.path());
            if Exclusion::of_name(walk.name().to_bytes()).is_some() {
                left_out.add(path, "its name says that it is no part of a solution".to_owned());
                return;
            }
            if kind == FileType::Directory {
                left_out.add(path, "the folder cannot be entered".to_owned());
                return;
            }
            let file = read_file(walk, kind, most);
            match &file.content {
                FileContent::Closed => left_out.add(path.clone(), "it is no readable file".to_owned()),
                _ if file.is_cut() => {
                    left_out.add(path.clone(), format!("all but its first {} bytes of {}", file.read, file.size));
                }
                _ => {}
            }
            files.insert(path, file);
        })?;
        if let Some(names) = more {
            left_out.add(String::new(), format!("all behind the first {names} names"));
        }
        let left_out = left_out.close();
        let (attempts, talking) = attempts::find(&files, more.is_some());
        let digest = digest(&files, &left_out);
        Ok(Self { files, left_out, attempts, talking, digest })
    }

    /// The digest of all that the inspector can show.
    pub fn digest(&self) -> Sha256 {
        self.digest
    }

    /// Who tries to talk to the judge, and what is hidden from it.
    pub fn attempts(&self) -> &Attempts {
        &self.attempts
    }

    /// What the inspector cannot show; the last entry counts those that are not named.
    pub fn left_out(&self) -> &[LeftOut] {
        &self.left_out
    }

    /// Looks up what an answer points to.
    pub fn evidence(&self, citation: Citation) -> Evidence {
        let file = self.find(&citation.path).map(|(_, file)| file.lines());
        let is_there = |lines: u64| (1..=citation.last).contains(&citation.first) && u64::from(citation.last) <= lines;
        let exists = file.is_some_and(is_there);
        Evidence { citation, exists }
    }

    /// The text of a file, if it is one that the inspector shows.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.find(path)?.1.text()
    }

    /// The lines of a file that talk to whoever judges, whether or not they are among the attempts that are named.
    pub(crate) fn talking(&self, name: &str) -> &[u32] {
        self.talking.get(name).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn files(&self) -> &BTreeMap<String, TreeFile> {
        &self.files
    }

    /// The file of that path, or the only one whose path ends with it.
    pub(crate) fn find(&self, path: &str) -> Option<(&str, &TreeFile)> {
        let path = path.trim_start_matches("./").trim_matches('/');
        if let Some((path, file)) = self.files.get_key_value(path) {
            return Some((path, file));
        }
        let ends = |full: &str| full.strip_suffix(path).is_some_and(|before| before.ends_with('/'));
        let mut fitting = self.files.iter().filter(|(full, _)| !path.is_empty() && ends(full));
        let found = fitting.next()?;
        fitting.next().is_none().then_some((found.0.as_str(), found.1))
    }
}

/// What is left out, named up to a number.
#[derive(Default)]
struct LeftOutList {
    named: Vec<LeftOut>,
    more: u64,
}

impl LeftOutList {
    fn add(&mut self, path: String, why: String) {
        match self.named.len() < MOST_LEFT_OUT {
            true => self.named.push(LeftOut { path, why }),
            false => self.more += 1,
        }
    }

    fn close(mut self) -> Vec<LeftOut> {
        if self.more > 0 {
            self.named.push(LeftOut { path: String::new(), why: format!("{} more", self.more) });
        }
        self.named
    }
}

/// Calls `visit` for everything in a tree but the folders that are gone into; says behind how many names it ended, where there were more.
fn each_file(folder: &Path, mut visit: impl FnMut(&Walk, FileType)) -> io::Result<Option<u64>> {
    let (mut names, mut bytes) = (0, 0);
    let mut walk = Walk::of_at_most(slopbench_walk::open(folder)?, MOST_NAMES)?;
    while let Some(step) = walk.step()? {
        let WalkStep::Found(kind) = step else { continue };
        bytes += walk.path().as_os_str().len();
        if bytes > MOST_OF_PATHS {
            return Ok(Some(names));
        }
        names += 1;
        let is_excluded = Exclusion::of_name(walk.name().to_bytes()).is_some();
        if kind != FileType::Directory || is_excluded || walk.enter().is_err() {
            visit(&walk, kind);
        }
    }
    Ok(walk.is_over().then_some(MOST_NAMES))
}

/// The size up to which each file is read, so that all of them together have `most_of_all` bytes at most.
fn share(mut sizes: Vec<u64>, most_of_file: u64, most_of_all: u64) -> u64 {
    sizes.sort_unstable();
    let (mut left, count) = (most_of_all, sizes.len() as u64);
    for (size, rest) in sizes.into_iter().zip((1..=count).rev()) {
        let fair = left / rest;
        if size > fair {
            return fair.min(most_of_file);
        }
        left -= size;
    }
    most_of_file
}

fn read_file(walk: &Walk, kind: FileType, most: u64) -> TreeFile {
    let closed = TreeFile { size: 0, read: 0, content: FileContent::Closed };
    match kind {
        FileType::Symlink => walk.target().map_or(closed, |target| link(shown::path(Path::new(&target)))),
        FileType::RegularFile => read_text(walk, most).unwrap_or(closed),
        _ => closed,
    }
}

fn link(target: String) -> TreeFile {
    TreeFile { size: 0, read: 0, content: FileContent::Link(target) }
}

fn read_text(walk: &Walk, most: u64) -> io::Result<TreeFile> {
    let file = walk.file()?;
    let size = file.metadata()?.len();
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    // A file that is cut may end within a character.
    let is_text = std::str::from_utf8(&bytes).map_or_else(|error| size > most && error.error_len().is_none(), |_| true);
    let looks_binary = !is_text || bytes.contains(&0);
    let (text, read) = decoded(&bytes, usize::try_from(most).unwrap_or(usize::MAX));
    Ok(TreeFile { size, read, content: FileContent::Text { text, looks_binary } })
}

/// As much of it as text of at most `most` bytes, and of how many bytes that is. What stands for a byte that is no text takes three.
fn decoded(bytes: &[u8], most: usize) -> (String, u64) {
    let (mut text, mut read) = (String::new(), 0);
    for chunk in bytes.utf8_chunks() {
        let valid = &chunk.valid()[..chunk.valid().floor_char_boundary(most - text.len())];
        text.push_str(valid);
        read += valid.len() as u64;
        let is_whole = valid.len() == chunk.valid().len();
        if chunk.invalid().is_empty() || !is_whole || text.len() + char::REPLACEMENT_CHARACTER.len_utf8() > most {
            break;
        }
        text.push(char::REPLACEMENT_CHARACTER);
        read += chunk.invalid().len() as u64;
    }
    (text, read)
}

/// Of every name, what kind of thing it is, its size and the digest of its text; and of what is left out.
fn digest(files: &BTreeMap<String, TreeFile>, left_out: &[LeftOut]) -> Sha256 {
    let mut listing = String::new();
    for (path, file) in files {
        let content = match &file.content {
            FileContent::Text { text, looks_binary } => format!("{looks_binary} {}", Sha256::of(text.as_bytes())),
            FileContent::Link(target) => format!("link {target}"),
            FileContent::Closed => "closed".to_owned(),
        };
        listing.push_str(&format!("{path}\n{} {content}\n", file.size));
    }
    left_out.iter().for_each(|one| listing.push_str(&format!("{}\n{}\n", one.path, one.why)));
    Sha256::of(listing.as_bytes())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn a_pile_takes_no_small_files_share() {
        assert_eq!(share(vec![10, 20], 100, 1000), 100);
        assert_eq!(share(vec![500, 10], 100, 1000), 100);
        assert_eq!(share(vec![900, 10, 900], 1000, 1000), 495);
        let dir = tempfile::tempdir().unwrap();
        for (name, size) in [("a_junk", 5000), ("b_junk", 5000), ("small.py", 40)] {
            std::fs::write(dir.path().join(name), "x".repeat(size)).unwrap();
        }
        let tree = JudgedTree::read_at_most(dir.path(), 4000, 1000).unwrap();
        assert_eq!(tree.text("small.py").unwrap().len(), 40);
        assert_eq!(tree.text("a_junk").unwrap().len(), 480);
        assert_eq!(tree.left_out()[0].why, "all but its first 480 bytes of 5000");
    }

    #[test]
    fn what_is_no_text_takes_no_more_than_text_does() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("blob"), [0xff; 3000]).unwrap();
        let tree = JudgedTree::read_at_most(dir.path(), 900, 10_000).unwrap();
        assert_eq!(tree.text("blob").unwrap().len(), 900);
        assert_eq!(tree.left_out()[0].why, "all but its first 300 bytes of 3000");
    }

    #[test]
    fn evidence_names_lines_that_are_there() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("src")).unwrap();
        std::fs::write(dir.path().join("src/a.py"), "1\n2\n3").unwrap();
        let tree = JudgedTree::read(dir.path()).unwrap();
        let exists = |path: &str, first, last| tree.evidence(Citation { path: path.to_owned(), first, last }).exists;
        assert!(exists("src/a.py", 1, 3) && exists("a.py", 2, 2) && exists("./src/a.py", 3, 3));
        assert!(!exists("src/a.py", 3, 4) && !exists("src/a.py", 0, 1) && !exists("src/a.py", 3, 2));
        assert!(!exists("b.py", 1, 1) && !exists(".py", 1, 1) && !exists("", 1, 1));
    }
}
