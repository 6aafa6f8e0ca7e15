//! The solution's room, in namespaces within those of the suite's room: made by process 1 there, kept by a process 1 of its own.
//!
//! The kernel gives whoever made a user namespace power over it, and none the other way: process 1 sees and counts all
//! processes of both rooms, and ends them; the solution's see their own. Both have one network.

use std::fs::File;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;

use nix::poll::{PollFd, PollTimeout, poll};
use nix::sys::prctl;
use nix::sys::signal::Signal;
use nix::unistd::{Gid, Pid, Uid, dup2_stderr, dup2_stdin, dup2_stdout, getegid, geteuid};

use super::kind::SOLUTION_ROOM;
use super::program::InitReport;
use super::score::Score;
use super::starter::{RoomPlan, Starter};
use super::{inside, shared, stage};
use crate::layout::INSIDE;
use crate::{Error, handover, sys, wire};

/// What the rooms of a suite take beside pipes.
pub(super) struct RoomEnds<'a> {
    pub(super) plan: &'a RoomPlan<'a>,
    /// The end of the report's socket that the suite's program gets.
    pub(super) report: OwnedFd,
    /// Where launchers connect.
    pub(super) listener: OwnedFd,
}

/// A room that is kept.
pub(super) struct OpenRoom {
    /// Its process 1, as this process namespace knows it.
    pub(super) keeper: Pid,
    /// Where its programs tell of their shared memory.
    pub(super) calls: OwnedFd,
    pub(super) report: OwnedFd,
}

/// Opens the solution's room. To be called before this process enters its own root.
pub(super) fn open(ends: RoomEnds<'_>, reports: &mut File) -> Result<OpenRoom, Error> {
    let RoomEnds { plan, report, listener } = ends;
    let (ours, theirs) = UnixStream::pair().map_err(|error| Error::setup("make a socket", error))?;
    let theirs = handover::out_of_the_way(theirs).map_err(|errno| Error::setup("make a socket", errno))?;
    let user = (geteuid(), getegid());
    let mut ends = Some((listener, theirs));
    let keeper = sys::spawn(SOLUTION_ROOM.namespaces, || {
        let Some((listener, theirs)) = ends.take() else { return 1 };
        match keep(plan, user, listener, theirs, reports) {
            Ok(()) => 0,
            Err(error) => {
                let _ = wire::write(reports, &InitReport::Failed(error));
                1
            }
        }
    });
    let keeper = keeper.map_err(|errno| Error::setup("create the namespaces of the solution's room", errno))?;
    drop(ends);
    // What kept it from telling is in its own report.
    let calls = handover::receive(&ours).and_then(handover::out_of_the_way);
    let calls = calls.map_err(|errno| Error::setup("open the solution's room", errno))?;
    Ok(OpenRoom { keeper, calls, report })
}

/// The life of the room's process 1.
fn keep(
    plan: &RoomPlan<'_>,
    user: (Uid, Gid),
    listener: OwnedFd,
    theirs: OwnedFd,
    reports: &File,
) -> Result<(), Error> {
    let wrong = |errno| Error::setup("open the solution's room", errno);
    sys::close_all_but(&[listener.as_fd(), theirs.as_fd(), reports.as_fd()]).map_err(wrong)?;
    // Its files in /proc are its own again, for a moment in which no program is there.
    prctl::set_dumpable(true).map_err(wrong)?;
    stage::map_this_user(INSIDE, user)?;
    let score = Score::open()?;
    inside::enter(&SOLUTION_ROOM, || Ok(()))?;
    prctl::set_pdeathsig(Signal::SIGKILL).map_err(wrong)?;
    // So that no program's streams take their numbers.
    let null = File::options().read(true).write(true).open("/dev/null");
    let null = null.map_err(|error| Error::setup("open /dev/null", error))?;
    dup2_stdin(&null).and_then(|()| dup2_stdout(&null)).and_then(|()| dup2_stderr(&null)).map_err(wrong)?;
    for filter in plan.filters {
        seccompiler::apply_filter(filter).map_err(|error| Error::setup("apply its system call filter", error))?;
    }
    let mut starter = Starter::new(plan, &[], Some(score), listener)?;
    shared::tell(&UnixStream::from(theirs))?;
    loop {
        let mut fds: Vec<_> = starter.fds().map(|(fd, events)| PollFd::new(fd, events)).collect();
        // Interrupted or not: there may be something to do.
        let _ = poll(&mut fds, PollTimeout::NONE);
        drop(fds);
        starter.step()?;
    }
}
