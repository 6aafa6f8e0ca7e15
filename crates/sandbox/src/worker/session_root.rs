//! The root that a session's program sees: the machine's system read-only, and three folders of its own.

use std::os::unix::fs::symlink;
use std::path::Path;

use nix::mount::{MntFlags, umount2};

use super::stage::{self, Root, bind};
use super::{kind, seccomp};
use crate::folder::FolderOwner;
use crate::layout::{ASSETS, ENVIRONMENT, HOME, INSTALLATION, NEW, OLD, WORKSPACE, inside, outside};
use crate::session_spec::{SessionSpec, System};
use crate::{Error, sys};

/// Folders that are the session's own; nothing of the machine can be shown in their spec.
const RESERVED: [&str; 9] = [ASSETS, "/dev", ENVIRONMENT, "/etc", "/proc", "/tmp", HOME, INSTALLATION, WORKSPACE];

/// `/etc`, as far as programs need it.
const ETC: [(&str, &str); 4] = [
    ("passwd", "root:x:0:0:root:/:/bin/false\nagent:x:1000:1000:agent:/home/agent:/bin/bash\n"),
    ("group", "root:x:0:\nagent:x:1000:\n"),
    ("hosts", "127.0.0.1 localhost sandbox\n::1 localhost sandbox\n"),
    ("nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n"),
];

/// Whom to trust, for what tunnels lead to. Not there on every system.
const CERTIFICATES: &str = "/etc/ssl/certs";

/// Builds the root in the worker's mount namespace, and lets go of the machine's files.
pub(super) fn build(spec: &SessionSpec, owner: FolderOwner) -> Result<Root, Error> {
    let System::Machine(runtime) = &spec.system else {
        return Err(Error::Task("a session in an image is for a worker in a container".into()));
    };
    stage::leave_host_root()?;
    stage::mount_tmpfs_at(Path::new(NEW), "size=16m,mode=0755")?;
    for folder in ["/dev/shm", "/etc", "/proc", "/tmp", HOME, INSTALLATION, WORKSPACE] {
        stage::make_folder(&inside(Path::new(folder)))?;
    }
    stage::show_machine(runtime, &RESERVED)?;
    stage::make_etc(runtime, &ETC)?;
    stage::make_folder(&inside(Path::new("/etc/ssl")))?;
    stage::show(Path::new(CERTIFICATES), true)?;
    make_dev()?;
    stage::give_away(Path::new(NEW), owner).map_err(|error| Error::setup("hand over its root", error))?;
    for folder in runtime.mask.iter().chain(&spec.hide) {
        stage::cover(folder)?;
    }
    // After that: they may lie in what is hidden.
    let folders = [(&spec.installation, INSTALLATION), (&spec.assets, ASSETS), (&spec.environment, ENVIRONMENT)];
    for (folder, place) in folders {
        folder.as_ref().map_or(Ok(()), |folder| stage::show_at(folder, Path::new(place), false))?;
    }
    sys::seal_mounts(Path::new(NEW)).map_err(|errno| Error::setup("make its root read-only", errno))?;
    for (folder, to) in [(&spec.workspace, WORKSPACE), (&spec.home, HOME)] {
        let to = inside(Path::new(to));
        bind(&outside(folder), &to)?;
        sys::tame_mounts(&to).map_err(|errno| Error::setup("take the power of what it writes", errno))?;
    }
    umount2(OLD, MntFlags::MNT_DETACH).map_err(|errno| Error::setup("let go of the machine's files", errno))?;
    let path = runtime.path.iter().map(|folder| folder.display().to_string());
    let path = path.chain(["/usr/local/bin", "/usr/bin", "/bin"].map(String::from)).collect::<Vec<_>>().join(":");
    Ok(Root { owner, path, filters: seccomp::filters(&kind::SESSION)? })
}

/// The devices of a task, and terminals: tools that agents use open some.
fn make_dev() -> Result<(), Error> {
    stage::make_dev()?;
    stage::show(Path::new("/dev/tty"), true)?;
    stage::mount_terminals(&inside(Path::new("/dev/pts")))?;
    symlink("pts/ptmx", inside(Path::new("/dev/ptmx"))).map_err(|error| Error::setup("write its /dev", error))
}
