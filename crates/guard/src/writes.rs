//! Several files written together: all of them, or none.
//!
//! What is to be written is written down first, in `pending.json`; who opens the state after a crash goes on with it. Where a person
//! has changed one of the files meanwhile, those that are written already are put back, and the person's is left. All of this is done
//! under the state's [lock](crate::lock).
//!
//! The folder may be a stranger's, or one that an agent writes in: what `pending.json` names is a file of a state, or refused.

use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::files::{FileWrite, current, put_for_good, refuse_link};
use crate::semantic::is_semantic_file;
use crate::settings::SETTINGS_FILE;
use crate::turns::TURNS_FILE;

/// Where it is written down what is to be written.
pub(crate) const PENDING: &str = "pending.json";

#[derive(Serialize, Deserialize)]
enum PendingFormat {
    #[serde(rename = "slopbench.guard-pending/1")]
    V1,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pending {
    format: PendingFormat,
    writes: Vec<FileWrite>,
}

/// Writes all of them. Where some are not what they were before, nothing is written but what is to be written otherwise; gives the
/// paths of these files then.
pub(crate) fn write_all(folder: &Path, writes: &[FileWrite]) -> Result<Vec<String>, Error> {
    let mut changed = Vec::new();
    for write in writes {
        if held(folder, write)? != write.before {
            changed.push(write.path.clone());
        }
    }
    let writes = match changed.is_empty() {
        true => writes.to_vec(),
        false => writes.iter().filter(|write| !changed.contains(&write.path)).filter_map(otherwise).collect(),
    };
    let pending = Pending { format: PendingFormat::V1, writes };
    put_for_good(&folder.join(PENDING), &serde_json::to_string(&pending)?)?;
    changed.extend(finish(folder)?);
    Ok(changed)
}

fn otherwise(write: &FileWrite) -> Option<FileWrite> {
    let after = write.otherwise.clone()?;
    Some(FileWrite { after, otherwise: None, ..write.clone() })
}

/// Does what a process has written down and not come to; gives the paths of files that a person has changed, if nothing was written
/// for that reason but what is to be written otherwise.
pub(crate) fn finish(folder: &Path) -> Result<Vec<String>, Error> {
    let pending = folder.join(PENDING);
    let Some(content) = current(&pending)? else { return Ok(Vec::new()) };
    let wrong = |line: usize, problem: String| {
        let message = format!(
            "{problem}; remove the file: the records may be those of before the update that it is of, or after it"
        );
        Error::format(&pending, line, message)
    };
    let Pending { writes, .. } =
        serde_json::from_str(&content).map_err(|error| wrong(error.line(), error.to_string()))?;
    if let Some(write) = writes.iter().find(|write| !is_of_state(&write.path)) {
        return Err(wrong(1, format!("`{}` is no file of a state, and nothing is written", write.path)));
    }
    let mut states = Vec::new();
    for write in &writes {
        states.push(held(folder, write)?);
    }
    let is_ours = |write: &FileWrite, state: &Option<String>| {
        let ours = [write.before.as_ref(), Some(&write.after), write.otherwise.as_ref().or(write.before.as_ref())];
        ours.contains(&state.as_ref())
    };
    let (ours, theirs): (Vec<_>, Vec<_>) = writes.iter().zip(&states).partition(|(write, state)| is_ours(write, state));
    for (write, state) in ours {
        let whole = theirs.is_empty().then_some(&write.after);
        let wanted = whole.or(write.otherwise.as_ref()).or(write.before.as_ref());
        if wanted != state.as_ref() {
            set(&folder.join(&write.path), wanted.map(String::as_str))?;
        }
    }
    match fs::remove_file(&pending) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::file("remove", &pending)(error)),
        _ => Ok(theirs.into_iter().map(|(write, _)| write.path.clone()).collect()),
    }
}

fn held(folder: &Path, write: &FileWrite) -> Result<Option<String>, Error> {
    if let Some((kind, _)) = write.path.split_once('/') {
        refuse_link(&folder.join(kind))?;
    }
    current(&folder.join(&write.path))
}

fn is_of_state(path: &str) -> bool {
    [SETTINGS_FILE, TURNS_FILE].contains(&path) || is_semantic_file(path)
}

fn set(path: &Path, content: Option<&str>) -> Result<(), Error> {
    match content {
        Some(content) => put_for_good(path, content),
        None => fs::remove_file(path).map_err(Error::file("remove", path)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::put;

    fn write(path: &str, before: Option<&str>, after: &str) -> FileWrite {
        FileWrite { path: path.to_owned(), before: before.map(str::to_owned), after: after.to_owned(), otherwise: None }
    }

    fn log() -> FileWrite {
        FileWrite { otherwise: Some("failed".to_owned()), ..write(TURNS_FILE, Some("log"), "merged") }
    }

    fn pending(folder: &Path, writes: &[FileWrite]) {
        let pending = Pending { format: PendingFormat::V1, writes: writes.to_vec() };
        fs::write(folder.join(PENDING), serde_json::to_string(&pending).unwrap()).unwrap();
    }

    fn content(folder: &Path, path: &str) -> Option<String> {
        fs::read_to_string(folder.join(path)).ok()
    }

    /// A state's folder with these files.
    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (path, content) in files {
            put(&folder.path().join(path), content).unwrap();
        }
        folder
    }

    #[test]
    fn nothing_is_written_where_one_file_is_another_by_now_but_the_log_says_so() {
        let folder = folder(&[("design/b.md", "a person's"), (TURNS_FILE, "log")]);
        let at = folder.path();
        let writes = [write("design/a.md", None, "1"), write("design/b.md", Some("0"), "1"), log()];
        assert_eq!(write_all(at, &writes).unwrap(), ["design/b.md"]);
        assert_eq!(content(at, "design/a.md"), None);
        assert_eq!(content(at, "design/b.md").unwrap(), "a person's");
        assert_eq!(content(at, TURNS_FILE).unwrap(), "failed");
        assert_eq!(content(at, PENDING), None);
    }

    #[test]
    fn a_kill_at_each_step_leaves_what_the_next_process_completes() {
        let writes = [write("design/a.md", Some("0"), "1"), write("decision/b.md", None, "1"), log()];
        for done in 0..=writes.len() {
            let folder = folder(&[("design/a.md", "0"), (TURNS_FILE, "log")]);
            let at = folder.path();
            pending(at, &writes);
            for write in &writes[..done] {
                put(&at.join(&write.path), &write.after).unwrap();
            }
            assert_eq!(finish(at).unwrap(), Vec::<String>::new(), "{done}");
            let all = writes.iter().all(|write| content(at, &write.path).as_ref() == Some(&write.after));
            assert!(all && content(at, PENDING).is_none(), "{done}");
        }
    }

    #[test]
    fn what_was_done_before_a_crash_is_undone_where_a_person_edited_another_file_since() {
        let writes = [
            write("design/a.md", Some("0"), "1"),
            write("design/b.md", None, "1"),
            write("design/c.md", Some("0"), "1"),
        ];
        let writes = [&writes[..], &[log()]].concat();
        let folder =
            folder(&[("design/a.md", "1"), ("design/b.md", "1"), ("design/c.md", "mine"), (TURNS_FILE, "log")]);
        let at = folder.path();
        pending(at, &writes);
        assert_eq!(finish(at).unwrap(), ["design/c.md"]);
        assert_eq!(content(at, "design/a.md").unwrap(), "0");
        assert_eq!(content(at, "design/b.md"), None);
        assert_eq!(content(at, "design/c.md").unwrap(), "mine");
        assert_eq!(content(at, TURNS_FILE).unwrap(), "failed", "the log does not say that it was merged");
    }

    #[test]
    fn what_is_pending_outside_of_a_state_is_not_written() {
        let outside = tempfile::tempdir().unwrap();
        let absolute = outside.path().join("x.md").to_str().unwrap().to_owned();
        for path in ["../x.md", "design/../../x.md", "x.md", "design/x.txt", "design/.x.md", &absolute, ""] {
            let folder = folder(&[("state/guard.toml", "")]);
            let state = folder.path().join("state");
            pending(&state, &[write("design/a.md", None, "1"), write(path, None, "1")]);
            let error = finish(&state).unwrap_err().to_string();
            assert!(error.contains(&format!("`{path}` is no file of a state, and nothing is written")), "{error}");
            assert!(!state.join("design").exists() && !folder.path().join("x.md").exists(), "{path}");
        }
        assert!(!outside.path().join("x.md").exists());
    }

    #[cfg(unix)]
    #[test]
    fn no_link_is_followed_to_a_file_that_is_written() {
        use std::os::unix::fs::symlink;
        let outside = folder(&[("file", "theirs")]);
        let theirs = outside.path().join("file");
        let folder = folder(&[("guard.toml", "")]);
        let at = folder.path();
        for name in ["structure.jsonl", "structure.jsonl.part"] {
            symlink(&theirs, at.join(name)).unwrap();
        }
        put(&at.join("structure.jsonl"), "ours").unwrap();
        assert_eq!(content(at, "structure.jsonl").unwrap(), "ours");
        symlink(outside.path(), at.join("design")).unwrap();
        let error = write_all(at, &[write("design/x.md", None, "1")]).unwrap_err().to_string();
        assert!(error.contains("design:1: it is a link"), "{error}");
        assert!(!outside.path().join("x.md").exists());
        assert_eq!(fs::read_to_string(&theirs).unwrap(), "theirs");
    }
}
