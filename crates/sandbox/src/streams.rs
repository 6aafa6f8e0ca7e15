//! A program's standard input, output and error, moved without ever waiting for one of them alone.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::unistd::{read, write};

/// How much is read at once.
const CHUNK: usize = 64 * 1024;

/// Our ends of the three pipes. An end is dropped once its pipe has nothing more to say.
pub(crate) struct Streams<'a> {
    stdin: Option<OwnedFd>,
    input: &'a [u8],
    stdout: Option<OwnedFd>,
    stderr: Option<OwnedFd>,
    output: Output,
}

/// What was read, and how much may be.
struct Output {
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    /// How many lines of standard output have ended.
    lines: u64,
    room: u64,
    overflowed: bool,
}

impl<'a> Streams<'a> {
    /// Takes over our ends of the pipes. `limit` is in bytes, for output and error together.
    pub(crate) fn new(
        stdin: OwnedFd,
        input: &'a [u8],
        stdout: OwnedFd,
        stderr: OwnedFd,
        limit: u64,
    ) -> nix::Result<Self> {
        for fd in [&stdin, &stdout, &stderr] {
            // Changes our end only: the program has an open file of its own.
            fcntl(fd, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        }
        // Nothing to say: the end of input must be seen at once.
        let stdin = (!input.is_empty()).then_some(stdin);
        let output = Output { stdout: Vec::new(), stderr: Vec::new(), lines: 0, room: limit, overflowed: false };
        Ok(Self { stdin, input, stdout: Some(stdout), stderr: Some(stderr), output })
    }

    /// Waits until a stream can be moved, one of `others` has an event, or the deadline is there;
    /// then moves what can be moved. Returns for each of `others` whether it has an event (one that
    /// was asked for, an error or a hang-up).
    pub(crate) fn step(&mut self, others: &[(BorrowedFd<'_>, PollFlags)], deadline: Instant) -> nix::Result<Vec<bool>> {
        let ours =
            [(&self.stdin, PollFlags::POLLOUT), (&self.stdout, PollFlags::POLLIN), (&self.stderr, PollFlags::POLLIN)];
        let mut fds: Vec<PollFd<'_>> = others.iter().map(|(fd, events)| PollFd::new(*fd, *events)).collect();
        fds.extend(ours.iter().filter_map(|(fd, events)| Some(PollFd::new(fd.as_ref()?.as_fd(), *events))));
        match poll(&mut fds, timeout(deadline)) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(errno) => return Err(errno),
        }
        let events = fds.iter().take(others.len()).map(|fd| fd.any().unwrap_or(true)).collect();
        drop(fds);
        self.feed();
        self.output.read(Stream::Out, &mut self.stdout, Some(CHUNK));
        self.output.read(Stream::Err, &mut self.stderr, Some(CHUNK));
        Ok(events)
    }

    /// Reads what is still in the pipes. To be called when no one writes any more.
    pub(crate) fn drain(&mut self) {
        self.output.read(Stream::Out, &mut self.stdout, None);
        self.output.read(Stream::Err, &mut self.stderr, None);
    }

    /// Whether more was printed than may be.
    pub(crate) fn overflowed(&self) -> bool {
        self.output.overflowed
    }

    /// How many lines of standard output have ended so far.
    pub(crate) fn lines(&self) -> u64 {
        self.output.lines
    }

    /// What was printed: standard output and standard error.
    pub(crate) fn finish(self) -> (Vec<u8>, Vec<u8>) {
        (self.output.stdout, self.output.stderr)
    }

    fn feed(&mut self) {
        let Some(stdin) = &self.stdin else { return };
        match write(stdin, self.input) {
            Ok(count) => self.input = self.input.get(count..).unwrap_or_default(),
            Err(Errno::EAGAIN | Errno::EINTR) => {}
            // No one reads any more; what is left unread is the program's own business.
            Err(_) => self.input = &[],
        }
        if self.input.is_empty() {
            self.stdin = None;
        }
    }
}

#[derive(Clone, Copy)]
enum Stream {
    Out,
    Err,
}

impl Output {
    /// Reads until the pipe is empty or ended, or `most` bytes were read, and keeps what there is
    /// room for.
    fn read(&mut self, stream: Stream, fd: &mut Option<OwnedFd>, most: Option<usize>) {
        let mut buffer = [0; CHUNK];
        let mut total = 0;
        while !self.overflowed && most.is_none_or(|most| total < most) {
            let Some(open) = fd else { return };
            match read(open, &mut buffer) {
                Ok(0) => *fd = None,
                Ok(count) => {
                    total += count;
                    self.keep(stream, buffer.get(..count).unwrap_or_default());
                }
                Err(Errno::EINTR) => {}
                Err(Errno::EAGAIN) => return,
                Err(_) => *fd = None,
            }
        }
    }

    fn keep(&mut self, stream: Stream, bytes: &[u8]) {
        let room = usize::try_from(self.room).unwrap_or(usize::MAX).min(bytes.len());
        let (kept, lost) = bytes.split_at(room);
        match stream {
            Stream::Out => {
                self.lines += kept.iter().filter(|byte| **byte == b'\n').count() as u64;
                self.stdout.extend_from_slice(kept);
            }
            Stream::Err => self.stderr.extend_from_slice(kept),
        }
        self.room -= kept.len() as u64;
        self.overflowed |= !lost.is_empty();
    }
}

/// The moment so long after another. A time that no clock reaches is as good as a year.
pub(crate) fn deadline(from: Instant, after: Duration) -> Instant {
    const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);
    from.checked_add(after.min(YEAR)).unwrap_or(from)
}

/// Until the deadline, in the system's milliseconds, rounded up so that no one spins through the
/// last of them.
pub(crate) fn timeout(deadline: Instant) -> PollTimeout {
    let left = deadline.saturating_duration_since(Instant::now());
    let milliseconds = left.saturating_add(Duration::from_nanos(999_999)).as_millis();
    PollTimeout::try_from(milliseconds).unwrap_or(PollTimeout::MAX)
}
