//! What every back end can do.

use std::path::Path;
use std::slice;

use crate::service::{Play, Service};
use crate::suite::{Suite, SuiteLayout, SuiteObservation};
use crate::{ASSETS, Error, Observation, Task};

/// A back end that runs tasks of one solution, one after the other.
///
/// For several at once, open several.
pub trait Sandbox: Send {
    /// The folder where a running program finds the solution: what `argv` has to name.
    fn solution(&self) -> &Path;

    /// The folder where a running program finds the [assets](crate::Solution::assets), if there are any.
    fn assets(&self) -> &Path {
        Path::new(ASSETS)
    }

    /// Runs one task to its end, at most a little longer than its wall clock limit.
    ///
    /// # Errors
    ///
    /// Only what is not the solution's fault: the task makes no sense, the machine lacks something,
    /// the back end broke. Whatever the solution does is an [`Observation`].
    fn run(&mut self, task: &Task) -> Result<Observation, Error> {
        let seen = self.run_series(slice::from_ref(task))?.pop();
        seen.ok_or_else(|| Error::WorkerLost { cause: "it did not say how the task ended".into() })
    }

    /// Runs tasks one after the other in the same folders: each finds the files that those before it left, none of their
    /// processes, and of their time and output what they did not take from its own limits. One that hits a limit is the
    /// last.
    ///
    /// # Errors
    ///
    /// As for [`Sandbox::run`].
    fn run_series(&mut self, tasks: &[Task]) -> Result<Vec<Observation>, Error>;

    /// Starts a service, lets `play` talk to it, and stops it. What `play` fails with is the error.
    ///
    /// # Errors
    ///
    /// As for [`Sandbox::run`].
    fn serve(&mut self, service: &Service, play: &mut Play<'_>) -> Result<Observation, Error>;

    /// Runs a test suite that starts the solution itself. `command` says which program of the suite's, with which arguments.
    ///
    /// # Errors
    ///
    /// As for [`Sandbox::run`].
    fn play_suite(
        &mut self,
        suite: &Suite,
        command: &dyn Fn(&SuiteLayout<'_>) -> Vec<String>,
    ) -> Result<SuiteObservation, Error>;
}
