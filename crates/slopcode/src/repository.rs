use std::path::{Path, PathBuf};

use slopbench_tests::{LoadError, Problem, problem};

use crate::Error;

/// A clone of this repository: problems, rules and archived artifacts.
#[derive(Clone, Debug)]
pub struct Repository {
    /// The folder that holds `problems`.
    pub root: PathBuf,
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
            true => Ok(Self { root: root.to_path_buf() }),
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
        found.map(|root| Self { root: root.to_path_buf() }).ok_or_else(|| Error::NoRepository(start.to_path_buf()))
    }

    /// The folder of problems.
    pub fn problems_dir(&self) -> PathBuf {
        self.root.join("problems")
    }

    /// Every problem, by name.
    ///
    /// # Errors
    ///
    /// [`Error::Load`] with the first flaw that is found.
    pub fn problems(&self) -> Result<Vec<Problem>, Error> {
        Ok(problem::load_all(&self.problems_dir())?)
    }

    /// The problem called `name`.
    ///
    /// # Errors
    ///
    /// [`Error::Load`] if there is none, or with the first flaw that is found in it.
    pub fn problem(&self, name: &str) -> Result<Problem, Error> {
        let dir = self.problems_dir().join(name);
        if name.contains('/') || !dir.is_dir() {
            return Err(LoadError {
                path: dir,
                line: None,
                message: format!("there is no problem `{name}`; `slopbench problems list` names them all"),
            }
            .into());
        }
        Ok(Problem::load(&dir)?)
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
