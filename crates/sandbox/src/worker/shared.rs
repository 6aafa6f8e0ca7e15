//! Shared memory that no process has in its page tables: the kernel charges it to no one.
//!
//! Whoever maps memory that is shared and no file's can drop its pages from every page table (`MADV_DONTNEED`), or unmap
//! all of it but one page: the rest stays, and no file of `/proc` that an ordinary user may read says how much it is. So
//! process 1 is told of each shared mapping before it is made, and notes its size; a mapping counts in full until
//! the last part of it is gone.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::libc::{self, sock_filter};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::prctl;
use nix::time::{ClockId, clock_gettime};

use super::sample;
use crate::layout::PAGE;
use crate::{Error, handover, sys};

/// A call that was let go is over by then, whatever its process has to wait for.
const TIMEOUT: Duration = Duration::from_secs(1);

/// So much may have been asked for, in bytes, without anyone having looked at what became of it: programs of all sorts map a
/// small file of the machine's as they start, and each look reads all mappings of a process.
const UNSETTLED: u64 = 1 << 20;

/// What the kernel calls shared memory that is no file's, in `/proc/PID/maps`.
const NAME: &[u8] = b"/dev/zero (deleted)";

/// The shared mappings of a sandbox.
#[derive(Debug, Default)]
pub(super) struct Shared {
    /// Of each program that tells.
    listeners: Vec<OwnedFd>,
    /// Calls that were let go, as long as one of their process may still make its mapping.
    calls: Vec<Call>,
    /// Sizes of what was found, by the number of its file.
    sizes: BTreeMap<u64, u64>,
    /// What processes made that may not be looked into.
    unseen: u64,
    /// Processor time that the calls took of process 1.
    pub(super) heard: Duration,
}

#[derive(Clone, Copy, Debug)]
struct Call {
    thread: u32,
    process: u32,
    size: u64,
    /// Its thread has called again.
    is_over: bool,
    /// When it was let go, or was over.
    since: Instant,
    /// A file has got its size.
    is_found: bool,
}

/// What one look at a process's mappings finds.
enum Found {
    /// The numbers of files of shared memory, and the end of the farthest part that is mapped.
    Files(BTreeMap<u64, u64>),
    /// Not to be looked into.
    Closed,
    Gone,
}

/// In the program's own process: has it tell of its shared mappings from now on, and of those of its children.
pub(super) fn tell(to: &UnixStream) -> Result<(), Error> {
    handover::send(to, listen()?.as_fd()).map_err(wrong)
}

/// Has this process tell of its shared mappings from now on, and its children: where to listen to them.
pub(super) fn listen() -> Result<OwnedFd, Error> {
    prctl::set_no_new_privs().map_err(wrong)?;
    sys::filter_and_listen(&filter()).map_err(wrong)
}

fn wrong(errno: Errno) -> Error {
    Error::setup("tell of its shared memory", errno)
}

impl Shared {
    /// Listens to a program that [`tell`]s. If it could not, there is nothing to be heard: its own report says why.
    pub(super) fn of(program: &UnixStream) -> Self {
        Self { listeners: handover::receive(program).into_iter().collect(), ..Self::default() }
    }

    /// Listens to another program as well.
    pub(super) fn and(&mut self, listener: OwnedFd) {
        self.listeners.push(listener);
    }

    /// Have an event when there is something to [`Self::hear`].
    pub(super) fn listeners(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        self.listeners.iter().map(OwnedFd::as_fd)
    }

    /// Notes a mapping of each listener's that is about to be made, and lets it go. One at a time: where several threads call,
    /// there is always one that waits, and who answers them all would never come to look at the limits.
    pub(super) fn hear(&mut self) -> Result<(), Error> {
        for listener in std::mem::take(&mut self.listeners) {
            if self.hear_of(&listener)? {
                self.listeners.push(listener);
            }
        }
        Ok(())
    }

    /// Whether there is someone left who could call.
    fn hear_of(&mut self, listener: &OwnedFd) -> Result<bool, Error> {
        let wrong = |errno| Error::setup("hear of its shared memory", errno);
        let mut fds = [PollFd::new(listener.as_fd(), PollFlags::POLLIN)];
        match poll(&mut fds, PollTimeout::ZERO) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(errno) => return Err(wrong(errno)),
        }
        let events = fds.first().and_then(PollFd::revents).unwrap_or(PollFlags::empty());
        if events.contains(PollFlags::POLLIN) {
            match sys::take_call(listener.as_fd()) {
                Ok(call) => {
                    let before = processor_time();
                    let noted = self.note(listener.as_fd(), &call);
                    self.heard += processor_time().saturating_sub(before);
                    noted?;
                }
                // Who called is gone, or was interrupted and calls again.
                Err(Errno::ENOENT | Errno::EINTR) => {}
                Err(errno) => return Err(wrong(errno)),
            }
            return Ok(true);
        }
        Ok(!events.contains(PollFlags::POLLHUP))
    }

    fn note(&mut self, listener: BorrowedFd<'_>, waiting: &sys::PendingCall) -> Result<(), Error> {
        let thread = waiting.thread;
        let process = sample::process_of(thread).unwrap_or(thread);
        for call in self.calls.iter_mut().filter(|call| call.thread == thread && !call.is_over) {
            // A thread that calls again has done what it was let go for.
            (call.is_over, call.since) = (true, Instant::now());
        }
        // Not the others' as well: each call would take as long as they are many.
        let (its, others) = std::mem::take(&mut self.calls).into_iter().partition(|call| call.process == process);
        self.calls = others;
        let of_the_gone = self.settle_process(process, its);
        self.settle_gone(of_the_gone);
        let [_, size, ..] = waiting.arguments;
        self.calls.push(Call { thread, process, size, is_over: false, since: Instant::now(), is_found: false });
        match sys::let_go(listener, waiting) {
            Ok(()) | Err(Errno::ENOENT) => Ok(()),
            Err(errno) => Err(Error::setup("answer to its shared memory", errno)),
        }
    }

    /// How much shared memory there is at most, in bytes: what was unmapped since may still count, and a little that was asked for.
    pub(super) fn at_most(&mut self) -> u64 {
        let open = self.calls.iter().filter(|call| !call.is_found);
        let asked = open.fold(0, |sum: u64, call| sum.saturating_add(call.size.saturating_add(PAGE)));
        if asked <= UNSETTLED && self.calls.iter().all(|call| call.since.elapsed() < TIMEOUT) {
            return self.sum().saturating_add(asked);
        }
        self.settle();
        self.sum()
    }

    /// How much there is, in bytes. Slower: looks at every process.
    pub(super) fn now(&mut self) -> u64 {
        self.settle();
        let all: Vec<Found> = sample::processes().map(mapped_by).collect();
        if !all.iter().any(|found| matches!(found, Found::Closed)) {
            let mapped: BTreeSet<u64> = all.iter().flat_map(Found::files).map(|(file, _)| file).collect();
            self.sizes.retain(|file, _| mapped.contains(file));
        }
        if self.calls.is_empty() {
            for (file, end) in all.iter().flat_map(Found::files) {
                // What no call told of counts as far as it can be seen.
                self.sizes.entry(file).or_insert(end);
            }
        }
        self.sum()
    }

    fn sum(&self) -> u64 {
        self.sizes.values().fold(self.unseen, |sum, size| sum.saturating_add(*size))
    }

    /// Looks for what was made by the calls that were let go.
    fn settle(&mut self) {
        let mut calls = std::mem::take(&mut self.calls);
        calls.sort_by_key(|call| call.process);
        let mut of_the_gone = Vec::new();
        for its in calls.chunk_by(|one, other| one.process == other.process) {
            let process = its.first().map_or(0, |call| call.process);
            of_the_gone.extend(self.settle_process(process, its.to_vec()));
        }
        // Last: what living processes made is no one else's.
        self.settle_gone(of_the_gone);
    }

    /// The same for the calls of one process, and keeps those that may still tell of something. Returns those that are left where
    /// it has ended.
    fn settle_process(&mut self, process: u32, mut calls: Vec<Call>) -> Vec<Call> {
        if calls.iter().any(|call| !call.is_found) {
            match mapped_by(process) {
                Found::Files(files) => self.match_up(&files, &mut calls),
                Found::Closed => {
                    let unseen = calls.iter().filter(|call| !call.is_found);
                    self.unseen = unseen.fold(self.unseen, |sum, call| sum.saturating_add(call.size));
                    return Vec::new();
                }
                Found::Gone => return calls,
            }
        }
        calls.retain(|call| call.since.elapsed() < TIMEOUT);
        // Whose file took the size of another call tells of that one's when it is found.
        if calls.iter().any(|call| !call.is_over) {
            self.calls.extend(calls.into_iter().filter(|call| !call.is_over || !call.is_found));
        }
        Vec::new()
    }

    /// The same for calls of processes that have ended: children may have kept what they made.
    fn settle_gone(&mut self, mut calls: Vec<Call>) {
        if calls.is_empty() {
            return;
        }
        let mut files = BTreeMap::new();
        for found in sample::processes().map(mapped_by) {
            files.extend(found.files());
        }
        self.match_up(&files, &mut calls);
    }

    /// Gives each new file the size of a call. Where several were made at the same time, no one can say which is which: the
    /// one that shows all that was asked for, or else, as most of it may be unmapped again, the largest.
    fn match_up(&mut self, files: &BTreeMap<u64, u64>, calls: &mut [Call]) {
        for (file, end) in files {
            if self.sizes.contains_key(file) {
                continue;
            }
            let rank =
                |call: &&mut Call| (call.size.checked_next_multiple_of(PAGE) == Some(*end), call.size, call.is_over);
            if let Some(call) = calls.iter_mut().filter(|call| !call.is_found).max_by_key(rank) {
                call.is_found = true;
                self.sizes.insert(*file, call.size);
            }
        }
    }
}

/// Processor time of this process so far.
fn processor_time() -> Duration {
    clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

impl Found {
    fn files(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let files = if let Self::Files(files) = self { Some(files) } else { None };
        files.into_iter().flatten().map(|(file, end)| (*file, *end))
    }
}

/// What a process, or one of its threads, has mapped. If its first thread has ended, which leaves it without mappings
/// in its own entry, another thread's entry tells.
fn mapped_by(process: u32) -> Found {
    match fs::read(format!("/proc/{process}/maps")) {
        Ok(text) if text.is_empty() => {
            let folder = format!("/proc/{process}/task");
            let threads = sample::numbers(&folder);
            let others = threads.map(|thread| fs::read(format!("/proc/{process}/task/{thread}/maps")));
            others.flatten().find(|text| !text.is_empty()).map_or(Found::Gone, |text| Found::Files(files_in(&text)))
        }
        Ok(text) => Found::Files(files_in(&text)),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Found::Closed,
        Err(_) => Found::Gone,
    }
}

/// The files of shared memory in a text of `/proc/PID/maps`, each with the end of what is mapped of it, in bytes.
fn files_in(maps: &[u8]) -> BTreeMap<u64, u64> {
    let mut files = BTreeMap::new();
    for (file, end) in maps.split(|byte| *byte == b'\n').filter_map(file_in) {
        let known = files.entry(file).or_insert(end);
        *known = end.max(*known);
    }
    files
}

/// A line is "from-to rwxs offset device file name"; all numbers but the file's are hexadecimal.
fn file_in(line: &[u8]) -> Option<(u64, u64)> {
    let mut fields = str::from_utf8(line.strip_suffix(NAME)?).ok()?.split_ascii_whitespace();
    let (from, to) = fields.next()?.split_once('-')?;
    fields.next()?;
    let number = |text: &str| u64::from_str_radix(text, 16).ok();
    let end = number(fields.next()?)?.saturating_add(number(to)?.saturating_sub(number(from)?));
    fields.next()?;
    Some((fields.next()?.parse().ok()?, end))
}

/// Stops at each `mmap` with the bit of `MAP_SHARED`, for someone to be told.
fn filter() -> Vec<sock_filter> {
    // The lower half of the fourth argument of `struct seccomp_data`, on the little-endian machines that there are.
    const FLAGS: u32 = 16 + 3 * 8;
    let [load, equal, any_bit, end] = [0x20, 0x15, 0x45, 0x06];
    let step = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    vec![
        step(load, 0, 0, 0),
        step(equal, 0, 3, libc::SYS_mmap as u32),
        step(load, 0, 0, FLAGS),
        step(any_bit, 0, 1, libc::MAP_SHARED as u32),
        step(end, 0, 0, libc::SECCOMP_RET_USER_NOTIF),
        step(end, 0, 0, libc::SECCOMP_RET_ALLOW),
    ]
}
