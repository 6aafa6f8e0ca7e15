use std::path::{Path, PathBuf};

use slopbench_tests::{LoadError, Problem, problem};

use crate::Error;

/// A clone of this repository: problems, rules and archived artifacts.
#[derive(Clone, Debug)]
pub struct Repository {
    /// The folder that holds `problems`, or what is in place of one.
    pub root: PathBuf,
    /// Other folders of problems than that, if any were named.
    problems: Vec<PathBuf>,
}

impl Repository {
    /// Where the analyzer's own rules lie, relative to the root.
    pub const RULES: &str = "crates/metrics/rules/python";

    /// The repository at `root` itself.
    ///
    /// # Errors
    ///
    /// [`Error::Root`] if there is no such folder, or no `problems` in it.
    pub fn at(root: &Path) -> Result<Self, Error> {
        let flaw = |message: String| Error::Root { path: root.to_path_buf(), message };
        let real = root.canonicalize().map_err(|error| flaw(error.to_string()))?;
        match real.join("problems").is_dir() {
            true => Ok(Self { root: root.to_path_buf(), problems: Vec::new() }),
            false => Err(flaw("it has no `problems` folder".to_owned())),
        }
    }

    /// The repository that `start` lies in.
    ///
    /// # Errors
    ///
    /// [`Error::NoRepository`] if neither it nor a folder above it has a `problems` folder.
    pub fn find(start: &Path) -> Result<Self, Error> {
        let found = start.ancestors().find(|folder| folder.join("problems").is_dir());
        let here = |root: &Path| Self { root: root.to_path_buf(), problems: Vec::new() };
        found.map(here).ok_or_else(|| Error::NoRepository(start.to_path_buf()))
    }

    /// No repository but this folder, with problems elsewhere.
    pub fn without_problems(root: &Path) -> Self {
        Self { root: root.to_path_buf(), problems: Vec::new() }
    }

    /// The same with the problems in these folders in place of its own. Either format will do: see
    /// [`Problem::load`](slopbench_tests::Problem::load).
    ///
    /// # Errors
    ///
    /// [`Error::Root`] if one is not there.
    pub fn with_problems(self, folders: &[PathBuf]) -> Result<Self, Error> {
        for folder in folders {
            if !folder.is_dir() {
                let message = "it is no folder of problems".to_owned();
                return Err(Error::Root { path: folder.clone(), message });
            }
        }
        Ok(Self { problems: folders.to_vec(), ..self })
    }

    /// Whether the root holds problems of its own, rather than being where someone happens to work.
    pub fn is_clone(&self) -> bool {
        self.root.join("problems").is_dir()
    }

    /// The folders of problems.
    pub fn problems_dirs(&self) -> Vec<PathBuf> {
        match self.problems.as_slice() {
            [] => vec![self.root.join("problems")],
            named => named.to_vec(),
        }
    }

    /// Whether a problem lies in the repository itself.
    pub fn is_own(&self, problem: &Problem) -> bool {
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        real(&problem.dir).starts_with(real(&self.root.join("problems")))
    }

    /// The folder of the problem called `name`, whatever is in it; `None` if there is none, or several.
    pub fn problem_dir(&self, name: &str) -> Option<PathBuf> {
        let dirs = self.problems_dirs().into_iter().map(|dir| dir.join(name));
        let mut found = dirs.filter(|dir| !name.contains('/') && dir.is_dir());
        found.next().filter(|_| found.next().is_none())
    }

    /// Every problem, by name.
    ///
    /// # Errors
    ///
    /// [`Error::Load`] with the first flaw that is found.
    pub fn problems(&self) -> Result<Vec<Problem>, Error> {
        let mut problems: Vec<Problem> = Vec::new();
        for dir in self.problems_dirs() {
            problems.extend(problem::load_all(&dir)?);
        }
        problems.sort_by(|a, b| a.name.cmp(&b.name));
        match problems.windows(2).find(|pair| matches!(pair, [a, b] if a.name == b.name)) {
            Some([first, second]) => Err(twice(&first.dir, &second.dir)),
            _ => Ok(problems),
        }
    }

    /// The problem called `name`.
    ///
    /// # Errors
    ///
    /// [`Error::Load`] if there is none, or with the first flaw that is found in it.
    pub fn problem(&self, name: &str) -> Result<Problem, Error> {
        let dirs: Vec<_> = self.problems_dirs().into_iter().map(|dir| dir.join(name)).collect();
        let mut found = dirs.iter().filter(|dir| !name.contains('/') && dir.is_dir());
        match (found.next(), found.next()) {
            (Some(dir), None) => Ok(Problem::load(dir)?),
            (Some(first), Some(second)) => Err(twice(first, second)),
            (None, _) => Err(LoadError {
                path: dirs.into_iter().next().unwrap_or_default(),
                line: None,
                message: format!(
                    "there is no problem `{name}`; `slopbench problems list` names them all, and --problems \
                     other folders of problems"
                ),
            }
            .into()),
        }
    }

    /// The folders of archived artifacts, by name; recorded runs of agents, which have none of their files, are not among
    /// them.
    ///
    /// # Errors
    ///
    /// [`Error::Artifact`] if the folder `artifacts` cannot be read.
    pub fn artifacts(&self) -> Result<Vec<PathBuf>, Error> {
        let dir = self.root.join("artifacts");
        let failed = |source: std::io::Error| Error::Artifact {
            path: dir.clone(),
            line: None,
            message: format!("cannot be read: {source}"),
        };
        let entries = std::fs::read_dir(&dir).map_err(failed)?;
        let mut folders = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, _>>().map_err(failed)?;
        folders.retain(|path| path.is_dir() && !path.join("replay.toml").is_file());
        folders.sort();
        Ok(folders)
    }
}

/// Two problems of one name, which results could not tell apart.
fn twice(first: &Path, second: &Path) -> Error {
    let message = format!("{} is a problem of the same name: name one of their folders only", second.display());
    LoadError { path: first.to_path_buf(), line: None, message }.into()
}
