//! No sandbox at all: the machine itself. Only by name, for those who trust a solution, and to
//! measure what a sandbox costs.

mod life;
mod serving;
mod suite;
mod work_folder;

use std::path::Path;
use std::slice;

use crate::record::ServiceTotal;
use crate::suite::{Suite, SuiteLayout, SuiteObservation};
use crate::task::in_turn;
use crate::{ASSETS, Error, Observation, Play, Sandbox, Service, Solution, Task};

use life::Life;
use serving::Serving;
use work_folder::WorkFolder;

/// Runs tasks on the machine itself, in a temporary folder.
///
/// The program can do whatever the caller can. Of the limits, only wall clock and output are kept,
/// and processes that leave the program's process group survive it.
#[derive(Debug)]
pub struct Host {
    solution: Solution,
}

impl Host {
    /// Runs this solution where it lies, with its environment and its assets where those lie. Nothing is hidden.
    ///
    /// # Errors
    ///
    /// [`Error::Solution`] if there is no such folder.
    pub fn open(solution: &Solution) -> Result<Self, Error> {
        let solution = solution.settle()?;
        match solution.dir.is_dir() {
            true => Ok(Self { solution }),
            false => Err(Error::Solution { path: solution.dir, cause: "expected a folder".into() }),
        }
    }
}

impl Sandbox for Host {
    fn solution(&self) -> &Path {
        &self.solution.dir
    }

    fn assets(&self) -> &Path {
        self.solution.assets.as_deref().unwrap_or(Path::new(ASSETS))
    }

    fn run_series(&mut self, tasks: &[Task]) -> Result<Vec<Observation>, Error> {
        let folder = WorkFolder::new(tasks)?;
        in_turn(tasks, |task, limits| {
            folder.fill(task)?;
            let (mut record, mut signal) = (ServiceTotal::default(), folder.watch(task));
            let end = match Life::start(task, &task.stdin, limits, &folder, &self.solution)? {
                Err(end) => end,
                Ok(mut life) => {
                    let stopped = loop {
                        life.signal(&mut signal);
                        if let Some(over) = life.step(&[], signal.until())? {
                            break over;
                        }
                    };
                    life.finish(stopped, &mut record)?
                }
            };
            folder.observe(task, end, record, signal.is_sent())
        })
    }

    fn serve(&mut self, service: &Service, play: &mut Play<'_>) -> Result<Observation, Error> {
        let folder = WorkFolder::new(slice::from_ref(&service.task))?;
        folder.fill(&service.task)?;
        let mut serving = Serving::start(service, &folder, &self.solution)?;
        play(&mut serving)?;
        let (end, record) = serving.stop()?;
        folder.observe(&service.task, end, record, false)
    }

    fn play_suite(
        &mut self,
        suite: &Suite,
        command: &dyn Fn(&SuiteLayout<'_>) -> Vec<String>,
    ) -> Result<SuiteObservation, Error> {
        suite::play(&self.solution, suite, command)
    }
}
