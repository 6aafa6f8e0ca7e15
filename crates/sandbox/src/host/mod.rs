//! No sandbox at all: the machine itself. Only by name, for those who trust a solution, and to
//! measure what a sandbox costs.

mod life;
mod serving;

use std::fs;
use std::path::{Path, PathBuf};

use nix::unistd::{getegid, geteuid};
use tempfile::TempDir;

use crate::folder::{Folder, Owner, check_relative};
use crate::record::Record;
use crate::{End, Error, Observation, Play, Sandbox, Service, Task};

use life::Life;
use serving::Serving;

/// Runs tasks on the machine itself, in a temporary folder.
///
/// The program can do whatever the caller can. Of the limits, only wall clock and output are kept,
/// and processes that leave the program's process group survive it.
#[derive(Debug)]
pub struct Host {
    solution: PathBuf,
}

impl Host {
    /// Runs this solution where it lies.
    ///
    /// # Errors
    ///
    /// [`Error::Solution`] if there is no such folder.
    pub fn open(solution: &Path) -> Result<Self, Error> {
        match solution.canonicalize() {
            Ok(path) if path.is_dir() => Ok(Self { solution: path }),
            Ok(path) => Err(Error::Solution { path, cause: "expected a folder".into() }),
            Err(error) => Err(Error::Solution { path: solution.to_owned(), cause: error.to_string() }),
        }
    }
}

impl Sandbox for Host {
    fn solution(&self) -> &Path {
        &self.solution
    }

    fn run(&mut self, task: &Task) -> Result<Observation, Error> {
        let place = Place::new(task)?;
        let mut record = Record::default();
        let end = match Life::start(task, &task.env, &task.limits, &place, &self.solution)? {
            Err(end) => end,
            Ok(mut life) => {
                let stopped = loop {
                    if let Some(over) = life.step(&[], None)? {
                        break over;
                    }
                };
                life.finish(stopped, &mut record)?
            }
        };
        place.observe(task, end, record)
    }

    fn serve(&mut self, service: &Service, play: &mut Play<'_>) -> Result<Observation, Error> {
        let place = Place::new(&service.task)?;
        let mut serving = Serving::start(service, &place, &self.solution)?;
        play(&mut serving)?;
        let (end, record) = serving.stop()?;
        place.observe(&service.task, end, record)
    }
}

/// Where a task runs. Gone when this is.
struct Place {
    home: TempDir,
    work: PathBuf,
    folder: Folder,
}

impl Place {
    fn new(task: &Task) -> Result<Self, Error> {
        task.collect.iter().try_for_each(|path| check_relative(path))?;
        let home = tempfile::tempdir().map_err(|error| Error::setup("make a temporary folder", error))?;
        let work = home.path().join("work");
        fs::create_dir(&work).map_err(|error| Error::setup("make a temporary folder", error))?;
        let owner = Owner { uid: geteuid(), gid: getegid() };
        let folder = Folder::open(&work, owner).map_err(|errno| Error::setup("open the working folder", errno))?;
        folder.fill(&task.files)?;
        Ok(Self { home, work, folder })
    }

    fn observe(&self, task: &Task, end: End, record: Record) -> Result<Observation, Error> {
        let files = self.folder.collect(&task.collect, task.limits.output)?;
        let Record { stdout, stderr, usage, .. } = record;
        Ok(Observation { end, stdout, stderr, files, usage })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // The folder's own end recurses, and what a program left may be of any depth.
        let _ = slopbench_walk::remove(self.home.path());
    }
}
