//! A session's output on its way to files: it may be larger than memory.

use std::fs::File;
use std::io::Write as _;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Instant;

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, poll};
use nix::unistd::read;

use crate::Error;
use crate::streams::timeout;

/// How much is moved at once.
const CHUNK: usize = 64 * 1024;

/// One pipe, and the file that it ends in.
struct Tap<'a> {
    /// Dropped once it has nothing more to say.
    pipe: Option<OwnedFd>,
    file: &'a File,
}

/// Standard output and standard error.
pub(super) struct Taps<'a> {
    taps: [Tap<'a>; 2],
    /// How many bytes may still be printed, on both.
    room: u64,
    overflowed: bool,
}

impl<'a> Taps<'a> {
    /// Takes over our ends of the pipes. `limit` is in bytes, for both together.
    pub(super) fn new(pipes: [OwnedFd; 2], files: &'a [File; 2], limit: u64) -> Result<Self, Error> {
        for pipe in &pipes {
            fcntl(pipe, FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).map_err(wrong)?;
        }
        let ([stdout, stderr], [out, err]) = (pipes, files);
        let taps = [Tap { pipe: Some(stdout), file: out }, Tap { pipe: Some(stderr), file: err }];
        Ok(Self { taps, room: limit, overflowed: false })
    }

    /// Waits until there is output, one of `others` has an event, or the deadline is there; then moves a chunk of each
    /// pipe. Returns for each of `others` whether it has an event (one that was asked for, an error or a hang-up).
    pub(super) fn step(
        &mut self,
        others: [(BorrowedFd<'_>, PollFlags); 2],
        deadline: Instant,
    ) -> Result<[bool; 2], Error> {
        let mut fds: Vec<PollFd<'_>> = others.iter().map(|(fd, events)| PollFd::new(*fd, *events)).collect();
        let pipes = self.taps.iter().filter_map(|tap| tap.pipe.as_ref());
        fds.extend(pipes.map(|pipe| PollFd::new(pipe.as_fd(), PollFlags::POLLIN)));
        match poll(&mut fds, timeout(deadline)) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(errno) => return Err(wrong(errno)),
        }
        let mut events = fds.iter().map(|fd| fd.any().unwrap_or(true));
        let events = [events.next() == Some(true), events.next() == Some(true)];
        drop(fds);
        for tap in &mut self.taps {
            tap.pass(&mut self.room, &mut self.overflowed)?;
        }
        Ok(events)
    }

    /// Moves what is still in the pipes. To be called when no one writes any more.
    pub(super) fn drain(&mut self) -> Result<(), Error> {
        for tap in &mut self.taps {
            while tap.pass(&mut self.room, &mut self.overflowed)? {}
        }
        Ok(())
    }

    /// Whether more was printed than may be.
    pub(super) fn overflowed(&self) -> bool {
        self.overflowed
    }
}

impl Tap<'_> {
    /// Moves up to a chunk, as far as there is room. Whether there was any.
    fn pass(&mut self, room: &mut u64, overflowed: &mut bool) -> Result<bool, Error> {
        let mut buffer = [0; CHUNK];
        let Some(pipe) = &self.pipe else { return Ok(false) };
        let count = match read(pipe, &mut buffer) {
            Ok(0) => {
                self.pipe = None;
                return Ok(false);
            }
            Ok(count) => count,
            Err(Errno::EAGAIN | Errno::EINTR) => return Ok(false),
            Err(errno) => return Err(wrong(errno)),
        };
        let kept = usize::try_from(*room).unwrap_or(usize::MAX).min(count);
        let kept = buffer.get(..kept).unwrap_or_default();
        self.file.write_all(kept).map_err(|error| Error::setup("write its output to a file", error))?;
        *room -= kept.len() as u64;
        *overflowed |= kept.len() < count;
        Ok(true)
    }
}

fn wrong(errno: Errno) -> Error {
    Error::setup("move its output", errno)
}
