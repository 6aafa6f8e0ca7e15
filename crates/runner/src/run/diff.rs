//! What one workspace has that another has not, line by line.

use std::{collections::BTreeMap, fs, path::Path};

use similar::{ChangeTag, TextDiff};
use slopbench_digest::{Listing, ReadError};

/// A file that differs between two workspaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileDiff {
    /// Its path in the workspaces.
    pub path: String,
    /// Lines that are only in the later one.
    pub added: u64,
    /// Lines that are only in the earlier one.
    pub removed: u64,
    /// A unified diff; a sentence where a side is not text.
    pub text: String,
}

/// Every file that differs between the workspace `before` (nothing, if `None`) and `after`, by path.
pub fn diff(before: Option<&Path>, after: &Path) -> Result<Vec<FileDiff>, ReadError> {
    let list = |dir: &Path| Listing::of_dir(dir, "");
    let old = before.map_or(Ok(Listing::default()), list)?;
    let new = list(after)?;
    let differing: BTreeMap<_, _> = old.differences(&new);
    differing.into_keys().map(|path| file(before, after, path)).collect()
}

fn file(before: Option<&Path>, after: &Path, path: String) -> Result<FileDiff, ReadError> {
    let old = before.map_or(Ok(Vec::new()), |dir| content(&dir.join(&path)))?;
    let new = content(&after.join(&path))?;
    let (Ok(old), Ok(new)) = (String::from_utf8(old), String::from_utf8(new)) else {
        let text = format!("{path} differs and is not text\n");
        return Ok(FileDiff { path, added: 0, removed: 0, text });
    };
    let diff = TextDiff::from_lines(&old, &new);
    let count = |tag| diff.iter_all_changes().filter(|change| change.tag() == tag).count() as u64;
    let (added, removed) = (count(ChangeTag::Insert), count(ChangeTag::Delete));
    // As patch and git have it, for files that come and go.
    let side = |dir: Option<&Path>, name: &str| match dir.is_some_and(|dir| dir.join(&path).symlink_metadata().is_ok())
    {
        true => format!("{name}/{path}"),
        false => "/dev/null".to_owned(),
    };
    let text = diff.unified_diff().header(&side(before, "a"), &side(Some(after), "b")).to_string();
    Ok(FileDiff { path, added, removed, text })
}

/// A file's bytes, a link's target; nothing where there is neither.
fn content(path: &Path) -> Result<Vec<u8>, ReadError> {
    let failed = |source| ReadError { path: path.to_path_buf(), source };
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_symlink() => {
            Ok(fs::read_link(path).map_err(failed)?.into_os_string().into_encoded_bytes())
        }
        Ok(_) => fs::read(path).map_err(failed),
        Err(_) => Ok(Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let counts: Vec<_> = found.iter().map(|file| (file.path.as_str(), file.added, file.removed)).collect();
        assert_eq!(counts, [("changed", 2, 1), ("gone", 0, 1), ("image", 0, 0)]);
        assert!(found[0].text.contains("-2\n+zwei\n"), "{}", found[0].text);
        assert!(found[1].text.starts_with("--- a/gone\n+++ /dev/null\n"), "{}", found[1].text);
        assert_eq!(diff(None, after.path()).unwrap().len(), 3);
    }
}
