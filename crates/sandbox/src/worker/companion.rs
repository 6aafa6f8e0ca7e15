//! The other room, where its processes cannot be seen from here: its keeper tells what they take.

use std::io::{self, Write as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use nix::errno::Errno;
use serde::{Deserialize, Serialize};

use crate::{Error, handover, wire};

/// How long an answer may take.
const ANSWER: Duration = Duration::from_secs(20);

/// What all processes of a room take.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct RoomSample {
    pub(super) processes: u32,
    /// In bytes.
    pub(super) memory: u64,
    /// Processor time of all that lived.
    pub(super) cpu: Duration,
    /// Whether memory that processes share is counted once.
    pub(super) is_close: bool,
    /// Whether the kernel killed one of them as the container had taken too much memory.
    pub(super) was_killed: bool,
}

/// The line to the keeper of the other room.
#[derive(Debug)]
pub(super) struct Companion {
    line: UnixStream,
    heard: Vec<u8>,
    latest: RoomSample,
}

impl Companion {
    /// Listens to this line.
    pub(super) fn new(line: UnixStream) -> Self {
        Self { line, heard: Vec::new(), latest: RoomSample::default() }
    }

    /// Has an event when there is something to [`Self::hear`].
    pub(super) fn line(&self) -> BorrowedFd<'_> {
        self.line.as_fd()
    }

    /// What was told last.
    pub(super) fn latest(&self) -> RoomSample {
        self.latest
    }

    /// Takes in what was told.
    pub(super) fn hear(&mut self) -> Result<(), Error> {
        self.line.set_nonblocking(true).map_err(|error| wrong(&error))?;
        loop {
            match self.read() {
                Ok(true) => {}
                Ok(false) => return Err(wrong(&"its container ended")),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(wrong(&error)),
            }
        }
    }

    /// Asks for a closer look, and waits for it.
    pub(super) fn look_closely(&mut self) -> Result<RoomSample, Error> {
        let mut ask = || {
            self.line.set_nonblocking(false)?;
            self.line.set_read_timeout(Some(ANSWER))?;
            self.line.write_all(&[1])?;
            self.latest.is_close = false;
            while !self.latest.is_close {
                if !self.read()? {
                    return Err(io::Error::other("its container ended"));
                }
            }
            Ok(self.latest)
        };
        ask().map_err(|error| wrong(&error))
    }

    /// Has all processes of that room killed. What they took is the latest then.
    pub(super) fn end(&mut self) -> Result<RoomSample, Error> {
        let mut end = || {
            self.line.set_nonblocking(false)?;
            self.line.set_read_timeout(Some(ANSWER))?;
            self.line.shutdown(std::net::Shutdown::Write)?;
            while self.read()? {}
            Ok(self.latest)
        };
        end().map_err(|error: io::Error| wrong(&error))
    }

    /// Reads some; nothing more comes after a false.
    fn read(&mut self) -> io::Result<bool> {
        let mut chunk = [0; 4096];
        let count = match handover::receive_with(&self.line, &mut chunk) {
            Ok((count, _)) => count,
            Err(Errno::EINTR) => return Ok(true),
            Err(errno) => return Err(errno.into()),
        };
        self.heard.extend_from_slice(chunk.get(..count).unwrap_or_default());
        while let Some(sample) = wire::take::<RoomSample>(&mut self.heard)? {
            // Those that were under way when a closer look was asked for come before it.
            self.latest = sample;
            if sample.is_close {
                break;
            }
        }
        Ok(count > 0)
    }
}

fn wrong(cause: &impl ToString) -> Error {
    Error::setup("hear from the solution's room", cause.to_string())
}
