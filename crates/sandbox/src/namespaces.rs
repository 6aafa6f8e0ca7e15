//! This side of the embedded sandbox: asks the worker.

use std::path::Path;
use std::time::Duration;

use crate::probe::explain;
use crate::protocol::{WorkerReply, WorkerRequest};
use crate::suite::{Suite, SuiteLayout, SuiteObservation};
use crate::suite_spec::{SuiteGround, SuiteJob};
use crate::task::longest;
use crate::worker_channel::{GRACE, OPENING, WorkerChannel};
use crate::worker_process::start_worker;
use crate::worker_program::WorkerFiles;
use crate::{Error, Observation, Play, Runtime, Sandbox, Service, Solution, Task, remote};

/// The embedded sandbox: Linux namespaces, no daemon, no root.
///
/// A program sees `/work` (its working folder), `/tmp` and `/dev/shm`, writable and empty but for
/// the task's files; `/solution` and `/assets`, the system's `/usr`, `/bin` and `/lib*`, and the [`Runtime`]'s
/// paths, all read-only; a small `/etc` and `/dev`; a `/proc` with its own processes. It is the
/// user 1000 without any capability, whoever the caller is, on a host called `sandbox` with no
/// network but a loopback of its own. All its processes die with it, and everything it wrote was in
/// memory.
///
/// Limits are enforced without cgroups, which an ordinary user cannot have everywhere: wall clock
/// and output by the worker, file size and disk by the kernel, and processor time, memory and
/// processes by a look at the processes every 10 ms. Meanwhile the kernel's own limits hold
/// everyone: four times as many processes and threads (and 64), and for each process four times as
/// much address space (and 4 GiB); what goes beyond is an error to the program, which ends as it
/// likes.
///
/// So the limits on memory and processes are sampled: a peak that is shorter than the 10 ms between
/// two looks (thirty short-lived children at once, say) is seen or passes by chance.
///
/// Memory without a file that processes map to share it counts in full from when it is mapped, touched
/// or not, until its last part is unmapped; what waits in sockets counts too, and page tables do.
///
/// Not counted: processor time of children whose parent chose to ignore their death; what waits in
/// pipes (the kernel grants a user 64 MB, then two pages for each pipe), and the kernel's smaller
/// records of files, timers and locks.
///
/// If the caller is root, each sandbox is another user outside; if not, all are the caller, and share what
/// the kernel grants a user: pages of pipes, descriptors in flight, pending signals. By the machine's own files, which all
/// sandboxes show, two can pass messages: `flock(2)` is allowed, and what one has read is in memory for
/// the other.
#[derive(Debug)]
pub struct Namespaces {
    worker: WorkerChannel,
    /// What it was opened for: a suite's rooms are built by a worker of their own.
    solution: Solution,
    runtime: Runtime,
}

impl Namespaces {
    /// Starts a worker that builds the root for this solution.
    ///
    /// # Errors
    ///
    /// [`Error::Unsupported`] says what this machine lacks, [`Error::WorkerNotFound`] what is not
    /// installed; the others what is wrong with the solution or the runtime.
    pub fn open(solution: &Solution, runtime: &Runtime) -> Result<Self, Error> {
        let solution = solution.settle()?;
        let request = WorkerRequest::Open { solution: solution.clone(), runtime: runtime.clone() };
        let mut worker = start_worker()?;
        match worker.ask(&request, OPENING).map_err(explain)? {
            WorkerReply::Opened => Ok(Self { worker, solution, runtime: runtime.clone() }),
            other => Err(worker.nonsense(&other)),
        }
    }
}

impl Sandbox for Namespaces {
    fn solution(&self) -> &Path {
        Path::new("/solution")
    }

    fn run_series(&mut self, tasks: &[Task]) -> Result<Vec<Observation>, Error> {
        let time_limit = longest(tasks).saturating_add(GRACE);
        match self.worker.ask(&WorkerRequest::Run(tasks.to_vec()), time_limit).map_err(explain)? {
            WorkerReply::Ran(seen) => Ok(seen),
            other => Err(self.worker.nonsense(&other)),
        }
    }

    fn serve(&mut self, service: &Service, play: &mut Play<'_>) -> Result<Observation, Error> {
        let worker = &mut self.worker;
        let mut ask = |request: &WorkerRequest, time_limit: Duration| {
            worker.ask(request, time_limit.saturating_add(GRACE)).map_err(explain)
        };
        remote::serve(service, play, &mut ask)
    }

    fn play_suite(
        &mut self,
        suite: &Suite,
        command: &dyn Fn(&SuiteLayout<'_>) -> Vec<String>,
    ) -> Result<SuiteObservation, Error> {
        let suite = suite.settle()?;
        let files = WorkerFiles::find()?;
        let argv = command(&SuiteLayout::of_rooms(&files.launcher()));
        let ground = SuiteGround {
            solution: self.solution.clone(),
            runtime: self.runtime.clone(),
            folder: suite.folder,
            shared: suite.shared,
            environment: suite.environment,
            programs: files.files,
        };
        let has_environment = self.solution.environment.is_some();
        let job = SuiteJob { argv, env: suite.env, limits: suite.limits, has_environment };
        let time_limit = job.limits.wall.saturating_add(OPENING).saturating_add(GRACE);
        let mut worker = start_worker()?;
        match worker.ask(&WorkerRequest::PlaySuite(Box::new(ground), job), time_limit).map_err(explain)? {
            WorkerReply::Played(observation) => Ok(observation),
            other => Err(worker.nonsense(&other)),
        }
    }
}
