//! A test suite's program, with the solution's room beside it, from its start to its end.

use std::io::{ErrorKind, Read as _};
use std::os::fd::{AsFd as _, AsRawFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Instant;

use nix::poll::PollFlags;

use super::disk::settle;
use super::harness::Harness;
use super::kills::Kills;
use super::kind::{self, SandboxKind};
use super::program::PreparedProgram;
use super::reaper::waited_for;
use super::room::RoomEnds;
use super::run::{InitState, SETUP, begin, prepare, standard_streams, tasks_of};
use super::starter::RoomPlan;
use super::suite_root::{self, SuiteRoot};
use crate::layout::SUITE_ENVIRONMENT;
use crate::streams::{Streams, deadline};
use crate::suite::{REPORT_VARIABLE, SuiteObservation};
use crate::suite_spec::{SuiteGround, SuiteJob};
use crate::task::unexecuted;
use crate::{Error, Limit, ProgramEnd, ResourceUsage, Task};

/// How much of a report is read at once.
const CHUNK: usize = 64 << 10;

/// Builds the rooms and runs the suite's program. `harness` hangs up when no one waits for the answer any more.
pub(super) fn run(ground: &SuiteGround, job: &SuiteJob, harness: &mut Harness<'_>) -> Result<SuiteObservation, Error> {
    let SuiteRoot { root, disk, listener } = suite_root::build(ground, job.limits.disk)?;
    let (mut report, theirs) = Report::new(job.limits.output)?;
    let plan =
        RoomPlan { limits: job.limits, tasks: Some(tasks_of(&job.limits)), filters: &root.filters, path: &root.path };
    let program = program(&kind::SUITE_ROOM, job, &root.path, &theirs, &root.filters, true)?;
    let (standard, [feed, out, err]) = standard_streams(root.owner)?;
    let mut streams = Streams::new(feed, &[], out, err, job.limits.output).map_err(wrong)?;
    let kills = Kills::now();
    let ends = RoomEnds { plan: &plan, report: theirs, listener: listener.into() };
    let (mut init, reported, _hold) = begin(root.owner, &program, standard, false, Some(ends))?;
    let mut state = InitState::default();
    let mut until = deadline(Instant::now(), SETUP);
    let ended = loop {
        let mut others = harness.fds();
        others.extend([(report.ours.as_fd(), PollFlags::POLLIN), (reported.as_fd(), PollFlags::POLLIN)]);
        let events = streams.step(&others, until).map_err(wrong)?;
        harness.step(events.first() == Some(&true))?;
        report.read();
        if events.last() == Some(&true)
            && let Some(end) = state.hear(&reported)?
        {
            break Ok(end);
        }
        if let Some(started) = state.started {
            until = deadline(started, job.limits.wall);
        }
        if streams.overflowed() || report.overflowed {
            break Err(Limit::Output);
        }
        if Instant::now() >= until {
            // It may have ended in the very last moment, and reported it.
            break state.hear(&reported)?.ok_or(Limit::Wall);
        }
    };
    let elapsed = state.started.map(|started| started.elapsed());
    let before = waited_for();
    match ended {
        Ok(_) => init.wait(),
        Err(_) => init.kill(),
    }
    let Some(wall) = elapsed else {
        return Err(Error::setup("start process 1", format!("nothing heard in {SETUP:?}")));
    };
    if let Some(errno) = state.unexecuted {
        return Err(not_executed(job, errno));
    }
    let (end, usage) = ended.unwrap_or_else(|limit| {
        let cpu = waited_for().saturating_sub(before);
        (ProgramEnd::Limit(limit), ResourceUsage { wall, cpu, ..ResourceUsage::default() })
    });
    let filled = disk.filled()?.without_files();
    observation(streams, report, end, usage, |end, usage| {
        let end = kills.judge(end, usage, &job.limits)?;
        Ok(settle(end, usage, &job.limits, filled, &[]))
    })
}

/// What was seen, once everyone who could write is dead. `judge` says what an end means.
pub(super) fn observation(
    mut streams: Streams<'_>,
    mut report: Report,
    end: ProgramEnd,
    usage: ResourceUsage,
    judge: impl FnOnce(ProgramEnd, &ResourceUsage) -> Result<ProgramEnd, Error>,
) -> Result<SuiteObservation, Error> {
    streams.drain();
    report.read();
    // What was printed last may be read only now.
    let end = match end {
        ProgramEnd::Exited(_) | ProgramEnd::Signalled(_) if streams.overflowed() || report.overflowed => {
            ProgramEnd::Limit(Limit::Output)
        }
        end => judge(end, &usage)?,
    };
    let (stdout, stderr) = streams.finish();
    Ok(SuiteObservation { end, stdout, stderr, report: report.bytes, usage })
}

/// The suite's program, ready to be started. `report` is the descriptor that it finds under the same number.
pub(super) fn program<'a>(
    kind: &'static SandboxKind,
    job: &SuiteJob,
    path: &str,
    report: &OwnedFd,
    filters: &'a [seccompiler::BpfProgram],
    counted_apart: bool,
) -> Result<PreparedProgram<'a>, Error> {
    let mut task = Task { env: job.env.clone(), ..Task::new(job.argv.clone(), job.limits) };
    task.env.insert(REPORT_VARIABLE.into(), report.as_raw_fd().to_string());
    let mut program = prepare(kind, &task, &format!("{SUITE_ENVIRONMENT}/bin:{path}"), filters, counted_apart)?;
    // The kernel counts the solution's with it: those that it may have leave as many to the suite.
    program.tasks = program.tasks.map(|tasks| tasks.saturating_mul(2));
    Ok(program)
}

/// The suite's program is not the solution's.
pub(super) fn not_executed(job: &SuiteJob, errno: nix::errno::Errno) -> Error {
    let name = job.argv.first().map_or("", String::as_str);
    let cause = || Error::Program { program: name.to_owned(), cause: errno.to_string() };
    unexecuted(name, &[] as &[&Path], errno).err().unwrap_or_else(cause)
}

fn wrong(errno: nix::errno::Errno) -> Error {
    Error::setup("move its streams", errno)
}

/// What the suite's program says on a socket that is no one else's.
pub(super) struct Report {
    pub(super) ours: UnixStream,
    bytes: Vec<u8>,
    /// How many bytes may still come.
    room: u64,
    /// Whether more came.
    pub(super) overflowed: bool,
}

impl Report {
    /// The socket's two ends. `limit` is in bytes.
    pub(super) fn new(limit: u64) -> Result<(Self, OwnedFd), Error> {
        let wrong = |error| Error::setup("make a socket for its report", error);
        let (ours, theirs) = UnixStream::pair().map_err(wrong)?;
        ours.set_nonblocking(true).map_err(wrong)?;
        Ok((Self { ours, bytes: Vec::new(), room: limit, overflowed: false }, theirs.into()))
    }

    /// Reads what is there.
    pub(super) fn read(&mut self) {
        let mut chunk = vec![0; CHUNK];
        while !self.overflowed {
            match self.ours.read(&mut chunk) {
                Ok(0) => return,
                Ok(count) => {
                    let kept = usize::try_from(self.room).unwrap_or(usize::MAX).min(count);
                    self.bytes.extend_from_slice(chunk.get(..kept).unwrap_or_default());
                    self.room -= kept as u64;
                    self.overflowed = kept < count;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    }
}
