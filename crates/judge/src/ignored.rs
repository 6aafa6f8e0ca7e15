//! Lines of ignore files that hide files of the tree from search tools.

use std::collections::BTreeMap;

use globset::{GlobBuilder, GlobMatcher};

use crate::file::TreeFile;

/// How many lines of an ignore file are read.
const MOST_LINES: usize = 500;

/// How much matching all ignore files of a tree may take, in files that are matched by one pattern.
const MOST_WORK: u64 = 2_000_000;

/// What a pattern costs before it matches anything, in the same unit.
const WORK_OF_PATTERN: u64 = 200;

/// What search tools skip by.
const NAMES: &[&str] = &[".gitignore", ".ignore", ".rgignore", ".fdignore", ".agignore"];

/// A line that hides something.
pub(crate) struct HidingLine {
    /// The ignore file.
    pub(crate) path: String,
    /// From 1; nothing where there are too many lines to be read.
    pub(crate) line: Option<u32>,
    /// How much it hides.
    pub(crate) what: String,
    /// The line itself.
    pub(crate) text: String,
}

/// Every such line, as far as they can be read with so much work: a tree may hold more than anybody can match.
pub(crate) fn lines(files: &BTreeMap<String, TreeFile>) -> Vec<HidingLine> {
    let (mut found, mut work) = (Vec::new(), MOST_WORK);
    for (path, file) in files.iter().filter(|(path, _)| is_ignore_file(path)) {
        let Some(text) = file.text() else { continue };
        let folder = path.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
        for (number, line) in (1..).zip(text.split('\n').take(MOST_LINES)) {
            let Some(matchers) = pattern(line) else { continue };
            let Some(hidden) = hidden(files, &folder, &matchers, &mut work) else {
                let what = "has, with others, more patterns than can be matched with all files".to_owned();
                found.push(HidingLine { path: path.clone(), line: None, what, text: String::new() });
                return found;
            };
            if let (count, Some(first)) = hidden {
                let what = format!("hides {count} files from search tools, the first of them {first}");
                found.push(HidingLine { path: path.clone(), line: Some(number), what, text: line.to_owned() });
            }
        }
    }
    found
}

/// How many files below a folder are hidden, and the first of them; nothing where that is too much work.
fn hidden<'f>(
    files: &'f BTreeMap<String, TreeFile>,
    folder: &str,
    matchers: &[GlobMatcher; 2],
    work: &mut u64,
) -> Option<(usize, Option<&'f String>)> {
    let (mut count, mut first) = (0, None);
    *work = work.checked_sub(WORK_OF_PATTERN)?;
    let below = files.range(folder.to_owned()..).take_while(|(file, _)| file.starts_with(folder));
    for (file, _) in below {
        *work = work.checked_sub(1)?;
        let name = &file[folder.len()..];
        if !is_ignore_file(file) && matchers.iter().any(|one| one.is_match(name)) {
            count += 1;
            first = first.or(Some(file));
        }
    }
    Some((count, first))
}

fn is_ignore_file(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| NAMES.contains(&name))
}

/// A line of an ignore file as globs for what it names and for all below; nothing for what hides nothing.
fn pattern(line: &str) -> Option<[GlobMatcher; 2]> {
    let line = line.trim_end().trim_end_matches('/');
    if line.is_empty() || line.starts_with(['#', '!']) {
        return None;
    }
    let anchored = match line.strip_prefix('/') {
        Some(rest) => rest.to_owned(),
        None if line.contains('/') => line.to_owned(),
        None => format!("**/{line}"),
    };
    let glob = |pattern: &str| Some(GlobBuilder::new(pattern).literal_separator(true).build().ok()?.compile_matcher());
    Some([glob(&anchored)?, glob(&format!("{anchored}/**"))?])
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::file::FileContent;

    fn file(text: &str) -> TreeFile {
        TreeFile { size: 0, read: 0, content: FileContent::Text { text: text.to_owned(), looks_binary: false } }
    }

    #[test]
    fn ignore_files_are_named_where_they_hide_something() {
        let files = BTreeMap::from([
            (".gitignore".to_owned(), file("# caches\n*.log\nsrc/\n!x\n/core.py\n")),
            ("src/deep/a.py".to_owned(), file("")),
            ("lib/core.py".to_owned(), file("")),
            ("lib/.ignore".to_owned(), file("core.py")),
        ]);
        let found: Vec<_> = lines(&files).into_iter().map(|one| (one.path, one.line)).collect();
        assert_eq!(found, [(".gitignore".to_owned(), Some(3)), ("lib/.ignore".to_owned(), Some(1))]);
    }

    /// A chain of folders with full ignore files, and many files at its end: more than can be matched.
    #[test]
    fn too_many_ignore_files_are_named_and_not_matched() {
        let patterns: String = (0..MOST_LINES).map(|line| format!("no{line}*x\n")).collect();
        let mut files = BTreeMap::new();
        let mut folder = String::new();
        for _ in 0..200 {
            folder.push_str("d/");
            files.insert(format!("{folder}.ignore"), file(&patterns));
        }
        files.extend((0..5000).map(|number| (format!("{folder}f{number}.py"), file(""))));
        let clock = Instant::now();
        let found = lines(&files);
        assert!(clock.elapsed() < Duration::from_secs(60), "{:?}", clock.elapsed());
        assert_eq!(found.len(), 1);
        assert!(found[0].line.is_none() && found[0].what.contains("more patterns"), "{}", found[0].what);
    }
}
