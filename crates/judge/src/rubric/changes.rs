//! What changed between two states of a program, in parts of a size that one question can show.

use serde::Serialize;
use slopbench_diff::LineDiff;

use crate::{shown, tree::JudgedTree};

/// Endings of files of code.
const CODE: &[&str] = &[
    "c", "cc", "cpp", "cs", "go", "h", "hpp", "java", "js", "jsx", "kt", "mjs", "php", "py", "pyi", "rb", "rs", "sh",
    "swift", "ts", "tsx",
];

/// How many unchanged lines are shown around changed ones.
const CONTEXT: u32 = 4;

/// How many bytes of lines a part shows; a single line may have more, and is then shown up to this.
const MOST_OF_PART: usize = 24 << 10;

/// A part of a file with lines that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangedPart {
    /// The file.
    pub path: String,
    /// The lines that changed, from 1.
    pub changed: Vec<u32>,
    /// The lines as they are shown: `LINE+| TEXT` where they changed, `LINE | TEXT` where not.
    pub text: String,
}

/// Every part of the code of `after` that is not as it was in `before`; all of it where there was nothing before.
pub fn changed_parts(before: Option<&JudgedTree>, after: &JudgedTree) -> Vec<ChangedPart> {
    let mut parts = Vec::new();
    for (path, file) in after.files() {
        let is_code =
            path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).is_some_and(|(_, end)| CODE.contains(&end));
        let Some(text) = file.text().filter(|_| is_code) else { continue };
        parts.extend(parts_of(path, &unchanged(before, path, text), text));
    }
    parts
}

/// How the lines of a file that both states have were numbered before.
pub(super) fn unchanged(before: Option<&JudgedTree>, path: &str, text: &str) -> LineDiff {
    let earlier = before.and_then(|tree| tree.files().get(path)?.text()).unwrap_or_default();
    LineDiff::new(earlier.as_bytes(), text.as_bytes())
}

fn parts_of(path: &str, diff: &LineDiff, text: &str) -> Vec<ChangedPart> {
    let lines: Vec<_> = text.lines().collect();
    let count = lines.len() as u32;
    let is_changed = |line: u32| diff.earlier(line).is_none();
    let is_near = |line: u32| (line.saturating_sub(CONTEXT).max(1)..=(line + CONTEXT).min(count)).any(is_changed);
    let mut parts = Vec::new();
    let mut part = ChangedPart { path: path.to_owned(), changed: Vec::new(), text: String::new() };
    let mut close = |part: &mut ChangedPart| {
        let (changed, text) = (std::mem::take(&mut part.changed), std::mem::take(&mut part.text));
        if !changed.is_empty() {
            parts.push(ChangedPart { path: path.to_owned(), changed, text });
        }
    };
    let mut last = 0;
    for (line, text) in (1..).zip(lines).filter(|(line, _)| is_near(*line)) {
        let sign = if is_changed(line) { '+' } else { ' ' };
        let shown = format!("{line}{sign}| {}\n", shown::excerpt(text, MOST_OF_PART / 8));
        if part.text.len() + shown.len() > MOST_OF_PART {
            close(&mut part);
        } else if last + 1 < line && !part.text.is_empty() {
            part.text.push_str("...\n");
        }
        part.text.push_str(&shown);
        part.changed.extend(is_changed(line).then_some(line));
        last = line;
    }
    close(&mut part);
    parts
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    fn tree(files: &[(&str, &str)]) -> JudgedTree {
        let dir = tempfile::tempdir().unwrap();
        files.iter().for_each(|(path, text)| std::fs::write(dir.path().join(path), text).unwrap());
        JudgedTree::read(dir.path()).unwrap()
    }

    #[test]
    fn only_changed_code_is_shown_with_what_is_around() {
        let lines: Vec<String> = (1..=30).map(|line| format!("x{line}\n")).collect();
        let before = tree(&[("a.py", &lines.concat()), ("same.py", "x\n"), ("note.md", "x\n")]);
        let mut changed = lines.clone();
        changed[19] = "y\n".to_owned();
        changed.insert(0, "new\n".to_owned());
        let after = tree(&[("a.py", &changed.concat()), ("same.py", "x\n"), ("note.md", "y\n")]);
        let parts = changed_parts(Some(&before), &after);
        assert_eq!(parts.len(), 1);
        assert_eq!(parts[0].changed, [1, 21]);
        assert!(parts[0].text.starts_with("1+| new\n2 | x1\n"), "{}", parts[0].text);
        assert!(
            parts[0].text.contains("5 | x4\n...\n17 | x16\n")
                && parts[0].text.ends_with("21+| y\n22 | x21\n23 | x22\n24 | x23\n25 | x24\n")
        );
        assert_eq!(changed_parts(None, &after).iter().map(|part| part.changed.len()).sum::<usize>(), 32);
    }

    #[test]
    fn a_long_file_becomes_several_parts_that_miss_no_line() {
        let text = (0..5000).map(|line| format!("value = {line}\n")).collect::<String>();
        let parts = changed_parts(None, &tree(&[("a.py", &text)]));
        assert!(parts.len() > 3 && parts.iter().all(|part| part.text.len() <= MOST_OF_PART));
        let lines: Vec<u32> = parts.iter().flat_map(|part| part.changed.clone()).collect();
        assert_eq!(lines, (1..=5000).collect::<Vec<_>>());
    }
}
