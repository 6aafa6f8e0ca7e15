//! The worker as a process of this machine: finds it, starts it, and sees to its end.

use std::env;
use std::io::Read as _;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::Error;
use crate::streams::deadline;
use crate::worker_channel::{Supervisor, WorkerChannel};

/// The name of the worker's binary.
const WORKER: &str = "slopbench-sandbox";

/// Names the worker's binary.
const WORKER_VARIABLE: &str = "SLOPBENCH_SANDBOX_WORKER";

/// How long a worker may take to end once its standard input did.
const FAREWELL: Duration = Duration::from_secs(2);

/// A worker's process.
///
/// Ends with its standard input, so also when this process is killed. It is not bound by
/// `PR_SET_PDEATHSIG`: that would be bound to the thread that opened the sandbox, which may well
/// end first.
#[derive(Debug)]
struct ProcessSupervisor(Child);

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
    Ok(WorkerChannel::new(ProcessSupervisor(child), input, output))
}

impl Supervisor for ProcessSupervisor {
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
