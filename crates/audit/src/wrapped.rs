//! Sandboxes with something put between them and who plays cases. Only audits do so: what is graded is never played
//! in one.

use std::path::Path;

use slopbench_sandbox::{
    Error, Observation, Play, Sandbox, Service, Task,
    suite::{Suite, SuiteLayout, SuiteObservation},
};
use slopbench_slopcode::{GradingContext, SolutionMounts};

/// What is changed of tasks before they are run, and of what is seen before it is judged.
pub(crate) trait Wrapping: Send + Sync {
    fn before(&self, task: &mut Task);

    fn after(&self, _: &mut Observation) {}
}

/// Variables that every program finds, unless its case says otherwise.
pub(crate) struct Variables<'a>(pub(crate) &'a [(&'a str, &'a str)]);

impl Wrapping for Variables<'_> {
    fn before(&self, task: &mut Task) {
        for (name, value) in self.0 {
            task.env.entry((*name).to_owned()).or_insert_with(|| (*value).to_owned());
        }
    }
}

/// Calls `work` with a context whose sandboxes are wrapped.
pub(crate) fn with_wrapping<T>(
    grading: &GradingContext<'_>,
    wrapping: &dyn Wrapping,
    work: impl FnOnce(&GradingContext<'_>) -> T,
) -> T {
    let open = |dir: &Path, mounts: SolutionMounts<'_>| {
        let inner = (grading.open)(dir, mounts)?;
        Ok(Box::new(Wrapped { inner, wrapping }) as Box<dyn Sandbox + '_>)
    };
    work(&GradingContext {
        open: &open,
        environments: grading.environments,
        suites: grading.suites.clone(),
        jobs: grading.jobs,
        gate: grading.gate,
        rules: grading.rules,
        progress: grading.progress,
    })
}

struct Wrapped<'a> {
    inner: Box<dyn Sandbox + 'a>,
    wrapping: &'a dyn Wrapping,
}

impl Sandbox for Wrapped<'_> {
    fn solution(&self) -> &Path {
        self.inner.solution()
    }

    fn assets(&self) -> &Path {
        self.inner.assets()
    }

    fn run_series(&mut self, tasks: &[Task]) -> Result<Vec<Observation>, Error> {
        let mut tasks = tasks.to_vec();
        tasks.iter_mut().for_each(|task| self.wrapping.before(task));
        let mut seen = self.inner.run_series(&tasks)?;
        seen.iter_mut().for_each(|observation| self.wrapping.after(observation));
        Ok(seen)
    }

    fn serve(&mut self, service: &Service, play: &mut Play<'_>) -> Result<Observation, Error> {
        let mut service = service.clone();
        self.wrapping.before(&mut service.task);
        let mut seen = self.inner.serve(&service, play)?;
        self.wrapping.after(&mut seen);
        Ok(seen)
    }

    fn play_suite(
        &mut self,
        suite: &Suite,
        command: &dyn Fn(&SuiteLayout<'_>) -> Vec<String>,
    ) -> Result<SuiteObservation, Error> {
        self.inner.play_suite(suite, command)
    }
}
