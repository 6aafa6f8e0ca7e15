//! The other side of the worker's pipe while a program runs: it may hang up, and it may talk to a service.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::Instant;

use nix::poll::PollFlags;

use crate::connections::Connections;
use crate::protocol::{Reply, Request};
use crate::{Error, wire};

/// Who waits for a running program.
pub(super) struct Harness<'a> {
    stdin: &'a File,
    service: Option<Service>,
}

/// What is asked while a service runs.
struct Service {
    port: u16,
    /// The largest answer, in bytes.
    most: u64,
    /// What no one has answered yet.
    open: Open,
}

/// A question without an answer.
enum Open {
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
        Self { stdin, service: Some(Service { port, most, open: Open::Start }) }
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
        if let Open::Exchange(connections) = &service.open {
            fds.extend(connections.fds());
        }
        fds
    }

    /// When to look again at the latest.
    pub(super) fn until(&self) -> Option<Instant> {
        match self.service.as_ref()?.open {
            Open::Exchange(ref connections) => Some(connections.until()),
            _ => None,
        }
    }

    /// The program runs: whoever asked for that is told.
    pub(super) fn started(&mut self) -> Result<(), Error> {
        match &mut self.service {
            Some(service) if matches!(service.open, Open::Start) => {
                service.open = Open::None;
                say(Reply::Started)
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
        if asked && matches!(service.open, Open::None) {
            service.open = listen(self.stdin, service.port, service.most)?;
        } else if asked {
            return Err(Error::setup("answer", "the harness is gone, or asks while it waits"));
        }
        if let Open::Exchange(connections) = &mut service.open
            && let Some(answers) = connections.step()
        {
            service.open = Open::None;
            say(Reply::Answers(answers))?;
        }
        Ok(matches!(service.open, Open::Restart | Open::Stop))
    }

    /// Whether the program was stopped to be started again. Then, that is asked for.
    pub(super) fn restarts(&mut self) -> bool {
        match &mut self.service {
            Some(service) if matches!(service.open, Open::Restart) => {
                service.open = Open::Start;
                true
            }
            _ => false,
        }
    }

    /// The service is over: waits until something is asked that this can be the answer to.
    pub(super) fn end(self) {
        if let Some(Service { open: Open::None, .. }) = self.service {
            // Where no one asks any more, no one hears the answer either, and the worker ends.
            let _ = wire::read::<Request>(&mut &*self.stdin);
        }
    }
}

/// The next question to a service.
fn listen(mut stdin: &File, port: u16, most: u64) -> Result<Open, Error> {
    let wrong = |cause: &str| Error::setup("hear from the harness", cause);
    match wire::read(&mut stdin).map_err(|error| wrong(&error.to_string()))? {
        Some(Request::Exchange(exchange)) => {
            let connections = Connections::start(exchange, port, most);
            connections.map(Open::Exchange).map_err(|errno| Error::setup("connect to the service", errno))
        }
        Some(Request::Restart) => Ok(Open::Restart),
        Some(Request::Stop) => Ok(Open::Stop),
        Some(_) => Err(wrong("while a service runs, it is to be talked to, restarted or stopped")),
        None => Err(wrong("it is gone")),
    }
}

fn say(reply: Reply) -> Result<(), Error> {
    let reply: Result<Reply, Error> = Ok(reply);
    wire::write(&mut io::stdout().lock(), &reply).map_err(|error| Error::setup("answer", error))
}
