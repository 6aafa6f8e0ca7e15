//! Where a program works for hours on folders of the machine, with one way out.
//!
//! [`Session::open`] builds the place and hands over a listener on its loopback: whoever accepts connections there is all
//! that the program can talk to. [`Session::run`] runs one program in it.

use std::convert;
use std::fs::File;
use std::net::{Shutdown, TcpListener};
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::path::Path;

use nix::errno::Errno;

use crate::docker::{self, OwnershipChange};
pub use crate::layout::{HOME, INSTALLATION, WORKSPACE};
use crate::probe::explain;
use crate::protocol::{WorkerReply, WorkerRequest};
pub use crate::session_spec::{JobEnd, MOST_MEMORY, MOST_PROCESSES, SessionJob, SessionSpec, System};
use crate::worker_channel::{GRACE, OPENING, WorkerChannel};
use crate::worker_process::start_worker;
use crate::{Error, handover};

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
    ownership: Option<OwnershipChange>,
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
    /// Builds the place. The listener accepts what is connected to [`SessionSpec::port`] in there.
    ///
    /// # Errors
    ///
    /// [`Error::Unsupported`] says what this machine lacks, [`Error::Place`] which path of the place cannot be used.
    pub fn open(spec: &SessionSpec) -> Result<(Self, TcpListener), Error> {
        let spec = spec.settled()?;
        let output = [create(&spec.stdout)?, create(&spec.stderr)?];
        let mut session = match &spec.system {
            System::Machine(_) => Self { worker: start_worker()?, ownership: None, explain },
            System::Image(image) => {
                let (worker, ownership) = docker::start_worker(&spec, image)?;
                Self { worker, ownership, explain: convert::identity }
            }
        };
        let listener = session.settle(spec, output).map_err(session.explain)?;
        Ok((session, listener))
    }

    fn settle(&mut self, spec: SessionSpec, output: [File; 2]) -> Result<TcpListener, Error> {
        self.worker.tell(&WorkerRequest::Settle(spec))?;
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
            WorkerReply::Settled => {}
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
    pub fn run(mut self, job: &SessionJob) -> Result<JobEnd, Error> {
        self.ownership.as_ref().map_or(Ok(()), OwnershipChange::apply)?;
        let time_limit = job.limits.wall.saturating_add(GRACE);
        match self.worker.ask(&WorkerRequest::Work(job.clone()), time_limit).map_err(self.explain)? {
            WorkerReply::Worked(worked) => Ok(worked),
            other => Err(self.worker.nonsense(&other)),
        }
    }
}

fn create(path: &Path) -> Result<File, Error> {
    let created = File::options().write(true).create_new(true).open(path);
    created.map_err(|error| Error::Place { path: path.to_owned(), cause: error.to_string() })
}

impl SessionSpec {
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
            assets: self.assets.as_deref().map(folder).transpose()?,
            environment: self.environment.as_deref().map(folder).transpose()?,
            system: self.system.clone(),
            hide: self.hide.iter().filter_map(|path| path.canonicalize().ok()).collect(),
            stdout: file(&self.stdout)?,
            stderr: file(&self.stderr)?,
            port: self.port,
            scratch: self.scratch,
        })
    }
}
