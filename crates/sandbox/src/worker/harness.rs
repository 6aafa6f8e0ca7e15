//! The other side of the worker's pipe while a program runs: it may hang up, and it may talk to a service.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::Instant;

use nix::poll::PollFlags;

use crate::connections::Connections;
use crate::protocol::{WorkerReply, WorkerRequest};
use crate::{Error, wire};

/// Who waits for a running program.
pub(super) struct Harness<'a> {
    stdin: &'a File,
    service: Option<RunningService>,
}

/// What is asked while a service runs.
struct RunningService {
    port: u16,
    /// The largest answer, in bytes.
    most: u64,
    /// What no one has answered yet.
    open: PendingRequest,
}

/// A question without an answer.
enum PendingRequest {
    None,
    /// To start the program.
    Start,
    Exchange(Connections),
    Restart,
    Stop,
}

impl<'a> Harness<'a> {
    /// One that waits for the program's end.
    pub(super) fn waiting(stdin: &'a File) -> Self {
        Self { stdin, service: None }
    }

    /// One that asked for a service and talks to it.
    pub(super) fn talking(stdin: &'a File, port: u16, most: u64) -> Self {
        Self { stdin, service: Some(RunningService { port, most, open: PendingRequest::Start }) }
    }

    /// Whether there is a service to be reached.
    pub(super) fn talks(&self) -> bool {
        self.service.is_some()
    }

    /// What to wait for, beside the program.
    pub(super) fn fds(&self) -> Vec<(BorrowedFd<'_>, PollFlags)> {
        let Some(service) = &self.service else {
            return vec![(self.stdin.as_fd(), PollFlags::empty())];
        };
        let mut fds = vec![(self.stdin.as_fd(), PollFlags::POLLIN)];
        if let PendingRequest::Exchange(connections) = &service.open {
            fds.extend(connections.fds());
        }
        fds
    }

    /// When to look again at the latest.
    pub(super) fn until(&self) -> Option<Instant> {
        match self.service.as_ref()?.open {
            PendingRequest::Exchange(ref connections) => Some(connections.until()),
            _ => None,
        }
    }

    /// The program runs: whoever asked for that is told.
    pub(super) fn started(&mut self) -> Result<(), Error> {
        match &mut self.service {
            Some(service) if matches!(service.open, PendingRequest::Start) => {
                service.open = PendingRequest::None;
                say(WorkerReply::Started)
            }
            _ => Ok(()),
        }
    }

    /// Does what there is to do. `asked` says that there was an event of the pipe. Returns whether the program is to be
    /// stopped.
    ///
    /// # Errors
    ///
    /// If the harness is gone.
    pub(super) fn step(&mut self, asked: bool) -> Result<bool, Error> {
        let Some(service) = &mut self.service else {
            return if asked { Err(Error::setup("answer", "the harness is gone")) } else { Ok(false) };
        };
        if asked && matches!(service.open, PendingRequest::None) {
            service.open = listen(self.stdin, service.port, service.most)?;
        } else if asked {
            return Err(Error::setup("answer", "the harness is gone, or asks while it waits"));
        }
        if let PendingRequest::Exchange(connections) = &mut service.open
            && let Some(answers) = connections.step()
        {
            service.open = PendingRequest::None;
            say(WorkerReply::Answers(answers))?;
        }
        Ok(matches!(service.open, PendingRequest::Restart | PendingRequest::Stop))
    }

    /// Whether the program was stopped to be started again. Then, that is asked for.
    pub(super) fn restarts(&mut self) -> bool {
        match &mut self.service {
            Some(service) if matches!(service.open, PendingRequest::Restart) => {
                service.open = PendingRequest::Start;
                true
            }
            _ => false,
        }
    }

    /// The service is over: waits until something is asked that this can be the answer to.
    pub(super) fn end(self) {
        if let Some(RunningService { open: PendingRequest::None, .. }) = self.service {
            // Where no one asks any more, no one hears the answer either, and the worker ends.
            let _ = wire::read::<WorkerRequest>(&mut &*self.stdin);
        }
    }
}

/// The next question to a service.
fn listen(mut stdin: &File, port: u16, most: u64) -> Result<PendingRequest, Error> {
    let wrong = |cause: &str| Error::setup("hear from the harness", cause);
    match wire::read(&mut stdin).map_err(|error| wrong(&error.to_string()))? {
        Some(WorkerRequest::Exchange(exchange)) => {
            let connections = Connections::start(exchange, port, most);
            connections.map(PendingRequest::Exchange).map_err(|errno| Error::setup("connect to the service", errno))
        }
        Some(WorkerRequest::Restart) => Ok(PendingRequest::Restart),
        Some(WorkerRequest::Stop) => Ok(PendingRequest::Stop),
        Some(_) => Err(wrong("while a service runs, it is to be talked to, restarted or stopped")),
        None => Err(wrong("it is gone")),
    }
}

fn say(reply: WorkerReply) -> Result<(), Error> {
    let reply: Result<WorkerReply, Error> = Ok(reply);
    wire::write(&mut io::stdout().lock(), &reply).map_err(|error| Error::setup("answer", error))
}
