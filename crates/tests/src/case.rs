use std::{
    borrow::Borrow,
    collections::{BTreeMap, BTreeSet},
    fmt, mem,
    path::Path,
};

use serde::{Serialize, de::DeserializeOwned};
use slopbench_sandbox::{FileEntry, Limits, PORT_PLACE};
use toml::Spanned;

use crate::{
    LoadError,
    category::Category,
    error::Flaw,
    expect::{Expectations, decode_base64},
    expect_format::ExpectFile,
    format::{CASE_FORMAT, CaseFile, check_format, read},
    http::{HttpStep, Server, format::StepFile, steps},
    paths::{PATH_BYTES, check_path, folder},
    program_run::{ProgramRun, RunFile},
    sentences::{Tagged, covered},
    texts::{is_name, variable, without_nul},
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
    /// The tagged sentences of specifications that it checks, by [`Sentence::id`](crate::Sentence::id).
    pub covers: BTreeSet<String>,
    /// Added to the sandbox's fixed environment.
    pub env: BTreeMap<String, String>,
    /// What stands in the working folder.
    pub files: Vec<(String, FileEntry)>,
    /// The checkpoint's limits with the case's own over them.
    pub limits: Limits,
    /// What is done, and what is expected.
    pub(crate) action: CaseAction,
}

/// What a case does.
#[derive(Debug)]
pub(crate) enum CaseAction {
    /// Runs the program, once or several times in the same folder.
    Runs(Vec<ProgramRun>),
    /// Starts a server and talks to it.
    Service { args: Vec<String>, steps: Vec<HttpStep>, expect: Box<Expectations> },
}

/// What all cases of a checkpoint have in common.
#[derive(Clone, Copy)]
pub(crate) struct CaseSetting<'a> {
    pub(crate) checkpoint: u32,
    /// Given for servers.
    pub(crate) server: Option<&'a Server>,
    pub(crate) has_assets: bool,
    /// Up to its checkpoint.
    pub(crate) tagged: &'a Tagged,
    pub(crate) limits: Limits,
}

impl Case {
    /// Loads the case at `path`.
    pub(crate) fn load(path: &Path, setting: CaseSetting<'_>) -> Result<Self, LoadError> {
        let id = CaseId(format!("{}/{}", folder(setting.checkpoint), check_stem(path)?));
        match setting.server {
            None => Self::read(path, id, setting, program),
            Some(server) => Self::read(path, id, setting, |file: &mut CaseFile<_>, _| service(file, server)),
        }
    }

    fn read<Step: DeserializeOwned>(
        path: &Path,
        id: CaseId,
        setting: CaseSetting<'_>,
        action: impl FnOnce(&mut CaseFile<Step>, &Limits) -> Result<CaseAction, Flaw>,
    ) -> Result<Self, LoadError> {
        let (file, text) = read(path)?;
        Self::new(id, setting, file, action).map_err(|flaw| flaw.in_file(path, &text))
    }

    fn new<Step>(
        id: CaseId,
        setting: CaseSetting<'_>,
        mut file: CaseFile<Step>,
        action: impl FnOnce(&mut CaseFile<Step>, &Limits) -> Result<CaseAction, Flaw>,
    ) -> Result<Self, Flaw> {
        check_format(&file.format, CASE_FORMAT)?;
        if file.title.as_ref().trim().is_empty() {
            return Err(Flaw::at(&file.title, "say in one sentence what is checked"));
        }
        let limits = file.limits.over(setting.limits)?;
        let action = action(&mut file, &limits)?;
        let case = Self {
            id,
            checkpoint: setting.checkpoint,
            title: file.title.as_ref().clone(),
            category: own_category(file.category)?,
            covers: covered(file.covers, &folder(setting.checkpoint), setting.tagged)?,
            env: file.env.into_iter().map(variable).collect::<Result<_, _>>()?,
            files: inputs(file.files, file.files_base64, file.symlinks)?,
            limits,
            action,
        };
        if !setting.has_assets && case.inputs().any(|text| text.contains(ASSETS_PLACE)) {
            let message = format!("{ASSETS_PLACE} stands for the problem's assets, and problem.toml names none");
            return Err(Flaw::at(&file.title, message));
        }
        Ok(case)
    }

    /// Every argument and every variable's value.
    fn inputs(&self) -> impl Iterator<Item = &String> {
        let (runs, args) = match &self.action {
            CaseAction::Runs(runs) => (runs.as_slice(), [].as_slice()),
            CaseAction::Service { args, .. } => ([].as_slice(), args.as_slice()),
        };
        let of_runs = runs.iter().flat_map(|run| run.args.iter().chain(run.env.values()));
        of_runs.chain(args).chain(self.env.values())
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

/// What stands for the folder of the problem's assets in arguments and variables.
pub(crate) const ASSETS_PLACE: &str = "{assets}";

/// Of a program, runs that are expected to end in some way.
fn program(file: &mut CaseFile<RunFile>, limits: &Limits) -> Result<CaseAction, Flaw> {
    let (stdin, signal, expect) = (file.stdin.take(), file.signal.take(), file.expect.take());
    let args = mem::take(&mut file.args);
    let Some(steps) = file.steps.take() else {
        let expect = Some(expect.ok_or_else(|| Flaw::at(&file.title, "missing [expect]: say what must come out"))?);
        let stdin = stdin.map(Spanned::into_inner).unwrap_or_default();
        let run = RunFile { args, stdin, env: BTreeMap::new(), signal, expect };
        return Ok(CaseAction::Runs(vec![ProgramRun::new(String::new(), run, limits)?]));
    };
    if steps.as_ref().is_empty() || !args.is_empty() || stdin.is_some() || signal.is_some() || expect.is_some() {
        let message =
            "each of the [[steps]] has args, stdin, signal and expect of its own; beside them, the case has none";
        return Err(Flaw::at(&steps, message));
    }
    ProgramRun::steps(steps, limits).map(CaseAction::Runs)
}

/// Of a server, steps, and perhaps files in the end.
fn service(file: &mut CaseFile<Spanned<StepFile>>, server: &Server) -> Result<CaseAction, Flaw> {
    let Some(files) = file.steps.take().filter(|files| !files.as_ref().is_empty()) else {
        return Err(Flaw::at(&file.title, "missing [[steps]]: say what the server is asked"));
    };
    if let Some(stdin) = &file.stdin {
        return Err(Flaw::at(stdin, "a server is asked by [[steps]] and has no stdin"));
    }
    if let Some(signal) = &file.signal {
        return Err(Flaw::at(signal, "a server is stopped, or restarted by a step: signals are for other programs"));
    }
    let ends = |expect: &ExpectFile| expect.exit_code.is_some() || expect.signal.is_some();
    if let Some(expect) = file.expect.as_ref().filter(|expect| ends(expect.as_ref())) {
        return Err(Flaw::at(expect, "a server has no exit code: it is stopped"));
    }
    let args: Vec<_> = mem::take(&mut file.args).into_iter().map(without_nul).collect::<Result<_, _>>()?;
    let mut told = args.iter().chain(file.env.values().map(Spanned::as_ref));
    if server.port_variable.is_none() && !told.any(|text| text.contains(PORT_PLACE)) {
        let message =
            "the server is not told its port: give [server] port_variable, or {port} in the case's args or env";
        return Err(Flaw::at(&file.title, message));
    }
    let expect = file.expect.take().map(Expectations::new).transpose()?.unwrap_or_default();
    Ok(CaseAction::Service { args, steps: steps(files.into_inner())?, expect: Box::new(expect) })
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

fn link_target(target: Spanned<String>) -> Result<String, Flaw> {
    if target.as_ref().is_empty() || target.as_ref().len() > PATH_BYTES {
        return Err(Flaw::at(&target, format!("a link's target has 1 to {PATH_BYTES} bytes")));
    }
    without_nul(target)
}

fn check_stem(path: &Path) -> Result<&str, LoadError> {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    if is_name(stem) {
        return Ok(stem);
    }
    Err(LoadError::new(path, "a case's file is named by lower-case words joined by `_`, ending in .toml"))
}
