//! A test suite on the machine itself: one room for it and the solution, without walls.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

use nix::errno::Errno;
use nix::poll::PollFlags;
use tempfile::TempDir;

use super::life::{Life, command};
use crate::record::ServiceTotal;
use crate::snapshot::{CopyRules, Snapshot};
use crate::suite::{REPORT_VARIABLE, Suite, SuiteLayout, SuiteObservation};
use crate::task::unexecuted;
use crate::{Error, ProgramEnd, Solution};

/// The descriptor of the report: standard input, the one that a child gets without any other child getting it as well.
const REPORT_DESCRIPTOR: &str = "0";

/// Runs the suite in a copy of the solution, with the tests and their environment where they lie.
pub(super) fn play(
    solution: &Solution,
    suite: &Suite,
    make: &dyn Fn(&SuiteLayout<'_>) -> Vec<String>,
) -> Result<SuiteObservation, Error> {
    let rooms = OneRoom::new(&solution.dir)?;
    let workspace = rooms.0.path().join("workspace");
    let layout =
        SuiteLayout { folder: &suite.folder, environment: &suite.environment, workspace: &workspace, launcher: &[] };
    let argv = make(&layout);
    let (ours, theirs) = UnixStream::pair().map_err(|error| Error::setup("make the report's socket", error))?;
    let mut environment: BTreeMap<String, String> = suite.env.clone();
    environment.insert(REPORT_VARIABLE.to_owned(), REPORT_DESCRIPTOR.to_owned());
    // As in the sandbox: a suite starts one solution hundreds of times.
    environment.insert("PYTHONDONTWRITEBYTECODE".to_owned(), String::new());
    let mut command = command(&argv, solution, &environment, &workspace, &rooms.0.path().join("home"));
    command.stdin(Stdio::from(OwnedFd::from(theirs)));
    let started = Instant::now();
    let child = match command.spawn() {
        Ok(child) => child,
        Err(error) => {
            let errno = Errno::from_raw(error.raw_os_error().unwrap_or(0));
            let name = argv.first().map_or("", String::as_str);
            let end = unexecuted(name, &[&workspace], errno)?;
            return Ok(SuiteObservation {
                end,
                stdout: Vec::new(),
                stderr: Vec::new(),
                report: Vec::new(),
                usage: Default::default(),
            });
        }
    };
    // The command keeps the other end until it goes.
    drop(command);
    let no_input = File::open("/dev/null").map_err(|error| Error::setup("open /dev/null", error))?;
    let life = Life::of(child, Some(no_input.into()), &[], &suite.limits, started)?;
    watch(life, ReportReader::new(ours, suite.limits.output)?)
}

/// Reads the report until the program is over.
fn watch(mut life: Life<'_>, mut report: ReportReader) -> Result<SuiteObservation, Error> {
    let stopped: Option<ProgramEnd> = loop {
        let others = report.socket.as_ref().map(|socket| (socket.as_fd(), PollFlags::POLLIN));
        let over = life.step(others.as_slice(), None)?;
        report.read()?;
        if let Some(over) = over {
            break over;
        }
    };
    let mut record = ServiceTotal::default();
    let end = life.finish(stopped, &mut record)?;
    report.read()?;
    let ServiceTotal { stdout, stderr, usage, .. } = record;
    Ok(SuiteObservation { end, stdout, stderr, report: report.kept, usage })
}

/// What comes over the report's socket, up to a number of bytes. What is beyond is read and dropped, so that nobody waits.
struct ReportReader {
    socket: Option<UnixStream>,
    kept: Vec<u8>,
    most: usize,
}

impl ReportReader {
    fn new(socket: UnixStream, most: u64) -> Result<Self, Error> {
        socket.set_nonblocking(true).map_err(wrong)?;
        Ok(Self { socket: Some(socket), kept: Vec::new(), most: usize::try_from(most).unwrap_or(usize::MAX) })
    }

    /// Reads what is there.
    fn read(&mut self) -> Result<(), Error> {
        let mut buffer = [0; 64 * 1024];
        while let Some(socket) = &mut self.socket {
            match socket.read(&mut buffer) {
                Ok(0) => self.socket = None,
                Ok(count) => {
                    let room = self.most.saturating_sub(self.kept.len()).min(count);
                    self.kept.extend_from_slice(buffer.get(..room).unwrap_or_default());
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::ConnectionReset => self.socket = None,
                Err(error) => return Err(wrong(error)),
            }
        }
        Ok(())
    }
}

fn wrong(error: std::io::Error) -> Error {
    Error::setup("read the suite's report", error)
}

/// A temporary folder with a copy of the solution and a home. Gone when this is.
struct OneRoom(TempDir);

impl OneRoom {
    fn new(solution: &Path) -> Result<Self, Error> {
        let temporary = tempfile::tempdir().map_err(|error| Error::setup("make a temporary folder", error))?;
        let rooms = Self(temporary);
        let path = rooms.0.path();
        fs::create_dir(path.join("home")).map_err(|error| Error::setup("make a temporary folder", error))?;
        let copied = Snapshot::take(solution, &path.join("workspace"), &CopyRules::default());
        copied.map_err(|error| Error::Solution { path: solution.to_owned(), cause: error.to_string() })?;
        Ok(rooms)
    }
}

impl Drop for OneRoom {
    fn drop(&mut self) {
        // The folder's own end recurses, and what a program left may be of any depth.
        let _ = slopbench_walk::remove(self.0.path());
    }
}
