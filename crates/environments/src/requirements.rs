//! What a solution declares: `requirements.txt`, or else the dependencies in `pyproject.toml`, or else nothing.
//!
//! The files are foreign, and pip's format lets a line do much: read other files, name an index, fetch and run what lies
//! behind a URL, expand variables of the environment. What is accepted is a package's name with versions, extras and a
//! marker, and `-r` with a file of the solution. What all of that means is uv's to say; here is only what is handed on.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;

use crate::Error;
use crate::stop::Stop;

/// The largest file that is read, in bytes.
const MOST_BYTES: u64 = 1 << 20;

/// The most requirements.
const MOST: usize = 1000;

const FILE: &str = "requirements.txt";
const PROJECT: &str = "pyproject.toml";

/// What can be asked for, for sentences.
const EXPECTED: &str = "expected the name of a package of the index, with versions, as in `numpy>=2,<3`";

/// One requirement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// The file that it stands in, relative to the solution.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The package's name in its normal form: lower case, with `-` between words.
    pub name: String,
    /// All of it, on one line.
    pub text: String,
}

/// All that a solution declares, in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requirements(pub Vec<Requirement>);

#[derive(Deserialize)]
struct Project {
    project: Option<ProjectTable>,
}

#[derive(Deserialize)]
struct ProjectTable {
    #[serde(default)]
    dependencies: Vec<Spanned<String>>,
}

impl Requirement {
    /// `requirements.txt:2`.
    pub fn place(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }

    /// Checks that it is a name and no more than versions, extras and a marker after it.
    fn new(file: &str, line: usize, text: &str) -> Result<Self, Stop> {
        let refuse = |cause: &str| refused(file, line, &format!("`{}` {cause}; {EXPECTED}", excerpt(text)));
        if text.starts_with('-') {
            return Err(refuse("is an option"));
        }
        if text.contains("://") || text.starts_with(['.', '/', '~']) {
            return Err(refuse("is a path or URL"));
        }
        let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        let end = text.find(|letter| !is_of_name(letter)).unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        let is_name = name.starts_with(|first: char| first.is_ascii_alphanumeric())
            && name.ends_with(|last: char| last.is_ascii_alphanumeric());
        if !is_name || text.contains(['\0', '\r', '$']) {
            return Err(refuse("is no requirement"));
        }
        // Extras come before what could be a URL.
        let rest = rest.trim_start();
        let rest = if rest.starts_with('[') { rest.split_once(']').map_or("", |(_, rest)| rest) } else { rest };
        if rest.trim_start().starts_with('@') {
            return Err(refuse("is a path or URL"));
        }
        let name = normal(name);
        Ok(Self { file: file.to_owned(), line, name, text: text.to_owned() })
    }
}

/// A package's name as indexes compare it.
pub(crate) fn normal(name: &str) -> String {
    let words = name.split(['-', '_', '.']).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-")
}

fn refused(file: &str, line: usize, what: &str) -> Stop {
    Stop::Refused(format!("{file}:{line}: {what}"))
}

/// So much of a foreign text as a sentence has room for.
fn excerpt(text: &str) -> String {
    const MOST_SHOWN: usize = 60;
    let shown: String = text.chars().take(MOST_SHOWN).map(|one| if one.is_control() { '?' } else { one }).collect();
    if text.chars().count() > MOST_SHOWN { format!("{shown}…") } else { shown }
}

impl Requirements {
    /// What the solution in `tree` declares.
    pub(crate) fn of(tree: &Path) -> Result<Self, Stop> {
        let mut found = Self::default();
        if let Some(text) = read(tree, FILE)? {
            found.add_file(tree, FILE, &text, &mut vec![FILE.to_owned()])?;
        } else if let Some(text) = read(tree, PROJECT)? {
            found.add_project(&text)?;
        }
        Ok(found)
    }

    /// One line each, for the record.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.0.iter().map(|requirement| format!("{}: {}", requirement.place(), requirement.text)).collect()
    }

    /// These with packages that `by` needs beside them, but for those that are declared.
    pub(crate) fn with(mut self, by: &str, beside: &[&str]) -> Result<Self, Stop> {
        for (line, text) in (1..).zip(beside) {
            let needed = Requirement::new(by, line, text)?;
            if self.0.iter().all(|declared| declared.name != needed.name) {
                self.push(needed)?;
            }
        }
        Ok(self)
    }

    fn push(&mut self, requirement: Requirement) -> Result<(), Stop> {
        if self.0.len() == MOST {
            let Requirement { file, line, .. } = &requirement;
            return Err(refused(file, *line, &format!("there are more than {MOST} requirements")));
        }
        self.0.push(requirement);
        Ok(())
    }

    /// Adds a file in pip's format; `open` are the files that led to it, and itself.
    fn add_file(&mut self, tree: &Path, file: &str, text: &str, open: &mut Vec<String>) -> Result<(), Stop> {
        for (line, text) in logical_lines(text) {
            // What follows is for this requirement alone, and about files: those of the lock have digests of their own.
            let text = text.split(" --hash").next().unwrap_or_default().trim();
            let Some(other) = included(text) else {
                self.push(Requirement::new(file, line, text)?)?;
                continue;
            };
            let other = inside(file, other)
                .ok_or_else(|| refused(file, line, &format!("`{}` leads out of the solution", excerpt(text))))?;
            if open.contains(&other) {
                return Err(refused(file, line, &format!("{other} includes itself")));
            }
            let text = read(tree, &other)?;
            let text = text.ok_or_else(|| refused(file, line, &format!("there is no file {other}")))?;
            open.push(other.clone());
            self.add_file(tree, &other, &text, open)?;
            open.pop();
        }
        Ok(())
    }

    fn add_project(&mut self, text: &str) -> Result<(), Stop> {
        let line = |at: usize| 1 + text.get(..at).unwrap_or_default().matches('\n').count();
        let parsed = toml::from_str::<Project>(text).map_err(|error| {
            let at = error.span().map_or(1, |span| line(span.start));
            refused(PROJECT, at, error.message().lines().next().unwrap_or("it is no TOML"))
        })?;
        for dependency in parsed.project.into_iter().flat_map(|table| table.dependencies) {
            let at = line(dependency.span().start);
            self.push(Requirement::new(PROJECT, at, dependency.get_ref().trim())?)?;
        }
        Ok(())
    }
}

/// The text of a file of the solution; `None` if there is none.
fn read(tree: &Path, file: &str) -> Result<Option<String>, Stop> {
    let path = tree.join(file);
    let metadata = match fs::symlink_metadata(&path) {
        Err(error) if [io::ErrorKind::NotFound, io::ErrorKind::NotADirectory].contains(&error.kind()) => {
            return Ok(None);
        }
        metadata => metadata.map_err(Error::io(&path))?,
    };
    // A link may lead anywhere, and a folder on the way may be one.
    let is_inside = fs::canonicalize(&path).ok().zip(fs::canonicalize(tree).ok());
    let is_inside = is_inside.is_some_and(|(path, tree)| path.starts_with(tree));
    if !metadata.is_file() || !is_inside {
        return Err(refused(file, 1, "it is no regular file of the solution"));
    }
    if metadata.len() > MOST_BYTES {
        return Err(refused(file, 1, &format!("it has more than {MOST_BYTES} bytes")));
    }
    let bytes = fs::read(&path).map_err(Error::io(&path))?;
    let text = String::from_utf8(bytes).map_err(|_| refused(file, 1, "it is no UTF-8"))?;
    Ok(Some(text.trim_start_matches('\u{feff}').to_owned()))
}

/// The lines of a file that say something, each with its first line's number: without comments, and with what a `\` goes
/// on to on the next one.
fn logical_lines(text: &str) -> Vec<(usize, String)> {
    let (mut lines, mut begun) = (Vec::new(), None::<(usize, String)>);
    for (index, line) in text.lines().enumerate() {
        let (number, mut whole) = begun.take().unwrap_or((index + 1, String::new()));
        let comment = line.match_indices('#').map(|(at, _)| at);
        let comment = comment
            .into_iter()
            .find(|at| line.get(..*at).is_none_or(|before| before.is_empty() || before.ends_with([' ', '\t'])));
        let said = line.get(..comment.unwrap_or(line.len())).unwrap_or_default();
        match said.strip_suffix('\\') {
            Some(said) => {
                whole += said;
                begun = Some((number, whole));
            }
            None => {
                whole += said;
                lines.push((number, whole.trim().to_owned()));
            }
        }
    }
    lines.extend(begun);
    lines.retain(|(_, line)| !line.trim().is_empty());
    lines
}

/// The file that a line includes.
fn included(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("--requirement").or_else(|| line.strip_prefix("-r"))?;
    Some(rest.trim_start_matches(['=', ' ', '\t']))
}

/// A file by its path relative to the solution, as another file in there names it; `None` if it is elsewhere.
fn inside(from: &str, name: &str) -> Option<String> {
    let mut path = PathBuf::from(from);
    path.pop();
    for part in Path::new(name).components() {
        match part {
            Component::Normal(name) => path.push(name),
            Component::CurDir => {}
            Component::ParentDir if path.pop() => {}
            _ => return None,
        }
    }
    path.to_str().map(str::to_owned).filter(|path| !path.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(files: &[(&str, &str)]) -> Result<Vec<(String, String)>, String> {
        let tree = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = tree.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        match Requirements::of(tree.path()) {
            Ok(found) => Ok(found.0.into_iter().map(|one| (one.place(), one.text)).collect()),
            Err(Stop::Refused(sentence)) => Err(sentence),
            Err(Stop::Failed(error)) => panic!("{error}"),
        }
    }

    fn rows(rows: &[(&str, &str)]) -> Vec<(String, String)> {
        rows.iter().map(|(place, text)| ((*place).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn requirements_are_read_with_their_lines() {
        let text = "# what it needs\n\nnumpy>=2  # arrays\nlxml[html] >= 5, \\\n  < 7\n-r more/others.txt\n\
                    six==1.16 --hash=sha256:00\ntyping_extensions; python_version < '3.11'";
        let files = [(FILE, text), ("more/others.txt", "-r ../third.txt\n"), ("third.txt", "\u{feff}rich\n")];
        let expected = [
            ("requirements.txt:3", "numpy>=2"),
            ("requirements.txt:4", "lxml[html] >= 5,   < 7"),
            ("third.txt:1", "rich"),
            ("requirements.txt:7", "six==1.16"),
            ("requirements.txt:8", "typing_extensions; python_version < '3.11'"),
        ];
        assert_eq!(of(&files), Ok(rows(&expected)));
    }

    #[test]
    fn a_project_counts_where_there_are_no_requirements() {
        let project = (PROJECT, "[project]\nname = \"x\"\ndependencies = [\n  \"attrs>=23\",\n  \"rich\",\n]\n");
        assert_eq!(of(&[project]), Ok(rows(&[("pyproject.toml:4", "attrs>=23"), ("pyproject.toml:5", "rich")])));
        assert_eq!(of(&[project, (FILE, "# nothing\n")]), Ok(Vec::new()));
        assert_eq!(of(&[(PROJECT, "[tool.black]\nline-length = 99\n")]), Ok(Vec::new()));
        assert_eq!(of(&[]), Ok(Vec::new()));
        let wrong = of(&[(PROJECT, "[project]\ndependencies = \"attrs\"\n")]).unwrap_err();
        assert!(wrong.starts_with("pyproject.toml:2: "), "{wrong}");
    }

    #[test]
    fn whatever_is_no_package_of_the_index_is_refused_with_its_line() {
        let lines = [
            "--index-url https://example.org/simple",
            "-i https://example.org/simple",
            "-e .",
            "--extra-index-url=x",
            "-c constraints.txt",
            "git+https://example.org/x.git",
            "https://example.org/x.whl",
            "./x.whl",
            "/etc/x.whl",
            "x @ file:///etc/passwd",
            "x[y]@ file:///etc/passwd",
            "${HOME}",
            "x==${VERSION}",
            "-r ../outside.txt",
            "-r /etc/passwd",
            "-r requirements.txt",
            "-r none.txt",
            "numpy\0",
            "!",
        ];
        for line in lines {
            let refusal = of(&[(FILE, &format!("six\n{line}\n"))]).unwrap_err();
            assert!(refusal.starts_with("requirements.txt:2: "), "{line}: {refusal}");
        }
        let circle = of(&[(FILE, "-r a.txt"), ("a.txt", "\n-r b.txt"), ("b.txt", "-r a.txt")]).unwrap_err();
        assert_eq!(circle, "b.txt:1: a.txt includes itself");
    }

    #[test]
    fn a_link_is_not_followed() {
        let tree = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/etc/passwd", tree.path().join(FILE)).unwrap();
        assert!(matches!(Requirements::of(tree.path()), Err(Stop::Refused(_))));
        let tree = tempfile::tempdir().unwrap();
        fs::write(tree.path().join(FILE), "-r etc/passwd").unwrap();
        std::os::unix::fs::symlink("/etc", tree.path().join("etc")).unwrap();
        assert!(matches!(Requirements::of(tree.path()), Err(Stop::Refused(_))));
    }

    #[test]
    fn what_is_needed_beside_is_added_but_for_what_is_declared() {
        let tree = tempfile::tempdir().unwrap();
        let with =
            || match Requirements::of(tree.path()).and_then(|declared| declared.with("ours", &["six==1", "attrs"])) {
                Ok(requirements) => requirements.lines(),
                Err(_) => panic!("refused"),
            };
        assert_eq!(with(), ["ours:1: six==1", "ours:2: attrs"]);
        fs::write(tree.path().join(FILE), "numpy\nSix>=2\n").unwrap();
        assert_eq!(with(), ["requirements.txt:1: numpy", "requirements.txt:2: Six>=2", "ours:2: attrs"]);
    }

    #[test]
    fn names_are_compared_in_their_normal_form() {
        assert_eq!(normal("Typing_Extensions"), "typing-extensions");
        assert_eq!(normal("zope.interface"), "zope-interface");
    }
}
