//! A test suite's program in a container, whose process 1 this is, with the solution's room in another.

use std::os::fd::{AsFd as _, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Instant;

use nix::poll::PollFlags;
use nix::sys::statvfs::statvfs;

use super::child::Child;
use super::companion::Companion;
use super::contained::Inside;
use super::disk::{DiskUse, settle};
use super::harness::Harness;
use super::kills::Kills;
use super::kind::SUITE_ROOM;
use super::run::standard_streams;
use super::suite::{Report, not_executed, observation, program};
use crate::layout::{SHARED_DISKS, WORKSPACE};
use crate::streams::{Streams, deadline};
use crate::suite::SuiteObservation;
use crate::suite_spec::SuiteJob;
use crate::{Error, Limit, Limits, ProgramEnd, handover};

/// Runs the suite's program. `harness` hands over the line to the solution's room, and hangs up when no one waits for the
/// answer any more.
pub(super) fn run(job: &SuiteJob, line: BorrowedFd<'_>, harness: &mut Harness<'_>) -> Result<SuiteObservation, Error> {
    let wrong = |errno| Error::setup("watch the suite", errno);
    let companion = Companion::new(UnixStream::from(handover::receive(line).map_err(wrong)?));
    let inside = Inside::enter(&SUITE_ROOM, job.has_environment)?;
    let copied = used(WORKSPACE)?;
    let (mut report, theirs) = Report::new(job.limits.output)?;
    let program = program(&SUITE_ROOM, job, &inside.path, &theirs, &inside.filters, false)?;
    let (standard, [feed, out, err]) = standard_streams(inside.owner)?;
    let mut streams = Streams::new(feed, &[], out, err, job.limits.output).map_err(wrong)?;
    let kills = Kills::now();
    let mut child = Child::of_suite(&program, standard, theirs, companion)?;
    let watched = watch(&mut child, &job.limits, &mut streams, &mut report, harness);
    // First, as it may hold what the suite's processes wait for.
    let ended = child.end_companion();
    let usage = child.kill();
    let end = watched?;
    let was_killed = ended?;
    if let Some(errno) = child.unexecuted()? {
        return Err(not_executed(job, errno));
    }
    let filled = filled(&job.limits, copied)?;
    observation(streams, report, end, usage, |end, usage| {
        let end = match was_killed {
            true if !matches!(end, ProgramEnd::Limit(_)) => ProgramEnd::Limit(Limit::Memory),
            _ => kills.judge(end, usage, &job.limits)?,
        };
        Ok(settle(end, usage, &job.limits, filled, &[] as &[&Path]))
    })
}

/// Moves streams and looks at the processes until the program ends or a limit is hit.
fn watch(
    child: &mut Child,
    limits: &Limits,
    streams: &mut Streams<'_>,
    report: &mut Report,
    harness: &mut Harness<'_>,
) -> Result<ProgramEnd, Error> {
    let until = deadline(child.started(), limits.wall);
    loop {
        let mut others = harness.fds();
        others.extend([(report.ours.as_fd(), PollFlags::POLLIN), (child.news(), PollFlags::POLLIN)]);
        let events = streams.step(&others, until.min(child.due()));
        let events = events.map_err(|errno| Error::setup("watch the suite", errno))?;
        harness.step(events.first() == Some(&true))?;
        report.read();
        if streams.overflowed() || report.overflowed {
            return Ok(ProgramEnd::Limit(Limit::Output));
        }
        if let Some(end) = child.look(limits)? {
            return Ok(end);
        }
        if Instant::now() >= until {
            return Ok(ProgramEnd::Limit(Limit::Wall));
        }
    }
}

/// What the suite and the solution left on their disks, each of which could hold all that they may. `copied` is what the
/// solution itself takes of one.
fn filled(limits: &Limits, copied: u64) -> Result<DiskUse, Error> {
    let mut sum = DiskUse { disk: false, used: 0 };
    for folder in SHARED_DISKS {
        let status = statvfs(folder).map_err(|errno| Error::setup(format!("look at the disk of {folder}"), errno))?;
        sum.used += used(folder)?;
        sum.disk |= status.blocks_available() == 0 || status.files_free() == 0;
    }
    sum.disk |= sum.used.saturating_sub(copied) >= limits.disk.max(1);
    Ok(sum.without_files())
}

fn used(folder: &str) -> Result<u64, Error> {
    let status = statvfs(folder).map_err(|errno| Error::setup(format!("look at the disk of {folder}"), errno))?;
    Ok((status.blocks() - status.blocks_free()).saturating_mul(status.fragment_size()))
}
