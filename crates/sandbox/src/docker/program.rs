//! The worker as a container gets it: with its own C library, as the image may have an older one, or none.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use bollard::models::Mount;

use super::options::bind;
use super::pack;
use crate::Error;
use crate::worker_program::{WORKER, WorkerProgram};

/// Where it lies in a container.
pub(super) const FOLDER: &str = "/slopbench";

/// The worker and what it is linked against.
pub(super) struct WorkerFiles {
    /// Each file of this machine, by its name in [`FOLDER`].
    files: Vec<(String, PathBuf)>,
    /// What loads the worker; nothing if the kernel does.
    loader: Option<String>,
}

impl WorkerFiles {
    /// That of this machine.
    pub(super) fn find() -> Result<Self, Error> {
        let worker = WorkerProgram::find()?;
        let libraries = worker.libraries()?;
        let wrong = |path: &Path, cause: String| Error::WorkerStart { path: path.to_owned(), cause };
        let real = |path: &Path| fs::canonicalize(path).map_err(|error| wrong(path, error.to_string()));
        let mut files = vec![(WORKER.to_owned(), real(&worker.path)?)];
        for path in &libraries {
            let name = path.file_name().and_then(|name| name.to_str());
            let name = name.ok_or_else(|| wrong(path, "expected a file with a name".into()))?;
            files.push((name.to_owned(), real(path)?));
        }
        let loader = files.get(1).map(|(name, _)| name.clone());
        Ok(Self { files, loader })
    }

    /// How it is called.
    pub(super) fn command(&self) -> Vec<String> {
        let worker = format!("{FOLDER}/{WORKER}");
        match &self.loader {
            Some(loader) => vec![format!("{FOLDER}/{loader}"), "--library-path".into(), FOLDER.into(), worker],
            None => vec![worker],
        }
    }

    /// As a tar file.
    pub(super) fn pack(&self) -> io::Result<Vec<u8>> {
        pack::programs(&self.files)
    }

    /// Shown from where it lies on this machine.
    pub(super) fn mounts(&self) -> impl Iterator<Item = Mount> {
        self.files.iter().map(|(name, path)| bind(path, &format!("{FOLDER}/{name}"), true))
    }
}
