//! What one workspace has that another has not, line by line. However large a file is and whatever is in it, the cost is
//! bounded by what is compared and not by a clock: the counts are part of results.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, BufRead as _, BufReader},
    path::{Path, PathBuf},
};

use slopbench_diff::{LineCounts, count_changes, unified};
use slopbench_digest::{Listing, ReadError};

/// The most lines of a workspace's files that are compared one by one; those of the files that come later by path count as
/// rewritten.
const MOST_LINES: usize = 1 << 18;
/// The most bytes of a file that is compared: all lines of a larger one count as rewritten.
const MOST_BYTES: u64 = 16 << 20;

/// A file that differs between two workspaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileDiff {
    /// Its path in the workspaces.
    pub path: String,
    /// Lines that are only in the later one; 0 where a side is not text.
    pub added: u64,
    /// Lines that are only in the earlier one; likewise.
    pub removed: u64,
}

/// Every file that differs between the workspace `before` (nothing, if `None`) and `after`, by path.
///
/// # Errors
///
/// [`ReadError`] if a file cannot be read.
pub fn diff(before: Option<&Path>, after: &Path) -> Result<Vec<FileDiff>, ReadError> {
    let mut left = MOST_LINES;
    let count = |pair: Pair| {
        let LineCounts { added, removed } = pair.count(&mut left)?;
        Ok(FileDiff { path: pair.path, added, removed })
    };
    differing(before, after)?.map(count).collect()
}

/// The same as a unified diff, for people; a sentence where a side is not text, or too large.
///
/// # Errors
///
/// [`ReadError`] if a file cannot be read.
pub fn unified_diff(before: Option<&Path>, after: &Path) -> Result<String, ReadError> {
    let mut left = MOST_LINES;
    differing(before, after)?.map(|pair| pair.unified(&mut left)).collect()
}

/// A path and where either workspace has it.
struct Pair {
    path: String,
    before: Option<PathBuf>,
    after: Option<PathBuf>,
}

/// One side of a pair.
enum PathContent {
    Text(String),
    Binary,
    /// More than [`MOST_BYTES`], which are not kept in memory, and how many lines they are.
    TooLarge(u64),
}

impl PathContent {
    fn lines(&self) -> u64 {
        match self {
            Self::Text(text) => slopbench_diff::count_lines(text.as_bytes()),
            Self::Binary => 0,
            Self::TooLarge(lines) => *lines,
        }
    }
}

fn differing(before: Option<&Path>, after: &Path) -> Result<impl Iterator<Item = Pair>, ReadError> {
    let list = |dir: &Path| Listing::of_dir(dir, "");
    let old = before.map_or(Ok(Listing::default()), list)?;
    let paths: BTreeMap<_, _> = old.differences(&list(after)?);
    // Taken along by the iterator.
    let (before, after) = (before.map(Path::to_path_buf), after.to_path_buf());
    Ok(paths.into_keys().map(move |path| {
        let there = |dir: &PathBuf| Some(dir.join(&path)).filter(|file| file.symlink_metadata().is_ok());
        Pair { before: before.as_ref().and_then(there), after: there(&after), path }
    }))
}

impl Pair {
    fn count(&self, left: &mut usize) -> Result<LineCounts, ReadError> {
        Ok(match (content(self.before.as_deref())?, content(self.after.as_deref())?) {
            (PathContent::Binary, _) | (_, PathContent::Binary) => LineCounts::default(),
            (PathContent::Text(old), PathContent::Text(new)) => count_changes(old.as_bytes(), new.as_bytes(), left),
            (old, new) => LineCounts { added: new.lines(), removed: old.lines() },
        })
    }

    fn unified(&self, left: &mut usize) -> Result<String, ReadError> {
        let path = &self.path;
        let too_large = || format!("{path} differs in too many lines to show\n");
        let (old, new) = match (content(self.before.as_deref())?, content(self.after.as_deref())?) {
            (PathContent::Text(old), PathContent::Text(new)) => (old, new),
            (PathContent::Binary, _) | (_, PathContent::Binary) => {
                return Ok(format!("{path} differs and is not text\n"));
            }
            _ => return Ok(too_large()),
        };
        // As patch and git have it, for files that come and go.
        let side = |file: &Option<PathBuf>, name: &str| match file {
            Some(_) => format!("{name}/{path}"),
            None => "/dev/null".to_owned(),
        };
        let header = format!("--- {}\n+++ {}\n", side(&self.before, "a"), side(&self.after, "b"));
        Ok(unified(&old, &new, left).map_or_else(too_large, |hunks| header + &hunks))
    }
}

/// What a file holds, a link its target; nothing where there is neither.
fn content(path: Option<&Path>) -> Result<PathContent, ReadError> {
    let Some(path) = path else { return Ok(PathContent::Text(String::new())) };
    let failed = |source| ReadError { path: path.to_path_buf(), source };
    let metadata = fs::symlink_metadata(path).map_err(failed)?;
    let bytes = match metadata.is_symlink() {
        true => fs::read_link(path).map_err(failed)?.into_os_string().into_encoded_bytes(),
        false if metadata.len() > MOST_BYTES => return count_lines(path).map(PathContent::TooLarge).map_err(failed),
        false => fs::read(path).map_err(failed)?,
    };
    Ok(String::from_utf8(bytes).map_or(PathContent::Binary, PathContent::Text))
}

/// The lines of a file of any size.
fn count_lines(path: &Path) -> io::Result<u64> {
    let mut file = BufReader::new(File::open(path)?);
    let (mut lines, mut is_line_begun) = (0, false);
    loop {
        let chunk = file.fill_buf()?;
        let Some(last) = chunk.last() else { return Ok(lines + u64::from(is_line_begun)) };
        is_line_begun = *last != b'\n';
        lines += chunk.iter().filter(|byte| **byte == b'\n').count() as u64;
        let length = chunk.len();
        file.consume(length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(found: &[FileDiff]) -> Vec<(&str, u64, u64)> {
        found.iter().map(|file| (file.path.as_str(), file.added, file.removed)).collect()
    }

    #[test]
    fn lines_are_counted_file_by_file() {
        let [before, after] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let write =
            |dir: &tempfile::TempDir, path: &str, bytes: &[u8]| fs::write(dir.path().join(path), bytes).unwrap();
        write(&before, "same", b"1\n");
        write(&after, "same", b"1\n");
        write(&before, "changed", b"1\n2\n3\n");
        write(&after, "changed", b"1\nzwei\n3\n4\n");
        write(&before, "gone", b"1\n");
        write(&after, "image", &[0xff]);
        let found = diff(Some(before.path()), after.path()).unwrap();
        assert_eq!(counts(&found), [("changed", 2, 1), ("gone", 0, 1), ("image", 0, 0)]);
        let text = unified_diff(Some(before.path()), after.path()).unwrap();
        assert!(text.contains("--- a/changed\n+++ b/changed\n@@ -1,3 +1,4 @@\n"), "{text}");
        assert!(text.contains("-2\n+zwei\n") && text.contains("--- a/gone\n+++ /dev/null\n"), "{text}");
        assert!(text.ends_with("image differs and is not text\n"), "{text}");
        assert_eq!(diff(None, after.path()).unwrap().len(), 3);
    }

    #[test]
    fn a_file_that_is_too_large_to_be_compared_counts_as_rewritten() {
        let [before, after] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let long = "x\n".repeat(MOST_BYTES as usize / 2);
        fs::write(before.path().join("long"), &long).unwrap();
        fs::write(after.path().join("long"), long.clone() + "y").unwrap();
        let found = diff(Some(before.path()), after.path()).unwrap();
        assert_eq!(counts(&found), [("long", MOST_BYTES / 2 + 1, MOST_BYTES / 2)]);
        let text = unified_diff(Some(before.path()), after.path()).unwrap();
        assert_eq!(text, "long differs in too many lines to show\n");
    }

    #[test]
    fn files_share_one_account_of_lines() {
        let [before, after] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let half = slopbench_diff::MOST_LINES / 2;
        let text = |end: &str| format!("{end}\n{}{end}\n", "same\n".repeat(half - 2));
        for name in ["a", "b", "c", "d", "e"] {
            fs::write(before.path().join(name), text("old")).unwrap();
            fs::write(after.path().join(name), text("new")).unwrap();
        }
        let found = diff(Some(before.path()), after.path()).unwrap();
        let half = half as u64;
        assert_eq!(counts(&found), [("a", 2, 2), ("b", 2, 2), ("c", 2, 2), ("d", 2, 2), ("e", half, half)]);
    }
}
