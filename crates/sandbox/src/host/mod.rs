//! No sandbox at all: the machine itself. Only by name, for those who trust a solution, and to
//! measure what a sandbox costs.

mod life;
mod serving;
mod work_folder;

use std::path::{Path, PathBuf};

use crate::record::ServiceTotal;
use crate::{Error, Observation, Play, Sandbox, Service, Task};

use life::Life;
use serving::Serving;
use work_folder::WorkFolder;

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
        let folder = WorkFolder::new(task)?;
        let mut record = ServiceTotal::default();
        let end = match Life::start(task, &task.env, &task.limits, &folder, &self.solution)? {
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
        folder.observe(task, end, record)
    }

    fn serve(&mut self, service: &Service, play: &mut Play<'_>) -> Result<Observation, Error> {
        let folder = WorkFolder::new(&service.task)?;
        let mut serving = Serving::start(service, &folder, &self.solution)?;
        play(&mut serving)?;
        let (end, record) = serving.stop()?;
        folder.observe(&service.task, end, record)
    }

    fn play_suite(
        &mut self,
        _: &crate::suite::Suite,
        _: &dyn Fn(&crate::suite::SuiteLayout<'_>) -> Vec<String>,
    ) -> Result<crate::suite::SuiteObservation, Error> {
        Err(Error::Task("this back end runs no test suites".into()))
    }
}
