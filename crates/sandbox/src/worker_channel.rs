//! The line to a worker, whoever keeps it: requests go out, answers come back.

use std::fmt;
use std::fs::File;
use std::net::Shutdown;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, poll};

use crate::protocol::{WorkerReply, WorkerRequest};
use crate::streams::{deadline, timeout};
use crate::{Error, wire};

/// How long opening may take: a large solution is copied meanwhile.
pub(crate) const OPENING: Duration = Duration::from_secs(120);

/// How long an answer may take beyond the task's own wall clock limit.
pub(crate) const GRACE: Duration = Duration::from_secs(60);

/// Who keeps a worker: it ends with its input, and this sees to it.
pub(crate) trait Supervisor: fmt::Debug + Send {
    /// Ends it at once, and tells what is known of its end.
    fn kill(&mut self) -> String;

    /// Waits for its end, which its input's has brought about, and leaves nothing of it.
    fn reap(&mut self);
}

/// A running worker.
#[derive(Debug)]
pub(crate) struct WorkerChannel {
    supervisor: Box<dyn Supervisor>,
    /// The other end of its standard input, by which a session's worker also hands over a descriptor.
    pub(crate) input: Option<UnixStream>,
    output: File,
}

impl WorkerChannel {
    /// To a worker that reads what `input` is told, and writes what `output` tells.
    pub(crate) fn new(supervisor: impl Supervisor + 'static, input: UnixStream, output: impl Into<OwnedFd>) -> Self {
        Self { supervisor: Box::new(supervisor), input: Some(input), output: File::from(output.into()) }
    }

    /// Asks, and waits for the answer. After an [`Error::WorkerLost`], every further question is
    /// one as well.
    pub(crate) fn ask(&mut self, request: &WorkerRequest, time_limit: Duration) -> Result<WorkerReply, Error> {
        self.tell(request)?;
        self.hear(time_limit)
    }

    /// Asks without waiting.
    pub(crate) fn tell(&mut self, request: &WorkerRequest) -> Result<(), Error> {
        let Some(input) = &mut self.input else {
            return Err(Error::WorkerLost { cause: "it was lost before".into() });
        };
        wire::write(input, request).map_err(|error| self.lost(&format!("it does not listen: {error}")))
    }

    /// Waits for the answer to what it was told.
    pub(crate) fn hear(&mut self, time_limit: Duration) -> Result<WorkerReply, Error> {
        let deadline = deadline(Instant::now(), time_limit);
        // Only the answer's start is waited for: it is written in one go.
        loop {
            let mut fds = [PollFd::new(self.output.as_fd(), PollFlags::POLLIN)];
            match poll(&mut fds, timeout(deadline)) {
                Ok(0) if Instant::now() < deadline => {}
                Ok(0) => {
                    return Err(self.lost(&format!("no answer in {} seconds", time_limit.as_secs())));
                }
                Ok(_) => break,
                Err(Errno::EINTR) => {}
                Err(errno) => return Err(self.lost(&errno.to_string())),
            }
        }
        match wire::read::<Result<WorkerReply, Error>>(&mut self.output) {
            Ok(Some(reply)) => reply,
            Ok(None) => Err(self.lost("it died")),
            Err(error) => Err(self.lost(&format!("its answer is no answer: {error}"))),
        }
    }

    /// The error for an answer to another question.
    pub(crate) fn nonsense(&mut self, reply: &WorkerReply) -> Error {
        let reply = format!("{reply:?}");
        self.lost(&format!("it answered another question: {}", reply.chars().take(80).collect::<String>()))
    }

    /// Ends what the worker reads, however many copies of its other end there are.
    fn end_input(&mut self) {
        if let Some(input) = self.input.take() {
            // Fails only where the worker has gone.
            let _ = input.shutdown(Shutdown::Write);
        }
    }

    /// Gives the worker up.
    fn lost(&mut self, cause: &str) -> Error {
        self.end_input();
        Error::WorkerLost { cause: format!("{cause} ({})", self.supervisor.kill()) }
    }
}

impl Drop for WorkerChannel {
    fn drop(&mut self) {
        self.end_input();
        self.supervisor.reap();
    }
}
