//! This side of the embedded sandbox: finds, starts and asks the worker.

use std::env;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::probe;
use crate::streams::deadline;
use crate::worker::{Reply, Request};
use crate::worker_channel::{Keeper, WorkerChannel};
use crate::{Error, Observation, Play, Runtime, Sandbox, Service, Task, service};

/// The name of the worker's binary.
const WORKER: &str = "slopbench-sandbox";

/// Names the worker's binary.
const WORKER_VARIABLE: &str = "SLOPBENCH_SANDBOX_WORKER";

/// How long opening may take: a large solution is copied meanwhile.
pub(crate) const OPENING: Duration = Duration::from_secs(120);

/// How long an answer may take beyond the task's own wall clock limit.
pub(crate) const GRACE: Duration = Duration::from_secs(60);

/// How long a worker may take to end once its standard input did.
const FAREWELL: Duration = Duration::from_secs(2);

/// The solution to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// Its folder. Programs see a read-only copy as `/solution`, made when the sandbox is opened,
    /// of all but what is an [`Exclusion`](slopbench_digest::Exclusion).
    pub dir: PathBuf,
    /// Files and folders that no program may see, wherever they lie: hidden cases above all. Those
    /// that do not exist are ignored. The solution may lie in one of them, and is shown
    /// nevertheless; none of them may lie in the solution, or be it.
    pub hide: Vec<PathBuf>,
}

impl Solution {
    /// Its folder and what is hidden, without symbolic links.
    pub(crate) fn settle(&self) -> Result<(PathBuf, Vec<PathBuf>), Error> {
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
        Ok((dir, hide))
    }
}

/// The embedded sandbox: Linux namespaces, no daemon, no root.
///
/// A program sees `/work` (its working folder), `/tmp` and `/dev/shm`, writable and empty but for
/// the task's files; `/solution`, the system's `/usr`, `/bin` and `/lib*`, and the [`Runtime`]'s
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
}

impl Namespaces {
    /// Starts a worker that builds the root for this solution.
    ///
    /// # Errors
    ///
    /// [`Error::Unsupported`] says what this machine lacks, [`Error::WorkerNotFound`] what is not
    /// installed; the others what is wrong with the solution or the runtime.
    pub fn open(solution: &Solution, runtime: &Runtime) -> Result<Self, Error> {
        let (dir, hide) = solution.settle()?;
        let request = Request::Open { solution: dir, hide, runtime: runtime.clone() };
        let mut worker = start_worker()?;
        match worker.ask(&request, OPENING).map_err(explain)? {
            Reply::Opened => Ok(Self { worker }),
            other => Err(worker.nonsense(&other)),
        }
    }
}

impl Sandbox for Namespaces {
    fn solution(&self) -> &Path {
        Path::new("/solution")
    }

    fn run(&mut self, task: &Task) -> Result<Observation, Error> {
        let time_limit = task.limits.wall.saturating_add(GRACE);
        match self.worker.ask(&Request::Run(task.clone()), time_limit).map_err(explain)? {
            Reply::Observed(observation) => Ok(observation),
            other => Err(self.worker.nonsense(&other)),
        }
    }

    fn serve(&mut self, service: &Service, play: &mut Play<'_>) -> Result<Observation, Error> {
        let worker = &mut self.worker;
        let mut ask = |request: &Request, time_limit: Duration| {
            worker.ask(request, time_limit.saturating_add(GRACE)).map_err(explain)
        };
        service::serve(service, play, &mut ask)
    }
}

/// If a step failed because the machine lacks something, says what.
pub(crate) fn explain(error: Error) -> Error {
    if !matches!(error, Error::Setup { .. }) {
        return error;
    }
    match probe::available() {
        Err(unsupported @ Error::Unsupported { .. }) => unsupported,
        _ => error,
    }
}

/// A worker's process.
///
/// Ends with its standard input, so also when this process is killed. It is not bound by
/// `PR_SET_PDEATHSIG`: that would be bound to the thread that opened the sandbox, which may well
/// end first.
#[derive(Debug)]
struct Process(Child);

/// Starts the worker's binary, with nothing of this process's environment: there may be keys in
/// it.
pub(crate) fn start_worker() -> Result<WorkerChannel, Error> {
    let path = find_worker()?;
    let wrong = |cause: String| Error::WorkerStart { path: path.clone(), cause };
    let mut command = Command::new(&path);
    let (input, theirs) = UnixStream::pair().map_err(|error| wrong(error.to_string()))?;
    command.env_clear().current_dir("/").stdin(OwnedFd::from(theirs)).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| wrong(error.to_string()))?;
    // With it goes our copy of the worker's end of its input.
    drop(command);
    let output = child.stdout.take().ok_or_else(|| wrong("it has no standard output".into()))?;
    Ok(WorkerChannel::new(Process(child), input, output))
}

impl Keeper for Process {
    fn kill(&mut self) -> String {
        let Self(child) = self;
        let _ = child.kill();
        let status = child.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
        let mut said = String::new();
        if let Some(stderr) = child.stderr.take() {
            // Whatever it said (a panic's message) fits into the pipe, as no one read it.
            let _ = stderr.take(64 << 10).read_to_string(&mut said);
        }
        let said = said.trim();
        if said.is_empty() { status } else { format!("{status}, saying: {said}") }
    }

    fn reap(&mut self) {
        let Self(child) = self;
        let deadline = deadline(Instant::now(), FAREWELL);
        while Instant::now() < deadline {
            match child.try_wait() {
                Ok(None) => thread::sleep(Duration::from_micros(200)),
                _ => return,
            }
        }
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// Beside the running binary, as installed; or in the folder above, where cargo puts it while tests
/// run from `deps`.
pub(crate) fn find_worker() -> Result<PathBuf, Error> {
    let tried: Vec<PathBuf> = match env::var_os(WORKER_VARIABLE).filter(|path| !path.is_empty()) {
        Some(path) => vec![path.into()],
        None => {
            let binary = env::current_exe().unwrap_or_default();
            binary.ancestors().skip(1).take(2).map(|folder| folder.join(WORKER)).collect()
        }
    };
    match tried.iter().find(|path| path.is_file()) {
        Some(path) => Ok(path.clone()),
        None => Err(Error::WorkerNotFound { tried }),
    }
}
