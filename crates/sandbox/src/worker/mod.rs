//! The process behind [`Namespaces`](crate::Namespaces): one for each open sandbox, with one
//! thread.
//!
//! It lives in a mount namespace of its own, where it builds the sandbox's root once (`stage`) and
//! then runs one task after the other (`run`). Requests come on standard input, answers go to
//! standard output. It ends when its standard input does, and whatever it started ends with it; as
//! all it mounts lies in its own namespace and in memory, nothing stays behind.
//!
//! In a container, which is a sandbox already, it is process 1 itself ([`contain`]): it runs a task without any
//! namespace (`contained`, `child`) and empties what the task before could write to (`scratch`).
//!
//! A session (`session`, `running`) is one program on folders of the machine, in either.
//!
//! A test suite's program (`suite`, in a container `suite_here`) starts others in another room (`room`, or `kept_room`): a
//! `launcher` in the one asks the `starter` in the other.

mod child;
mod companion;
mod contained;
mod copy;
mod disk;
mod footprint;
mod harness;
mod held;
mod init;
mod inside;
mod kept_room;
mod kills;
mod kind;
mod launch;
mod launcher;
mod program;
mod reaper;
mod refused;
mod room;
mod run;
mod running;
mod sample;
mod score;
mod scratch;
mod seccomp;
mod session;
mod session_root;
mod settings;
mod shared;
mod sockets;
mod stage;
mod starter;
mod suite;
mod suite_here;
mod suite_root;
mod tap;
mod trial;
mod user;
mod watched;

use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::slice;

use crate::protocol::{WorkerReply, WorkerRequest};
use crate::{Error, Observation, Task, sys, wire, worker_program};
use nix::sys::prctl;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::stat::{Mode, umask};
use nix::unistd::{dup2_stdin, dup2_stdout, setsid};

use harness::Harness;

pub(crate) use kind::TASKS_PER_PROCESS;
pub use refused::{RefusedCall, refusals};
pub(crate) use settings::NETWORK;
pub(crate) use stage::give_away;
pub(crate) use user::dedicated;

/// The whole life of a worker, if this program is called as one: by the name `slopbench-sandbox`. From then on the sandboxes of
/// this program need no other one.
///
/// To be called first of all in `main`: a worker has one thread.
#[must_use]
pub fn main_if_called() -> Option<ExitCode> {
    worker_program::can_be_called();
    let mut words = env::args_os();
    let is_worker = words.next().is_some_and(|name| worker_program::is_workers(&name));
    is_worker.then(|| main(words))
}

/// The whole life of a worker that is told these words.
pub fn main(mut words: impl Iterator<Item = OsString>) -> ExitCode {
    // Where the program has another name, that of its file is the kernel's choice. Fails never.
    let _ = prctl::set_name(c"slopbench-sandbox");
    let served = match words.next() {
        Some(word) if word == worker_program::LAUNCH => return launcher::main(words),
        Some(word) if word == "contained" => contain(words.next().map(PathBuf::from).as_deref()),
        Some(word) if word == worker_program::LIST_LIBRARIES => list_libraries(),
        _ => serve(),
    };
    match served {
        Ok(()) => ExitCode::SUCCESS,
        // The other side is gone or talks nonsense: there is no one to tell.
        Err(_) => ExitCode::FAILURE,
    }
}

/// One path a line.
fn list_libraries() -> io::Result<()> {
    let paths = sys::libraries().into_iter().map(|path| [path.as_os_str().as_bytes(), b"\n"].concat());
    io::stdout().lock().write_all(&paths.collect::<Vec<_>>().concat())
}

/// Serves requests from standard input until it ends. The error is standard input or output that break in the middle of a
/// message.
fn serve() -> io::Result<()> {
    // The terminal's signals (Ctrl-C) are for the harness, which then closes our standard input.
    // Fails for a group's leader, who started the worker by hand.
    let _ = setsid();
    umask(Mode::from_bits_truncate(0o022));
    raise_open_files();
    let stdin = input()?;
    let (mut root, mut settled) = (None, None);
    answer(&stdin, |request| match (request, &root) {
        (WorkerRequest::Probe, _) => Ok(WorkerReply::Features(trial::features())),
        (WorkerRequest::Open { solution, runtime }, None) => {
            stage::Root::build(&solution, &runtime).map(|built| root = Some(built)).map(|()| WorkerReply::Opened)
        }
        (WorkerRequest::Open { .. }, Some(_)) => Err(Error::Task("this worker is open already".into())),
        (WorkerRequest::Run(_) | WorkerRequest::Serve { .. }, None) => {
            Err(Error::Task("this worker is not open yet".into()))
        }
        (WorkerRequest::Run(tasks), Some(root)) => {
            run::run(root, &tasks, &mut Harness::waiting(&stdin)).map(WorkerReply::Ran)
        }
        (WorkerRequest::Serve { task, port }, Some(root)) => {
            talk(&stdin, &task, port, |harness| run::run(root, slice::from_ref(&task), harness))
        }
        (WorkerRequest::Settle(spec), None) => session::PreparedSession::by_namespaces(&spec, stdin.as_fd())
            .map(|built| settled = Some(built))
            .map(|()| WorkerReply::Settled),
        (WorkerRequest::Settle(_), Some(_)) => Err(Error::Task("this worker is open already".into())),
        (WorkerRequest::Work(job), _) => match settled.take() {
            Some(settled) => settled.work(&job, stdin.as_fd()).map(WorkerReply::Worked),
            None => Err(Error::Task("this worker has no session to run a program in".into())),
        },
        (WorkerRequest::PlaySuite(ground, job), None) => {
            suite::run(&ground, &job, &mut Harness::waiting(&stdin)).map(WorkerReply::Played)
        }
        (WorkerRequest::PlaySuite(..), Some(_)) => Err(Error::Task("this worker is open already".into())),
        (WorkerRequest::Enter { .. } | WorkerRequest::PlaySuiteHere(_) | WorkerRequest::KeepRoom { .. }, _) => {
            Err(Error::Task("this worker is in no container".into()))
        }
        (WorkerRequest::Exchange(_) | WorkerRequest::Restart | WorkerRequest::Stop, _) => {
            Err(Error::Task("no service runs".into()))
        }
    })
}

/// The same as process 1 of a container: `slopbench-sandbox contained`. With the path of a socket, what listens there is
/// asked for standard input and output first: a descriptor can go through them then.
fn contain(socket: Option<&Path>) -> io::Result<()> {
    if let Some(path) = socket {
        // In the order in which they are accepted.
        dup2_stdin(UnixStream::connect(path)?)?;
        dup2_stdout(UnixStream::connect(path)?)?;
    }
    umask(Mode::from_bits_truncate(0o022));
    raise_open_files();
    let stdin = input()?;
    let (mut inside, mut settled) = (None, None);
    answer(&stdin, |request| match (request, &inside) {
        (WorkerRequest::Enter { has_environment }, None) => contained::Inside::enter(&kind::TASK, has_environment)
            .map(|entered| inside = Some(entered))
            .map(|()| WorkerReply::Opened),
        (WorkerRequest::Settle(spec), None) => session::PreparedSession::in_container(&spec, stdin.as_fd())
            .map(|ready| settled = Some(ready))
            .map(|()| WorkerReply::Settled),
        (WorkerRequest::Work(job), None) => match settled.take() {
            Some(settled) => settled.work(&job, stdin.as_fd()).map(WorkerReply::Worked),
            None => Err(Error::Task("this worker has no session to run a program in".into())),
        },
        (WorkerRequest::Run(tasks), Some(inside)) => {
            inside.run(&tasks, &mut Harness::waiting(&stdin)).map(WorkerReply::Ran)
        }
        (WorkerRequest::Serve { task, port }, Some(inside)) => {
            talk(&stdin, &task, port, |harness| inside.run(slice::from_ref(&task), harness))
        }
        (WorkerRequest::PlaySuiteHere(job), None) => {
            suite_here::run(&job, stdin.as_fd(), &mut Harness::waiting(&stdin)).map(WorkerReply::Played)
        }
        (WorkerRequest::KeepRoom { limits, has_environment }, None) => {
            kept_room::keep(limits, has_environment, stdin.as_fd()).map(|()| WorkerReply::Kept)
        }
        _ => Err(Error::Task("this worker is in a container, and expected to enter it once and then to run".into())),
    })
}

/// Raises the limit of open files to more than any program has: copying a deep folder takes two descriptors a level, and the
/// kernel refuses to hand over one where the user's programs have more than this in flight.
fn raise_open_files() {
    if let Ok((_, hard)) = getrlimit(Resource::RLIMIT_NOFILE) {
        // If it cannot be raised, the error of what needs it says so.
        let _ = setrlimit(Resource::RLIMIT_NOFILE, hard.min(65_536), hard);
    }
}

/// Standard input, read by no more than what is asked for: the next byte may carry a descriptor.
fn input() -> io::Result<File> {
    io::stdin().as_fd().try_clone_to_owned().map(File::from)
}

/// Answers requests from standard input until it ends.
fn answer(mut stdin: &File, mut reply: impl FnMut(WorkerRequest) -> Result<WorkerReply, Error>) -> io::Result<()> {
    loop {
        let Some(request) = wire::read(&mut stdin)? else { return Ok(()) };
        let reply = reply(request);
        wire::write(&mut io::stdout().lock(), &reply)?;
    }
}

/// Runs a service. Its end answers the question that is open then, or the next one.
fn talk(
    stdin: &File,
    task: &Task,
    port: u16,
    run: impl FnOnce(&mut Harness<'_>) -> Result<Vec<Observation>, Error>,
) -> Result<WorkerReply, Error> {
    let mut harness = Harness::talking(stdin, port, task.limits.output);
    let observed = run(&mut harness);
    harness.end();
    let observed = observed?.pop().ok_or_else(|| Error::Task("a service is one task".into()))?;
    Ok(WorkerReply::Observed(observed))
}
