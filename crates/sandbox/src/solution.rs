//! The solution that a sandbox runs.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::Error;

/// The solution to run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Solution {
    /// Its folder. Programs see a read-only copy as `/solution`, made when the sandbox is opened,
    /// of all but what is an [`Exclusion`](slopbench_digest::Exclusion).
    pub dir: PathBuf,
    /// Files and folders that no program may see, wherever they lie: hidden cases above all. Those
    /// that do not exist are ignored. The solution may lie in one of them, and is shown
    /// nevertheless; none of them may lie in the solution, or be it.
    pub hide: Vec<PathBuf>,
    /// The virtual environment of the packages that it declares, shown read-only as [`ENVIRONMENT`](crate::ENVIRONMENT) and
    /// activated: its programs come first in `PATH`. In a container, its engine has to be on this machine.
    pub environment: Option<PathBuf>,
    /// A folder of files that are not the solution's and that it may read. Programs see a read-only copy as
    /// [`ASSETS`](crate::ASSETS), made as that of the solution.
    pub assets: Option<PathBuf>,
    /// Whether its folder is a copy that nobody but us has added to, such as one with its modules' bytecode: then all that lies
    /// there is shown.
    pub whole: bool,
}

impl Solution {
    /// The same without symbolic links.
    ///
    /// # Errors
    ///
    /// [`Error::Solution`] if its folder is not there, or if what no program may see lies in it; the others say what of the rest is not
    /// there.
    pub fn settle(&self) -> Result<Self, Error> {
        let real = |path: &Path| path.canonicalize();
        let wrong = |error: std::io::Error| Error::Solution { path: self.dir.clone(), cause: error.to_string() };
        let dir = real(&self.dir).map_err(wrong)?;
        let hide: Vec<PathBuf> = self.hide.iter().filter_map(|path| real(path).ok()).collect();
        // Leaving it out of the copy would not do: a folder that holds the cases is no solution, and
        // what else lies there may tell as much as they do.
        if let Some(hidden) = hide.iter().find(|hidden| hidden.starts_with(&dir)) {
            let cause = format!(
                "{} lies there, which no program may see; expected a folder with nothing but the solution",
                hidden.display()
            );
            return Err(Error::Solution { path: dir, cause });
        }
        let environment = self.environment.as_deref().map(|path| {
            let wrong = |error: std::io::Error| Error::Place { path: path.to_owned(), cause: error.to_string() };
            real(path).map_err(wrong)
        });
        let wrong = |path: &Path| Error::setup("find the assets", format!("{} is no folder", path.display()));
        let assets = self.assets.as_deref().map(|assets| match real(assets) {
            Ok(path) if path.is_dir() => Ok(path),
            _ => Err(wrong(assets)),
        });
        Ok(Self { dir, hide, environment: environment.transpose()?, assets: assets.transpose()?, whole: self.whole })
    }
}
