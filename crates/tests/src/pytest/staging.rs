//! The folder that a suite is run from: what pytest sees of a problem at one checkpoint.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::{Component, Path, PathBuf},
};

use serde::Serialize;
use tempfile::TempDir;

use super::suite::PytestSuite;
use crate::Category;

/// Our own program, which runs pytest.
const RUNNER: &str = include_str!("runner.py");
pub(super) const RUNNER_FILE: &str = "runner.py";
pub(super) const INI_FILE: &str = "pytest.ini";
pub(super) const TESTS: &str = "tests";
/// What [`RUNNER`] is told beside its arguments.
const SETTINGS_FILE: &str = "settings.json";
/// Where assets lie, below [`TESTS`].
const ASSETS: &str = "assets";

/// The markers that every suite may use.
const MARKERS: [(&str, &str, Category); 3] = [
    ("error", "bad input", Category::Error),
    ("functionality", "the rest of the specification", Category::Functionality),
    ("regression", "earlier behaviour", Category::Regression),
];

/// A staged suite. Gone when this is.
#[derive(Debug)]
pub(super) struct Staging {
    folder: TempDir,
    /// What the solution sees as well, relative to the folder: assets, and data that tests hand over.
    pub(super) shared: Vec<PathBuf>,
    /// The assets among it.
    assets: Vec<PathBuf>,
    /// The names of the files of tests.
    pub(super) files: Vec<String>,
}

impl Staging {
    /// Stages the files of these checkpoints, and everything beside them that is no other checkpoint's.
    pub(super) fn new(suite: &PytestSuite, numbers: impl Iterator<Item = u32>) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("suite-").tempdir()?;
        let files: Vec<String> = numbers.filter_map(|number| Some(suite.checkpoint(number)?.file())).collect();
        let to = folder.path();
        fs::write(to.join(RUNNER_FILE), RUNNER)?;
        fs::write(to.join(INI_FILE), ini(suite))?;
        copy_tests(&suite.dir.join(TESTS), &to.join(TESTS), &files)?;
        let mut shared = Vec::new();
        for (name, path) in &suite.assets {
            let place = Path::new(TESTS).join(ASSETS).join(name);
            fs::create_dir_all(to.join(TESTS).join(ASSETS))?;
            copy(&suite.dir.join(path), &to.join(&place))?;
            shared.push(place);
        }
        let staging = Self { folder, assets: shared.clone(), shared, files };
        staging.leave_out(&[])?;
        Ok(staging)
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Shows the solution these data of the tests' as well. Says whether any of them was not shown before.
    pub(super) fn share(&mut self, handed: &BTreeSet<PathBuf>) -> bool {
        let is_inside = |path: &&PathBuf| path.components().all(|part| matches!(part, Component::Normal(_)));
        let is_shared = |path: &PathBuf, shared: &[PathBuf]| shared.iter().any(|other| path.starts_with(other));
        let before = self.shared.len();
        // Folders come before what lies in them.
        for path in handed.iter().filter(is_inside).filter(|path| path.components().count() > 1) {
            if !is_shared(path, &self.shared) && self.path().join(path).exists() {
                self.shared.push(path.clone());
            }
        }
        self.shared.len() > before
    }

    /// Leaves these tests out of the next session.
    pub(super) fn leave_out(&self, ids: &[String]) -> io::Result<()> {
        let settings = Settings { assets: &self.assets, shared: &self.shared, done: ids };
        fs::write(self.path().join(SETTINGS_FILE), serde_json::to_vec(&settings)?)
    }
}

/// What [`RUNNER`] reads. Where the folder lies in a sandbox, only the sandbox knows: paths are relative to it.
#[derive(Serialize)]
struct Settings<'a> {
    /// What the environment names to tests and solution.
    assets: &'a [PathBuf],
    /// What the solution sees.
    shared: &'a [PathBuf],
    /// Tests that an earlier session decided.
    done: &'a [String],
}

fn ini(suite: &PytestSuite) -> String {
    let own = suite.markers.iter().map(|(name, marker)| (name.as_str(), marker.description.as_str()));
    let common = MARKERS.iter().map(|(name, description, _)| (*name, *description));
    let markers: BTreeMap<&str, &str> = own.chain(common).collect();
    let lines: String = markers.iter().map(|(name, description)| format!("    {name}: {description}\n")).collect();
    format!("[pytest]\ntestpaths = {TESTS}\nmarkers =\n{lines}")
}

/// What the folder of tests holds, but for what is a file of tests and not among `files`.
fn copy_tests(from: &Path, to: &Path, files: &[String]) -> io::Result<()> {
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_test = name.starts_with("test_") && name.ends_with(".py") && entry.path().is_file();
        if name != CACHE && (!is_test || files.contains(&name)) {
            copy(&entry.path(), &to.join(&name))?;
        }
    }
    Ok(())
}

/// Python's own, which says nothing that its sources do not.
const CACHE: &str = "__pycache__";

impl PytestSuite {
    /// Copies the assets into the new folder `folder`, each by its name, and gives the variables that name them to tests and
    /// solutions, for somebody who sees that folder as `shown`.
    ///
    /// # Errors
    ///
    /// If one cannot be copied.
    pub fn hand_out(&self, folder: &Path, shown: &str) -> io::Result<BTreeMap<String, String>> {
        fs::create_dir_all(folder)?;
        let mut variables = BTreeMap::from([("SCBENCH_ASSETS_DIR".to_owned(), shown.to_owned())]);
        for (name, path) in &self.assets {
            copy(&self.dir.join(path), &folder.join(name))?;
            variables.insert(format!("SCBENCH_ASSET_{}", name.to_uppercase()), format!("{shown}/{name}"));
        }
        Ok(variables)
    }
}

/// Copies a file or a folder. Symbolic links are followed: what they lead to may not be there where the copy is seen.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", from.display()));
    if !from.is_dir() {
        return fs::copy(from, to).map(drop).map_err(named);
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).map_err(named)? {
        let entry = entry.map_err(named)?;
        if entry.file_name() != CACHE {
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
    }
    Ok(())
}

/// What a test of checkpoint `number` is about, played at `number`'s suite: by its file, then by its markers.
pub(super) fn category(suite: &PytestSuite, is_own: bool, markers: &[String]) -> Category {
    let has = |wanted: &str| markers.iter().any(|marker| marker == wanted);
    let common = |wanted: Category| MARKERS.iter().any(|(name, _, category)| *category == wanted && has(name));
    let own = || markers.iter().find_map(|marker| Some(suite.markers.get(marker)?.category));
    if !is_own {
        Category::Regression
    } else if common(Category::Error) {
        Category::Error
    } else if common(Category::Regression) {
        Category::Regression
    } else if let Some(category) = own() {
        category
    } else if common(Category::Functionality) {
        Category::Functionality
    } else {
        Category::Core
    }
}
