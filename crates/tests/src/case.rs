use std::{borrow::Borrow, collections::BTreeMap, fmt, path::Path};

use serde::Serialize;
use slopbench_sandbox::{FileEntry, Limits};
use toml::Spanned;

use crate::{
    LoadError,
    category::Category,
    error::Flaw,
    expect::{Expectations, decode_base64},
    expect_format::ExpectFile,
    format::{CASE_FORMAT, CaseFile, check_format, read},
    http::{HttpStep, format::StepFile, steps},
    kind::ProblemKind,
    paths::{PATH_BYTES, check_path},
};

/// `checkpoint_<n>/<file stem>`; of a test in pytest, its node's identifier below the folder of tests.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct CaseId(String);

impl CaseId {
    /// A test's, as pytest calls it.
    pub(crate) fn of_test(id: &str) -> Self {
        Self(id.to_owned())
    }

    /// The identifier as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for CaseId {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One hidden case: what goes in, and what must come out.
#[derive(Debug)]
pub struct Case {
    /// Unique within the problem.
    pub id: CaseId,
    /// The checkpoint that introduced it, from 1.
    pub checkpoint: u32,
    /// One sentence: what is checked.
    pub title: String,
    /// What it is about.
    pub category: Category,
    /// Arguments after the entry command.
    pub args: Vec<String>,
    /// Standard input.
    pub stdin: Vec<u8>,
    /// Added to the sandbox's fixed environment.
    pub env: BTreeMap<String, String>,
    /// What stands in the working folder.
    pub files: Vec<(String, FileEntry)>,
    /// The problem's limits with the case's own over them.
    pub limits: Limits,
    /// What is done with a server; empty for other programs.
    pub(crate) steps: Vec<HttpStep>,
    pub(crate) expect: Expectations,
}

impl Case {
    /// Loads the case of checkpoint `checkpoint` at `path`.
    pub(crate) fn load(path: &Path, checkpoint: u32, kind: ProblemKind, limits: Limits) -> Result<Self, LoadError> {
        let stem = check_stem(path)?;
        let (file, text) = read::<CaseFile>(path)?;
        let id = CaseId(format!("checkpoint_{checkpoint}/{stem}"));
        Self::new(id, checkpoint, kind, limits, file).map_err(|flaw| flaw.in_file(path, &text))
    }

    fn new(id: CaseId, checkpoint: u32, kind: ProblemKind, limits: Limits, file: CaseFile) -> Result<Self, Flaw> {
        check_format(&file.format, CASE_FORMAT)?;
        if file.title.as_ref().trim().is_empty() {
            return Err(Flaw::at(&file.title, "say in one sentence what is checked"));
        }
        let (steps, expect) = played(kind, &file.title, file.steps, file.expect)?;
        Ok(Self {
            id,
            checkpoint,
            title: file.title.into_inner(),
            category: own_category(file.category)?,
            args: file.args.into_iter().map(without_nul).collect::<Result<_, _>>()?,
            stdin: file.stdin.into_bytes(),
            env: file.env.into_iter().map(variable).collect::<Result<_, _>>()?,
            files: inputs(file.files, file.files_base64, file.symlinks)?,
            limits: file.limits.over(limits)?,
            steps,
            expect,
        })
    }
}

/// A case is regression by its checkpoint, not by a word of its own.
fn own_category(category: Spanned<Category>) -> Result<Category, Flaw> {
    match category.as_ref() {
        Category::Regression => {
            let message =
                "a case counts as regression in later checkpoints by itself: say core, functionality or error";
            Err(Flaw::at(&category, message))
        }
        category => Ok(*category),
    }
}

/// What is done and expected: of a server, steps and perhaps files; of any other program, an end.
fn played(
    kind: ProblemKind,
    title: &Spanned<String>,
    files: Option<Spanned<Vec<Spanned<StepFile>>>>,
    expect: Option<Spanned<ExpectFile>>,
) -> Result<(Vec<HttpStep>, Expectations), Flaw> {
    match (kind, files, expect) {
        (ProblemKind::Cli, None, Some(expect)) => Ok((Vec::new(), Expectations::new(expect)?)),
        (ProblemKind::Cli, None, None) => Err(Flaw::at(title, "missing [expect]: say what must come out")),
        (ProblemKind::Cli, Some(files), _) => Err(Flaw::at(&files, "steps are for problems of kind \"http\"")),
        (ProblemKind::Http, Some(files), expect) if !files.as_ref().is_empty() => {
            if let Some(expect) = expect.as_ref().filter(|expect| expect.as_ref().exit_code.is_some()) {
                return Err(Flaw::at(expect, "a server has no exit code: it is stopped"));
            }
            let expect = expect.map(Expectations::new).transpose()?.unwrap_or_default();
            Ok((steps(files.into_inner())?, expect))
        }
        (ProblemKind::Http, ..) => Err(Flaw::at(title, "missing [[steps]]: say what the server is asked")),
    }
}

/// The working folder's entries; symbolic links last, so that no file is written through one.
fn inputs(
    texts: BTreeMap<Spanned<String>, String>,
    encoded: BTreeMap<Spanned<String>, Spanned<String>>,
    links: BTreeMap<Spanned<String>, Spanned<String>>,
) -> Result<Vec<(String, FileEntry)>, Flaw> {
    let mut entries = BTreeMap::new();
    let texts = texts.into_iter().map(|(path, text)| Ok((path, FileEntry::File(text.into_bytes()))));
    let encoded = encoded.into_iter().map(|(path, text)| Ok((path, FileEntry::File(decode_base64(&text)?))));
    let links = links.into_iter().map(|(path, target)| Ok((path, FileEntry::Symlink(link_target(target)?))));
    for entry in texts.chain(encoded).chain(links) {
        let (path, entry) = entry?;
        check_path(&path)?;
        let twice = Flaw::at(&path, format!("`{}` is given twice", path.as_ref()));
        let below = Flaw::at(&path, format!("`{}` would lie in a file, or have files in it", path.as_ref()));
        if entries.keys().any(|other: &String| is_below(other, path.as_ref()) || is_below(path.as_ref(), other)) {
            return Err(below);
        }
        if entries.insert(path.into_inner(), entry).is_some() {
            return Err(twice);
        }
    }
    let (links, files): (Vec<_>, Vec<_>) =
        entries.into_iter().partition(|(_, entry)| matches!(entry, FileEntry::Symlink(_)));
    Ok(files.into_iter().chain(links).collect())
}

fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

fn without_nul(text: Spanned<String>) -> Result<String, Flaw> {
    if text.as_ref().contains('\0') {
        return Err(Flaw::at(&text, "no program can be given a text with a null character"));
    }
    Ok(text.into_inner())
}

fn variable((name, value): (Spanned<String>, Spanned<String>)) -> Result<(String, String), Flaw> {
    if name.as_ref().is_empty() || name.as_ref().contains(['=', '\0']) {
        return Err(Flaw::at(&name, "a variable's name is not empty and holds neither `=` nor a null character"));
    }
    Ok((name.into_inner(), without_nul(value)?))
}

fn link_target(target: Spanned<String>) -> Result<String, Flaw> {
    if target.as_ref().is_empty() || target.as_ref().len() > PATH_BYTES {
        return Err(Flaw::at(&target, format!("a link's target has 1 to {PATH_BYTES} bytes")));
    }
    without_nul(target)
}

fn check_stem(path: &Path) -> Result<&str, LoadError> {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let word = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    if stem.split('_').all(word) {
        return Ok(stem);
    }
    Err(LoadError::new(path, "a case's file is named by lower-case words joined by `_`, ending in .toml"))
}
