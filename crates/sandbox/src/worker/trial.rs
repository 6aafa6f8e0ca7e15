//! Tries what the machine offers, each in a process of its own that is gone afterwards.

use std::fs;
use std::os::unix::net::UnixStream;
use std::path::Path;

use nix::fcntl::OFlag;
use nix::sched::CloneFlags;
use nix::sys::signal::{Signal, kill};
use nix::sys::utsname::uname;
use nix::unistd::{pipe2, read, write};

use super::{inside, kind, seccomp, settings, shared, stage};
use crate::probe::{Feature, FeatureState};
use crate::sys::ExitedChild;
use crate::{Error, sys};

/// What a trial needs to know to go on, and what to do if it fails.
type Trial = (&'static str, fn() -> Result<(), Error>, &'static str);

const TRIALS: [Trial; 6] = [
    ("Linux 5.14 or newer", kernel, "upgrade the kernel: limits of processes for each user namespace came with 5.14"),
    (
        "user namespaces",
        user_namespace,
        "set the sysctl user.max_user_namespaces above 0 (and kernel.unprivileged_userns_clone to 1 where it exists); in a container, \
         allow `unshare` in its seccomp profile; be an ordinary user rather than a root without capabilities",
    ),
    (
        "mounts in a user namespace",
        mounts,
        "where AppArmor forbids it, set the sysctl kernel.apparmor_restrict_unprivileged_userns to 0 or install a profile that allows \
         `userns` to slopbench",
    ),
    (
        "process, network, IPC, host name and cgroup namespaces",
        namespaces,
        "use a kernel built with CONFIG_NAMESPACES and all below it; in a container, its /proc/sys must not be read-only: start it \
         with `--security-opt systempaths=unconfined`",
    ),
    (
        "mounting /proc in a user namespace",
        proc,
        "in a container, its /proc must not be masked: start it with `--security-opt systempaths=unconfined`",
    ),
    ("system call filters", filters, "use a kernel built with CONFIG_SECCOMP_FILTER"),
];

/// Tries everything.
pub(super) fn features() -> Vec<Feature> {
    let feature = |(name, trial, advice): Trial| {
        let state = match apart(trial) {
            Ok(()) => FeatureState::Found,
            Err(cause) => FeatureState::Missing { cause, advice: advice.to_owned() },
        };
        Feature { name: name.to_owned(), state }
    };
    TRIALS.into_iter().map(feature).collect()
}

/// Runs a trial in a child, and brings its error over as text.
fn apart(trial: fn() -> Result<(), Error>) -> Result<(), String> {
    let (mut told, tell) = pipe2(OFlag::O_CLOEXEC).map(|(told, tell)| (fs::File::from(told), tell)).map_err(text)?;
    let pid = sys::spawn(CloneFlags::empty(), || {
        let cause = trial().err().map_or_else(String::new, |error| match error {
            Error::Setup { step, cause } => format!("cannot {step}: {cause}"),
            other => other.to_string(),
        });
        i32::from(write(&tell, cause.as_bytes()).is_err() || !cause.is_empty())
    });
    let pid = pid.map_err(text)?;
    drop(tell);
    let mut cause = String::new();
    let heard = std::io::Read::read_to_string(&mut told, &mut cause);
    let status = sys::wait(Some(pid), true).map_err(text)?.ok_or("it was lost")?.status;
    heard.map_err(text)?;
    match (status, cause.is_empty()) {
        (0, _) => Ok(()),
        (_, false) => Err(cause),
        (status, true) => Err(format!("the trial died with wait status {status}")),
    }
}

fn text(error: impl ToString) -> String {
    error.to_string()
}

fn kernel() -> Result<(), Error> {
    let name = uname().map_err(|errno| Error::setup("ask for the kernel's version", errno))?;
    let release = name.release().to_string_lossy().into_owned();
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse::<u32>().ok());
    match (numbers.next(), numbers.next()) {
        (Some(major), Some(minor)) if (major, minor) >= (5, 14) => Ok(()),
        _ => Err(Error::setup("use this kernel", format!("it is {release}"))),
    }
}

fn user_namespace() -> Result<(), Error> {
    stage::enter_user_namespace(CloneFlags::empty())
}

fn mounts() -> Result<(), Error> {
    stage::enter_mount_namespace()?;
    stage::make_private()?;
    stage::mount_tmpfs_at(Path::new("/tmp"), "size=64k,mode=0755")?;
    sys::seal_mounts(Path::new("/tmp")).map_err(|errno| Error::setup("change a mount's attributes", errno))
}

/// Creates all namespaces of a task with a child that only does `then`.
fn task(then: fn() -> Result<(), Error>) -> Result<(), Error> {
    let owner = stage::enter_mount_namespace()?;
    stage::make_private()?;
    let step = |errno| Error::setup("create namespaces", errno);
    let (go, hold) = pipe2(OFlag::O_CLOEXEC).map_err(step)?;
    let (mut told, tell) = pipe2(OFlag::O_CLOEXEC).map(|(told, tell)| (fs::File::from(told), tell)).map_err(step)?;
    let pid = sys::spawn(kind::NAMESPACES, || {
        let result = match read(&go, &mut [0]) {
            Ok(1) => then(),
            _ => Err(Error::setup("hear from its parent", "it is gone")),
        };
        let code = i32::from(result.is_err());
        if let Err(Error::Setup { step, cause }) = result {
            let _ = write(&tell, format!("cannot {step}: {cause}").as_bytes());
        }
        code
    });
    let pid = pid.map_err(step)?;
    drop(tell);
    if let Err(error) = super::run::map_user(pid, owner) {
        let _ = kill(pid, Signal::SIGKILL);
        let _ = sys::wait(Some(pid), true);
        return Err(error);
    }
    write(&hold, &[1]).map_err(step)?;
    let mut cause = String::new();
    let _ = std::io::Read::read_to_string(&mut told, &mut cause);
    match sys::wait(Some(pid), true).map_err(step)? {
        Some(ExitedChild { status: 0, .. }) => Ok(()),
        _ => Err(Error::setup("set one up", cause)),
    }
}

fn namespaces() -> Result<(), Error> {
    task(|| {
        sys::loopback_up().map_err(|errno| Error::setup("bring up its loopback interface", errno))?;
        settings::write(&settings::NETWORK)?;
        settings::write(&settings::USER)
    })
}

fn proc() -> Result<(), Error> {
    task(|| inside::mount_proc(Path::new("/proc")))
}

fn filters() -> Result<(), Error> {
    let (_ours, theirs) = UnixStream::pair().map_err(|error| Error::setup("make a socket", error))?;
    shared::tell(&theirs)?;
    for filter in seccomp::filters(&kind::TASK)? {
        seccompiler::apply_filter(&filter).map_err(|error| Error::setup("apply a system call filter", error))?;
    }
    Ok(())
}
