//! Where a program works for hours on folders of the machine, with one way out.
//!
//! [`Session::open`] builds the place and hands over a listener on its loopback: whoever accepts connections there is all
//! that the program can talk to. [`Session::run`] runs one program in it.

use std::collections::BTreeMap;
use std::convert;
use std::fs::File;
use std::net::{Shutdown, TcpListener};
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::errno::Errno;
use serde::{Deserialize, Serialize};

use crate::docker::{self, Gift, Image};
use crate::namespaces::{GRACE, OPENING, explain, start_worker};
use crate::worker::{Reply, Request};
use crate::worker_channel::WorkerChannel;
use crate::{End, Error, Limits, Runtime, Usage, handover};

/// Where a session's program finds its working folder, and starts.
pub const WORKSPACE: &str = "/workspace";

/// Where it finds its home.
pub const HOME: &str = "/home/agent";

/// Where it finds what was installed for it.
pub const INSTALLATION: &str = "/opt/agent";

/// The memory that a job may be granted at most, in bytes: a container's own limit is somewhat beyond.
pub const MOST_MEMORY: u64 = 8 << 30;

/// The processes that a job may be granted at most.
pub const MOST_PROCESSES: u32 = 512;

/// Whose system a session's program finds, and what keeps it there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum System {
    /// This machine's, shown by Linux namespaces: no daemon, no root.
    Machine(Runtime),
    /// An image's, in a container. Its engine has to be on this machine, whose folders it shows.
    Image(Image),
}

/// What a session sees, beside its system's folders, read-only, and a `/tmp` in memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Shown as [`WORKSPACE`], and written to. If the caller is root, all of it changes its owner, to a user without any
    /// power: no file in it may have a second name (a hard link) elsewhere.
    pub workspace: PathBuf,
    /// Shown as [`HOME`], and written to, as the workspace is.
    pub home: PathBuf,
    /// Shown as [`INSTALLATION`], read-only.
    pub installation: Option<PathBuf>,
    /// What else is there.
    pub system: System,
    /// Paths of the machine that the program may not see, wherever they lie. Workspace, home and installation may lie in
    /// one of them. In a container, no other path of the machine is there.
    pub hide: Vec<PathBuf>,
    /// Where its standard output is written while it runs: a file that does not exist yet. Not shown.
    pub stdout: PathBuf,
    /// The same for its standard error.
    pub stderr: PathBuf,
    /// The TCP port of the listener, on the session's own `127.0.0.1`.
    pub port: u16,
    /// How much `/tmp` and `/dev/shm` hold together, in bytes of memory; in a container, each of them. What goes beyond is
    /// an error to the program.
    pub scratch: u64,
}

/// What is run in a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The program and its arguments. A program without `/` is looked up in the session's `PATH`.
    pub argv: Vec<String>,
    /// Added to the fixed environment, and stronger than it.
    pub env: BTreeMap<String, String>,
    /// When to stop. Here `disk` is what workspace and home may hold together, at least a page a name, with the files that
    /// have no name any more and are open: counted every few seconds, and at once when the machine has lost as much.
    pub limits: Limits,
    /// How much of the machine's disk has to stay free, in bytes. Beyond, the program hits its limit of disk if it holds as
    /// much as this, or something that cannot be counted; if no session does, half of it ends all, as the machine's failure.
    pub reserve: u64,
}

/// How a session's program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Worked {
    /// How.
    pub end: End,
    /// What it took.
    pub usage: Usage,
}

/// A place for one program: Linux namespaces, or a container.
///
/// All its processes end with the program, with the session, and with the caller's process, even if that is killed; all
/// it leaves is in its workspace, its home and the two files of its output.
///
/// The protections are those of [`Namespaces`](crate::Namespaces) or [`Docker`](crate::docker::Docker), and so is what
/// they leave uncounted. Memory and processes are sampled every 50 ms; there is no limit on a process's addresses.
#[derive(Debug)]
pub struct Session {
    worker: WorkerChannel,
    /// What the program has to own before it runs, where its worker has no power to see to that.
    gift: Option<Gift>,
    /// Adds to an error what this machine lacks.
    explain: fn(Error) -> Error,
}

/// Ends a [`Session`]'s program from elsewhere, when it goes.
#[derive(Debug)]
pub struct Stopper(UnixStream);

impl Drop for Stopper {
    fn drop(&mut self) {
        // Fails only where the session has ended.
        let _ = self.0.shutdown(Shutdown::Both);
    }
}

impl Session {
    /// Builds the place. The listener accepts what is connected to [`Place::port`] in there.
    ///
    /// # Errors
    ///
    /// [`Error::Unsupported`] says what this machine lacks, [`Error::Place`] which path of the place cannot be used.
    pub fn open(place: &Place) -> Result<(Self, TcpListener), Error> {
        let place = place.settled()?;
        let output = [create(&place.stdout)?, create(&place.stderr)?];
        let mut session = match &place.system {
            System::Machine(_) => Self { worker: start_worker()?, gift: None, explain },
            System::Image(image) => {
                let (worker, gift) = docker::start_worker(&place, image)?;
                Self { worker, gift, explain: convert::identity }
            }
        };
        let listener = session.settle(place, output).map_err(session.explain)?;
        Ok((session, listener))
    }

    fn settle(&mut self, place: Place, output: [File; 2]) -> Result<TcpListener, Error> {
        self.worker.tell(&Request::Settle(place))?;
        let input = self.worker.input.as_ref();
        let sent =
            output.iter().try_for_each(|file| input.map_or(Err(Errno::EBADF), |to| handover::send(to, file.as_fd())));
        if sent == Err(Errno::ETOOMANYREFS) {
            // It would wait for them, and this for its answer.
            let cause = "this user's programs have too many in flight; raise `ulimit -n`";
            return Err(Error::setup("hand over the files of its output", cause));
        }
        // If it was not there to receive them, its answer says why.
        match self.worker.hear(OPENING)? {
            Reply::Settled => {}
            other => return Err(self.worker.nonsense(&other)),
        }
        let received = sent.and_then(|()| self.worker.input.as_ref().map_or(Err(Errno::EBADF), handover::receive));
        received.map(TcpListener::from).map_err(|errno| Error::setup("receive its listener", errno))
    }

    /// Something that ends the program early: [`Session::run`] then is an error.
    ///
    /// # Errors
    ///
    /// [`Error::Setup`] if there are no descriptors left.
    pub fn stopper(&self) -> Result<Stopper, Error> {
        let copy = self.worker.input.as_ref().map(UnixStream::try_clone);
        let copy = copy.ok_or("it was lost before".to_owned()).and_then(|copy| copy.map_err(|error| error.to_string()));
        copy.map(Stopper).map_err(|cause| Error::setup("keep a hold on its worker", cause))
    }

    /// Runs the session's one program to its end, at most a little longer than its wall clock limit.
    ///
    /// # Errors
    ///
    /// Only what is not the program's fault.
    pub fn run(mut self, job: &Job) -> Result<Worked, Error> {
        self.gift.as_ref().map_or(Ok(()), Gift::give)?;
        let time_limit = job.limits.wall.saturating_add(GRACE);
        match self.worker.ask(&Request::Work(job.clone()), time_limit).map_err(self.explain)? {
            Reply::Worked(worked) => Ok(worked),
            other => Err(self.worker.nonsense(&other)),
        }
    }
}

fn create(path: &Path) -> Result<File, Error> {
    let created = File::options().write(true).create_new(true).open(path);
    created.map_err(|error| Error::Place { path: path.to_owned(), cause: error.to_string() })
}

impl Place {
    /// The same with absolute paths without symbolic links.
    fn settled(&self) -> Result<Self, Error> {
        let folder = |path: &Path| {
            let wrong = |cause: String| Error::Place { path: path.to_owned(), cause };
            match path.canonicalize() {
                Ok(real) if real.is_dir() => Ok(real),
                Ok(_) => Err(wrong("expected a folder".into())),
                Err(error) => Err(wrong(error.to_string())),
            }
        };
        let file = |path: &Path| {
            let wrong = || Error::Place { path: path.to_owned(), cause: "expected the path of a file".into() };
            let name = path.file_name().ok_or_else(wrong)?;
            let parent = path.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."));
            Ok(folder(parent)?.join(name))
        };
        Ok(Self {
            workspace: folder(&self.workspace)?,
            home: folder(&self.home)?,
            installation: self.installation.as_deref().map(folder).transpose()?,
            system: self.system.clone(),
            hide: self.hide.iter().filter_map(|path| path.canonicalize().ok()).collect(),
            stdout: file(&self.stdout)?,
            stderr: file(&self.stderr)?,
            port: self.port,
            scratch: self.scratch,
        })
    }
}

impl Job {
    /// A job with limits that fit an agent at work: a program that needs more is not developing any more.
    pub fn new(argv: Vec<String>, wall: Duration) -> Self {
        const GIB: u64 = 1 << 30;
        let limits = Limits {
            wall,
            cpu: Duration::MAX,
            memory: MOST_MEMORY,
            processes: MOST_PROCESSES,
            file_size: 2 * GIB,
            disk: 8 * GIB,
            output: GIB / 2,
        };
        Self { argv, env: BTreeMap::new(), limits, reserve: GIB }
    }
}
