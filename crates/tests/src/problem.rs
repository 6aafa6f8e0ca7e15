//! A problem's folder, loaded and checked as a whole. `problems/README.md` explains the format to authors.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, FileType},
    mem,
    path::{Path, PathBuf},
};

use globset::GlobBuilder;
use serde::Serialize;
use slopbench_digest::{Exclusion, Listing, ReadError, Sha256};
use toml::Spanned;

use crate::{
    Case, Category, Entry, Harness, LoadError, Selection, Sentence, Track,
    case::CaseSetting,
    error::Flaw,
    format::{DEFAULT_LIMITS, PROBLEM_FORMAT, ProblemFile, SupersededFile, check_format, read},
    http::{Server, format::ServerFile},
    paths::{check_path, folder},
    pytest,
    sentences::{Tagged, read_specification},
};

pub use crate::kind::ProblemKind;

/// Where solutions lie: reference solutions, ours and in SlopCodeBench's format either, and hasty ones.
const SOLUTIONS: [&str; 3] = ["solution", "solutions", HASTY];

/// Where a solution that was written in haste lies.
const HASTY: &str = "hasty";

/// The text of a checkpoint's specification, in its folder.
const SPECIFICATION: &str = "spec.md";

/// What authors keep beside a problem for each other: no result depends on it.
const NOTES: [&str; 2] = ["notes.md", "equivalents.toml"];

/// A problem: checkpoints [C_1, …, C_n], each a specification and a test suite (paper, section 2.2).
#[derive(Debug)]
pub struct Problem {
    /// The folder's name.
    pub name: String,
    /// Where it was loaded from.
    pub dir: PathBuf,
    /// For people.
    pub title: String,
    /// How a solution is tried.
    pub harness: Harness,
    /// What starts a solution, in the track in which the problem is asked.
    pub entry: Entry,
    /// The folder that agents and solutions find beside their own, read-only.
    pub assets: Option<PathBuf>,
    /// For people.
    pub tags: Vec<String>,
    /// In order; never empty.
    pub checkpoints: Vec<Checkpoint>,
}

/// One checkpoint of a problem.
#[derive(Debug)]
pub struct Checkpoint {
    /// From 1.
    pub number: u32,
    /// For people.
    pub title: String,
    /// All that the agent is told, as it is written but for tags: see [`Problem::specification`].
    pub spec: String,
    /// Its tagged sentences, in their order.
    pub sentences: Vec<Sentence>,
    /// The cases it introduces, sorted by identifier; none where the problem's [`Harness`] is pytest.
    pub cases: Vec<Case>,
    /// Earlier cases that this specification makes wrong.
    pub supersedes: Vec<Superseded>,
}

/// A case that a later checkpoint makes wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Superseded {
    /// The case's identifier.
    pub case: String,
    /// Why it no longer holds.
    pub reason: String,
}

impl Problem {
    /// Loads the problem in `dir`: of our own format, or of SlopCodeBench's where it has a `config.yaml` instead.
    ///
    /// # Errors
    ///
    /// The first flaw that is found, with its file and line.
    pub fn load(dir: &Path) -> Result<Self, LoadError> {
        let path = dir.join("problem.toml");
        if !path.exists() && dir.join(pytest::CONFIG).exists() {
            return pytest::load(dir).map(|loaded| Self::of_suite(dir, loaded));
        }
        let (file, text) = read::<ProblemFile>(&path)?;
        let in_file = |flaw: Flaw| flaw.in_file(&path, &text);
        check_format(&file.format, PROBLEM_FORMAT).map_err(in_file)?;
        check_entry(&file.entry).map_err(in_file)?;
        if file.checkpoints.as_ref().is_empty() {
            return Err(in_file(Flaw::at(&file.checkpoints, "a problem has at least one checkpoint")));
        }
        let harness = harness(file.kind, file.server).map_err(in_file)?;
        let assets = file.assets.map(|folder| assets(dir, folder)).transpose().map_err(in_file)?;
        let limits = file.limits.over(DEFAULT_LIMITS).map_err(in_file)?;
        let (mut checkpoints, mut tagged): (Vec<Checkpoint>, _) = (Vec::new(), Tagged::new());
        for (number, checkpoint) in (1..).zip(file.checkpoints.into_inner()) {
            let supersedes = superseded(&checkpoints, &checkpoint.supersedes).map_err(in_file)?;
            let limits = checkpoint.limits.over(limits).map_err(in_file)?;
            let (server, has_assets) = (harness.server(), assets.is_some());
            let (spec, sentences) = read_specification(&dir.join(folder(number)).join(SPECIFICATION), &folder(number))?;
            tagged.extend(sentences.iter().map(|sentence| (sentence.id.clone(), sentence.line)));
            let setting = CaseSetting { checkpoint: number, server, has_assets, tagged: &tagged, limits };
            let cases = load_cases(&dir.join(folder(number)).join("cases"), setting)?;
            checkpoints.push(Checkpoint { number, title: checkpoint.title, spec, sentences, cases, supersedes });
        }
        check_folders(dir, checkpoints.len())?;
        let name = dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let entry = Entry { name: file.entry.into_inner(), track: Track::default() };
        let (title, tags) = (file.title, file.tags);
        Ok(Self { name, dir: dir.to_path_buf(), title, harness, entry, assets, tags, checkpoints })
    }

    fn of_suite(dir: &Path, loaded: pytest::Loaded) -> Self {
        let pytest::Loaded { title, entry, tags, checkpoints, suite } = loaded;
        let checkpoint = |(number, (title, spec))| Checkpoint {
            number,
            title,
            spec,
            sentences: Vec::new(),
            cases: Vec::new(),
            supersedes: Vec::new(),
        };
        let checkpoints = (1..).zip(checkpoints).map(checkpoint).collect();
        let name = dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (dir, harness) = (dir.to_path_buf(), Harness::Pytest(suite));
        let entry = Entry { name: entry, track: Track::default() };
        // What its suite has of assets is the suite's own.
        Self { name, dir, title, harness, entry, assets: None, tags, checkpoints }
    }

    /// The same problem, asked in this track; [`Problem::load`] asks in Python's.
    #[must_use]
    pub fn in_track(mut self, track: Track) -> Self {
        self.entry.track = track;
        self
    }

    /// The names of what agents and solutions are given, in their order.
    pub fn asset_names(&self) -> Vec<String> {
        if let Some(suite) = self.harness.pytest() {
            return suite.assets().map(str::to_owned).collect();
        }
        let entries = self.assets.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
        let mut names: Vec<_> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// The checkpoint `number`, from 1.
    pub fn checkpoint(&self, number: u32) -> Option<&Checkpoint> {
        self.checkpoints.iter().find(|checkpoint| checkpoint.number == number)
    }

    /// The cases of checkpoint `number`: its own and, as regression cases, all earlier ones that no checkpoint up to it
    /// supersedes. Sorted by checkpoint, then identifier.
    pub fn suite(&self, number: u32) -> Vec<&Case> {
        let reached = || self.checkpoints.iter().filter(move |checkpoint| checkpoint.number <= number);
        let superseded: BTreeSet<&str> = reached()
            .flat_map(|checkpoint| &checkpoint.supersedes)
            .map(|superseded| superseded.case.as_str())
            .collect();
        let cases = reached().flat_map(|checkpoint| &checkpoint.cases);
        cases.filter(|case| !superseded.contains(case.id.as_str())).collect()
    }

    /// How much of checkpoint `number` is played: cases, or functions that are tests, of which those with parameters are several.
    pub fn size(&self, number: u32, selection: Selection) -> usize {
        let is_own_core = |case: &&Case| case.checkpoint == number && case.category == Category::Core;
        match (&self.harness, selection) {
            (Harness::Pytest(suite), Selection::Suite) => suite.played_at(number).map(|one| suite.functions(one)).sum(),
            (Harness::Pytest(suite), Selection::OwnCore) => suite.functions(number),
            (_, Selection::Suite) => self.suite(number).len(),
            (_, Selection::OwnCore) => self.suite(number).into_iter().filter(is_own_core).count(),
        }
    }

    /// The folder of the reference solution of checkpoint `number`, in the problem's track.
    pub fn reference(&self, number: u32) -> PathBuf {
        match &self.harness {
            Harness::Pytest(suite) => suite.reference(&self.dir, number),
            Harness::Program | Harness::Server(_) => {
                self.dir.join("solution").join(self.entry.track.definition().name).join(folder(number))
            }
        }
    }

    /// The folder of the hasty solution of checkpoint `number`, in Python: it passes every case, too, and is there to be measured
    /// beside the reference. Few problems have one.
    pub fn hasty(&self, number: u32) -> PathBuf {
        self.dir.join(HASTY).join(folder(number))
    }

    /// The command that runs the solution in `folder`, without a case's arguments.
    pub fn command(&self, folder: &Path) -> Vec<String> {
        self.entry.command(folder)
    }

    /// What the agent is told of the checkpoint `number`, with the entry of the problem's track; `None` if there is none.
    pub fn specification(&self, number: u32) -> Option<String> {
        Some(self.entry.specification(&self.checkpoint(number)?.spec))
    }

    /// Every file of the problem, reference solutions among them, by its path below the folder of problems; not its
    /// authors' notes, `notes.md` and `equivalents.toml`.
    ///
    /// # Errors
    ///
    /// A file that cannot be read.
    pub fn listing(&self) -> Result<Listing, ReadError> {
        let mut listing = Listing::of_dir(&self.dir, &self.name)?;
        let notes = NOTES.map(|note| format!("{}/{note}", self.name));
        listing.0.retain(|path, _| !notes.contains(path));
        Ok(listing)
    }

    /// What [`Problem::listing`] has, without the texts of specifications: how a solution fares does not depend on these.
    ///
    /// # Errors
    ///
    /// As for [`Problem::listing`].
    pub fn played_listing(&self) -> Result<Listing, ReadError> {
        let mut listing = self.listing()?;
        for checkpoint in &self.checkpoints {
            listing.0.remove(&format!("{}/{}/{SPECIFICATION}", self.name, folder(checkpoint.number)));
        }
        Ok(listing)
    }

    /// The digest of what is asked of a solution: specifications, cases and limits, but no solution, reference or hasty.
    ///
    /// # Errors
    ///
    /// As for [`Problem::listing`].
    pub fn digest(&self) -> Result<Sha256, ReadError> {
        let mut listing = self.listing()?;
        let solutions = SOLUTIONS.map(|folder| format!("{}/{folder}/", self.name));
        listing.0.retain(|path, _| !solutions.iter().any(|folder| path.starts_with(folder)));
        Ok(listing.digest())
    }
}

/// A server's particulars go with its kind.
fn harness(kind: Spanned<ProblemKind>, file: Option<Spanned<ServerFile>>) -> Result<Harness, Flaw> {
    match (kind.as_ref(), file) {
        (ProblemKind::Cli, None) => Ok(Harness::Program),
        (ProblemKind::Cli, Some(file)) => Err(Flaw::at(&file, "[server] goes with kind = \"http\"")),
        (ProblemKind::Http, Some(file)) => Ok(Harness::Server(Server::new(file.into_inner())?)),
        (ProblemKind::Http, None) => Err(Flaw::at(&kind, "kind \"http\" needs [server], with port_variable and ready")),
    }
}

/// The folder of assets, with nothing in it that a copy would leave out.
fn assets(dir: &Path, folder: Spanned<String>) -> Result<PathBuf, Flaw> {
    check_path(&folder)?;
    let path = dir.join(folder.as_ref());
    let own = ["checkpoint_", "solution", HASTY].iter().any(|own| folder.as_ref().starts_with(own));
    if own || !path.is_dir() {
        let message = format!("`{}` is no folder of assets: expected one beside problem.toml", folder.as_ref());
        return Err(Flaw::at(&folder, message));
    }
    let mut folders = vec![path.clone()];
    while let Some(next) = folders.pop() {
        let entries = fs::read_dir(&next).map_err(|error| Flaw::at(&folder, format!("{}: {error}", next.display())))?;
        for entry in entries.flatten() {
            let kind = entry.file_type().ok();
            let is_plain = kind.is_some_and(|kind| kind.is_dir() || kind.is_file());
            if !is_plain || Exclusion::of_name(entry.file_name().as_encoded_bytes()).is_some() {
                let message = "is no asset: expected files and folders, and no names of caches or environments";
                return Err(Flaw::at(&folder, format!("{} {message}", entry.path().display())));
            }
            folders.extend(kind.filter(FileType::is_dir).map(|_| entry.path()));
        }
    }
    Ok(path)
}

fn load_cases(dir: &Path, setting: CaseSetting<'_>) -> Result<Vec<Case>, LoadError> {
    let mut cases: Vec<Case> = Vec::new();
    for path in sorted_entries(dir)? {
        if path.extension().is_none_or(|extension| extension != "toml") {
            return Err(LoadError::new(&path, "a folder of cases holds .toml files only"));
        }
        cases.push(Case::load(&path, setting)?);
    }
    if !cases.iter().any(|case| case.category == Category::Core) {
        return Err(LoadError::new(dir, "a checkpoint has at least one case of category core"));
    }
    cases.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(cases)
}

fn sorted_entries(dir: &Path) -> Result<Vec<PathBuf>, LoadError> {
    let failed = |error| LoadError::read(dir, &error);
    let entries = fs::read_dir(dir).map_err(failed)?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, _>>().map_err(failed)?;
    paths.sort();
    Ok(paths)
}

/// The cases that a checkpoint makes wrong, each by name: a pattern stands for all that match it and still hold.
fn superseded(earlier: &[Checkpoint], files: &[SupersededFile]) -> Result<Vec<Superseded>, Flaw> {
    let mut known: BTreeMap<&str, bool> = BTreeMap::new();
    known.extend(earlier.iter().flat_map(|checkpoint| &checkpoint.cases).map(|case| (case.id.as_str(), true)));
    for gone in earlier.iter().flat_map(|checkpoint| &checkpoint.supersedes) {
        known.insert(&gone.case, false);
    }
    let mut superseded = Vec::new();
    for SupersededFile { case, reason } in files {
        let glob = GlobBuilder::new(case.as_ref()).literal_separator(true).build();
        let glob = glob.map_err(|error| Flaw::at(case, error.to_string()))?.compile_matcher();
        let mut matching = known.iter_mut().filter(|(id, _)| glob.is_match(id)).peekable();
        if matching.peek().is_none() {
            return Err(Flaw::at(case, "no case of an earlier checkpoint has this identifier"));
        }
        let holding: Vec<_> = matching.filter_map(|(id, holds)| mem::take(holds).then_some(*id)).collect();
        if holding.is_empty() {
            return Err(Flaw::at(case, "this case is superseded already"));
        }
        if reason.as_ref().trim().is_empty() {
            return Err(Flaw::at(reason, "say why the case no longer holds"));
        }
        let named = holding.into_iter().map(|id| Superseded { case: id.to_owned(), reason: reason.as_ref().clone() });
        superseded.extend(named);
    }
    Ok(superseded)
}

/// Refuses checkpoint folders that problem.toml does not list.
fn check_folders(dir: &Path, checkpoints: usize) -> Result<(), LoadError> {
    for path in sorted_entries(dir)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let number = name.strip_prefix("checkpoint_").map(|number| number.parse::<usize>().unwrap_or(0));
        if number.is_some_and(|number| number == 0 || number > checkpoints) {
            return Err(LoadError::new(
                &path,
                format!("problem.toml lists {checkpoints} checkpoints; list this one too"),
            ));
        }
    }
    Ok(())
}

/// An entry has no ending: the track gives it one.
fn check_entry(entry: &Spanned<String>) -> Result<(), Flaw> {
    check_path(entry)?;
    let file = entry.as_ref().rsplit('/').next().unwrap_or_default();
    match file.split_once('.') {
        None => Ok(()),
        Some((name, _)) => {
            Err(Flaw::at(entry, format!("entry is `{file}`: write `{name}`, the ending is that of the track")))
        }
    }
}

/// Loads every problem below `dir`, sorted by name.
///
/// # Errors
///
/// The first flaw that is found, with its file and line.
pub fn load_all(dir: &Path) -> Result<Vec<Problem>, LoadError> {
    let is_hidden = |path: &Path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
    let folders = sorted_entries(dir)?.into_iter().filter(|path| path.is_dir() && !is_hidden(path));
    folders.map(|path| Problem::load(&path)).collect()
}
