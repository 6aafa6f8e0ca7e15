//! From a fresh child in new namespaces to a process that sees the new root only and can do nothing
//! more.

use std::path::Path;

use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sched::CloneFlags;
use nix::sys::prctl;
use nix::unistd::{Gid, Uid, chdir, pivot_root, sethostname, setresgid, setresuid, setsid};

use super::kind::SandboxKind;
use super::settings;
use super::stage::{bind, mount_tmpfs_at};
use crate::layout::{INSIDE, NEW, TASK};
use crate::{Error, sys};

/// The name of every sandbox, so that no machine's is seen.
const HOST_NAME: &str = "sandbox";

/// Enters the sandbox. To be called once there are user maps. `meanwhile` is done where namespaces can still be made, with the
/// network up.
pub(super) fn enter<T>(kind: &SandboxKind, meanwhile: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    let step = |name: &'static str| move |errno| Error::setup(name, errno);
    // Not in the worker's terminal session, and the leader of a group of its own: see the filter on
    // priorities.
    setsid().map_err(step("start a session"))?;
    let (uid, gid) = (Uid::from_raw(INSIDE), Gid::from_raw(INSIDE));
    setresgid(gid, gid, gid).map_err(step("become its group"))?;
    setresuid(uid, uid, uid).map_err(step("become its user"))?;
    sethostname(HOST_NAME).map_err(step("name its host"))?;
    if kind.namespaces.contains(CloneFlags::CLONE_NEWNET) {
        sys::loopback_up().map_err(step("bring up its loopback interface"))?;
        settings::write(&settings::NETWORK)?;
    }
    let done = meanwhile()?;
    settings::write(&settings::USER)?;
    change_root(kind)?;
    sys::drop_capabilities().map_err(step("drop its capabilities"))?;
    prctl::set_no_new_privs().map_err(step("forbid new privileges"))?;
    // The programs have our user: keep them from our memory and our descriptors.
    prctl::set_dumpable(false).map_err(step("close process 1 to others"))?;
    Ok(done)
}

fn change_root(kind: &SandboxKind) -> Result<(), Error> {
    let step = |errno| Error::setup("move to its root", errno);
    // The mounts came from a namespace with more power and are locked together; a copy's top is
    // free to become a root.
    bind(Path::new(NEW), Path::new(NEW))?;
    for (folder, place) in kind.folders {
        bind(&Path::new(TASK).join(folder), &Path::new(NEW).join(place))?;
    }
    for (folder, place) in kind.shown {
        bind(Path::new(folder), &Path::new(NEW).join(place))?;
    }
    let proc = Path::new(NEW).join("proc");
    mount_proc(&proc)?;
    // Process 1 is none of the programs' business, and has their user. Being closed to them does
    // not suffice: if the worker was started by the root of a user namespace that is no one else
    // than this user, its files in /proc would still be theirs to write.
    mount_tmpfs_at(&proc.join("1"), "size=4k,nr_inodes=1,mode=0555")?;
    // Or a program could spare itself when the machine runs out of memory: another would have to go.
    sys::seal_mounts(&proc).map_err(|errno| Error::setup("make its /proc read-only", errno))?;
    chdir(NEW).map_err(step)?;
    // Old and new root on one another: the old one is on top, and goes.
    pivot_root(".", ".").map_err(step)?;
    umount2(".", MntFlags::MNT_DETACH).map_err(step)?;
    chdir(kind.start).map_err(step)
}

/// Mounts a `/proc` of the current process namespace that has the processes only, nothing of the
/// machine.
pub(super) fn mount_proc(path: &Path) -> Result<(), Error> {
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
    mount(Some("proc"), path, Some("proc"), flags, Some("subset=pid"))
        .map_err(|errno| Error::setup("mount its /proc", errno))
}
