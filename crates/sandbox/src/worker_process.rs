//! The worker as a process of this machine: starts it, and sees to its end.

use std::io::Read as _;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::Error;
use crate::streams::deadline;
use crate::worker_channel::{Supervisor, WorkerChannel};
use crate::worker_program::WorkerProgram;

/// How long a worker may take to end once its standard input did.
const FAREWELL: Duration = Duration::from_secs(2);

/// A worker's process.
///
/// Ends with its standard input, so also when this process is killed. It is not bound by
/// `PR_SET_PDEATHSIG`: that would be bound to the thread that opened the sandbox, which may well
/// end first.
#[derive(Debug)]
struct ProcessSupervisor(Child);

/// Starts the worker.
pub(crate) fn start_worker() -> Result<WorkerChannel, Error> {
    let program = WorkerProgram::find()?;
    let wrong = |cause: String| Error::WorkerStart { path: program.path.clone(), cause };
    let mut command = program.command();
    let (input, theirs) = UnixStream::pair().map_err(|error| wrong(error.to_string()))?;
    command.stdin(OwnedFd::from(theirs)).stdout(Stdio::piped()).stderr(Stdio::piped());
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
