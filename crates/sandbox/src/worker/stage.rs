//! The root that the sandbox's programs see, built once in memory and then sealed.
//!
//! The worker moves into a mount namespace of its own, makes a tmpfs its root, builds the new root
//! below `/new` from read-only binds of the machine's folders and a copy of the solution, and lets
//! go of the machine's file system. From then on not even the worker can reach it.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Component, Path, PathBuf};

use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sched::{CloneFlags, unshare};
use nix::unistd::{Gid, Uid, chdir, getegid, geteuid, pivot_root, setgroups};
use seccompiler::BpfProgram;

use super::{copy, kind, seccomp, user};
use crate::folder::FolderOwner;
use crate::layout::{ASSETS, ENVIRONMENT, NEW, OLD, PAGE, ROOMS, SOLUTION_LIMIT, TASK, below, inside, outside};
use crate::{Error, Runtime, Solution, layout, sys};

/// Folders of the system that are shown where they exist.
const SYSTEM: [&str; 7] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];

/// Devices that are shown where they exist.
const DEVICES: [&str; 5] = ["null", "zero", "full", "random", "urandom"];

/// Folders that are the sandbox's own; nothing of the machine can be shown in their place.
const RESERVED: [&str; 8] = [ASSETS, "/dev", ENVIRONMENT, "/etc", "/proc", "/solution", "/tmp", "/work"];

/// `/etc`, as far as programs need it.
pub(super) const ETC: [(&str, &str); 4] = [
    ("passwd", "root:x:0:0:root:/:/bin/false\nuser:x:1000:1000:user:/tmp:/bin/sh\n"),
    ("group", "root:x:0:\nuser:x:1000:\n"),
    ("hosts", "127.0.0.1 localhost sandbox\n::1 localhost sandbox\n"),
    ("nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n"),
];

/// A built root.
pub(crate) struct Root {
    /// Who programs are, in numbers of the worker's user namespace.
    pub(crate) owner: FolderOwner,
    /// What `PATH` is inside.
    pub(crate) path: String,
    /// What programs may not call. Made once: it is the same for all.
    pub(crate) filters: Vec<BpfProgram>,
}

impl Root {
    /// Enters a mount namespace and builds the root there. Takes the whole process along, and works
    /// once.
    pub(crate) fn build(solution: &Solution, runtime: &Runtime) -> Result<Self, Error> {
        let owner = enter_mount_namespace()?;
        leave_host_root()?;
        let files = SOLUTION_LIMIT / PAGE;
        mount_tmpfs(NEW, &format!("size={SOLUTION_LIMIT},nr_inodes={files},mode=0755"))?;
        for folder in ["dev", "dev/shm", "etc", "proc", "solution", "tmp", "work"] {
            make_folder(&inside(Path::new(folder)))?;
        }
        show_machine(runtime, &RESERVED)?;
        make_etc(runtime, &ETC)?;
        make_dev()?;
        if let Some(assets) = &solution.assets {
            let target = inside(Path::new(ASSETS));
            make_folder(&target)?;
            copy::assets(assets, &target)?;
        }
        copy::solution(solution, &inside(Path::new("solution")))?;
        give_away(Path::new(NEW), owner).map_err(|error| Error::setup("hand over its root", error))?;
        for folder in runtime.mask.iter().chain(&solution.hide) {
            cover(folder)?;
        }
        // After that: it may lie in what is hidden.
        if let Some(environment) = &solution.environment {
            show_at(environment, Path::new(ENVIRONMENT), false)?;
        }
        sys::seal_mounts(Path::new(NEW)).map_err(|errno| Error::setup("make its root read-only", errno))?;
        umount2(OLD, MntFlags::MNT_DETACH).map_err(|errno| Error::setup("let go of the machine's files", errno))?;
        Ok(Self { owner, path: search_path(runtime, solution), filters: seccomp::filters(&kind::TASK)? })
    }
}

/// What `PATH` is inside.
pub(super) fn search_path(runtime: &Runtime, solution: &Solution) -> String {
    let path = runtime.path.iter().map(|folder| folder.display().to_string());
    let environment = solution.environment.as_ref().map(|_| Path::new(ENVIRONMENT));
    layout::search_path(environment, path.chain(["/usr/bin".into(), "/bin".into()]))
}

/// Root stays who it is, to read what only root can. Everyone else becomes root of a user namespace
/// first, which allows to mount, and nothing that the user could not do before. So does a root
/// without power, or without the dedicated user, in a container.
pub(super) fn enter_mount_namespace() -> Result<FolderOwner, Error> {
    if geteuid().is_root() && user::are_dedicated_mapped() && unshare(CloneFlags::CLONE_NEWNS).is_ok() {
        // Programs must not keep the groups of root. Fails only where there are no groups to set.
        let _ = setgroups(&[]);
        return Ok(user::dedicated(std::process::id()));
    }
    enter_user_namespace(CloneFlags::CLONE_NEWNS)?;
    Ok(FolderOwner { uid: Uid::from_raw(0), gid: Gid::from_raw(0) })
}

/// Becomes root of a new user namespace that knows no one but the caller.
pub(super) fn enter_user_namespace(others: CloneFlags) -> Result<(), Error> {
    let outside = (geteuid(), getegid());
    unshare(CloneFlags::CLONE_NEWUSER | others).map_err(|errno| Error::setup("create a user namespace", errno))?;
    map_this_user(0, outside)
}

/// Gives this process's user and group a number in its new user namespace, which knows no one else. `outside` is what they
/// were before.
pub(super) fn map_this_user(inside: u32, (uid, gid): (Uid, Gid)) -> Result<(), Error> {
    let maps = [
        ("setgroups", "deny".to_owned()),
        ("uid_map", format!("{inside} {uid} 1")),
        ("gid_map", format!("{inside} {gid} 1")),
    ];
    for (file, content) in maps {
        let file = format!("/proc/self/{file}");
        fs::write(&file, content).map_err(|error| Error::setup(format!("write {file}"), error))?;
    }
    Ok(())
}

/// What is mounted from now on must not show on the machine, nor the other way round.
pub(super) fn make_private() -> Result<(), Error> {
    let flags = MsFlags::MS_REC | MsFlags::MS_PRIVATE;
    mount(None::<&str>, "/", None::<&str>, flags, None::<&str>)
        .map_err(|errno| Error::setup("part its mounts from the machine's", errno))
}

/// Makes an empty tmpfs the root, with the machine's below [`OLD`].
pub(super) fn leave_host_root() -> Result<(), Error> {
    let step = |errno| Error::setup("move to a root of its own", errno);
    make_private()?;
    // Any folder would do; the mount point is left behind at once.
    mount_tmpfs("/tmp", "size=1m,mode=0755")?;
    for folder in [OLD, NEW, "/proc", ROOMS, TASK] {
        make_folder(&below("/tmp", Path::new(folder)))?;
    }
    // The worker writes user maps there. Also, the kernel lets a user namespace mount a new /proc
    // only where it sees one.
    bind(Path::new("/proc"), Path::new("/tmp/proc"))?;
    chdir("/tmp").map_err(step)?;
    pivot_root(".", "old").map_err(step)?;
    chdir("/").map_err(step)
}

/// Shows the system's folders and the runtime's paths. Nothing can be shown in place of what is `reserved`.
pub(super) fn show_machine(runtime: &Runtime, reserved: &[&str]) -> Result<(), Error> {
    for path in SYSTEM.map(Path::new) {
        show_at(&runtime.of_system(path), path, true)?;
    }
    let mut expose: Vec<&PathBuf> = runtime.expose.iter().collect();
    // A folder before what lies in it.
    expose.sort();
    let mut shown: Vec<&Path> = vec![Path::new("/usr")];
    for path in expose {
        let is_reserved =
            reserved.iter().any(|reserved| path.starts_with(reserved) || Path::new(reserved).starts_with(path));
        let plain = path.is_absolute() && !path.components().any(|part| part == Component::ParentDir);
        if is_reserved || !plain {
            return Err(Error::Runtime(format!(
                "{} cannot be shown to a solution: expected an absolute path that is not below one of {}; install the interpreter \
                 elsewhere",
                path.display(),
                reserved.join(", ")
            )));
        }
        if !shown.iter().any(|folder| path.starts_with(folder)) {
            show(path, false)?;
            shown.push(path);
        }
    }
    Ok(())
}

/// Shows one path of the machine: a folder or file as a bind, a symbolic link as itself.
pub(super) fn show(path: &Path, optional: bool) -> Result<(), Error> {
    show_at(path, path, optional)
}

/// The same at another place.
pub(super) fn show_at(path: &Path, place: &Path, optional: bool) -> Result<(), Error> {
    show_outside(path, &inside(place), optional)
}

/// The same at any place of the worker's root.
pub(super) fn show_outside(path: &Path, to: &Path, optional: bool) -> Result<(), Error> {
    let from = outside(path);
    let step = |cause: io::Error| Error::setup(format!("show {}", path.display()), cause);
    let kind = match fs::symlink_metadata(&from) {
        Ok(metadata) => metadata.file_type(),
        Err(error) if optional && error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(step(error)),
    };
    if let Some(parent) = to.parent() {
        make_folder(parent)?;
    }
    if kind.is_symlink() {
        return fs::read_link(&from).and_then(|target| symlink(target, to)).map_err(step);
    }
    if kind.is_dir() {
        make_folder(to)?;
    } else {
        File::create(to).map_err(step)?;
    }
    bind(&from, to)?;
    // At once, so that no later step of ours can write to the machine by mistake.
    sys::seal_mounts(to).map_err(|errno| Error::setup(format!("show {} read-only", path.display()), errno))
}

/// Covers a path with emptiness, if it is shown at all.
pub(super) fn cover(path: &Path) -> Result<(), Error> {
    let to = inside(path);
    let Ok(metadata) = fs::symlink_metadata(&to) else {
        return Ok(());
    };
    if metadata.is_dir() {
        return mount_tmpfs_at(&to, "size=4k,nr_inodes=2,mode=0755");
    }
    bind(Path::new("/new/etc/empty"), &to)
}

pub(super) fn make_etc(runtime: &Runtime, files: &[(&str, &str)]) -> Result<(), Error> {
    let step = |error| Error::setup("write its /etc", error);
    for (name, content) in files.iter().chain(&[("empty", "")]) {
        fs::write(inside(Path::new("etc")).join(name), content).map_err(step)?;
    }
    // Where libraries are outside of the built-in places. Not there on every system.
    let cache = runtime.of_system(Path::new("/etc/ld.so.cache"));
    match fs::copy(outside(&cache), inside(Path::new("etc/ld.so.cache"))) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(step(error)),
        _ => {}
    }
    // Debian's commands are links to links in there.
    let alternatives = PathBuf::from("/etc/alternatives");
    for folder in java_settings(runtime).into_iter().chain([alternatives]) {
        show_at(&runtime.of_system(&folder), &folder, true)?;
    }
    Ok(())
}

/// Where Debian's JDKs keep their settings, without which they do not start: `/etc/java-17-openjdk` and the like.
fn java_settings(runtime: &Runtime) -> Vec<PathBuf> {
    let entries = fs::read_dir(outside(&runtime.of_system(Path::new("/etc"))));
    let names = entries.into_iter().flatten().flatten().map(|entry| entry.file_name());
    let is_java = |name: &str| name.starts_with("java-") && name.ends_with("-openjdk");
    let mut found: Vec<PathBuf> =
        names.filter(|name| name.to_str().is_some_and(is_java)).map(|name| Path::new("/etc").join(name)).collect();
    found.sort();
    found
}

pub(super) fn make_dev() -> Result<(), Error> {
    for name in DEVICES {
        show(&Path::new("/dev").join(name), true)?;
    }
    for (name, target) in [("fd", "fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")] {
        let to = inside(Path::new("dev")).join(name);
        symlink(Path::new("/proc/self").join(target), to).map_err(|error| Error::setup("write its /dev", error))?;
    }
    Ok(())
}

/// Mounts terminals that are no one else's.
pub(super) fn mount_terminals(place: &Path) -> Result<(), Error> {
    make_folder(place)?;
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NOEXEC;
    mount(Some("devpts"), place, Some("devpts"), flags, Some("newinstance,ptmxmode=0666,mode=0620"))
        .map_err(|errno| Error::setup("mount its terminals", errno))
}

/// Makes the program's user the owner of all that we made, as it is anyway if the caller is not
/// root. (It is read-only by its mount.) What is mounted there belongs to the machine.
pub(crate) fn give_away(root: &Path, owner: FolderOwner) -> io::Result<()> {
    match owner.uid.is_root() {
        true => Ok(()),
        false => slopbench_walk::give(root, owner.uid.as_raw(), owner.gid.as_raw()),
    }
}

pub(super) fn make_folder(path: &Path) -> Result<(), Error> {
    fs::create_dir_all(path).map_err(|error| Error::setup(format!("make the folder {}", path.display()), error))
}

fn mount_tmpfs(path: &str, options: &str) -> Result<(), Error> {
    mount_tmpfs_at(Path::new(path), options)
}

/// Mounts a tmpfs in which devices and set-user-id programs mean nothing.
pub(super) fn mount_tmpfs_at(path: &Path, options: &str) -> Result<(), Error> {
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    mount(Some("tmpfs"), path, Some("tmpfs"), flags, Some(options))
        .map_err(|errno| Error::setup(format!("mount a tmpfs on {}", path.display()), errno))
}

/// Shows one place at another, with what is mounted below (a user namespace must not uncover what a
/// mount covers).
pub(super) fn bind(from: &Path, to: &Path) -> Result<(), Error> {
    mount(Some(from), to, None::<&str>, MsFlags::MS_BIND | MsFlags::MS_REC, None::<&str>)
        .map_err(|errno| Error::setup(format!("bind {} on {}", from.display(), to.display()), errno))
}
