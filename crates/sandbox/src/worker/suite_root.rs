//! The roots of a test suite's two rooms: one system, and for each room what it alone shows, ready to be put in its place.

use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::{fs, io};

use nix::mount::{MntFlags, umount2};

use super::disk::Mounted;
use super::kind::{SOLUTION_ROOM, SUITE_ROOM};
use super::stage::{self, Root};
use super::{copy, seccomp};
use crate::folder::{FolderOwner, check_relative};
use crate::layout::{
    DOOR, ENVIRONMENT, NEW, OLD, PROGRAMS, ROOMS, SOLUTION_LIMIT, SUITE, SUITE_ENVIRONMENT, TASK, WORKSPACE, inside,
};
use crate::suite_spec::SuiteGround;
use crate::{Error, sys};

/// Folders that are the rooms' own; nothing of the machine can be shown in their place.
const RESERVED: [&str; 10] =
    ["/dev", ENVIRONMENT, "/etc", "/proc", "/slopbench-door", "/tmp", PROGRAMS, SUITE, SUITE_ENVIRONMENT, WORKSPACE];

/// Built roots, and the disk that both write to.
pub(super) struct SuiteRoot {
    pub(super) root: Root,
    pub(super) disk: Mounted,
    /// Where launchers connect.
    pub(super) listener: UnixListener,
}

/// Builds the roots in the worker's mount namespace, copies the solution, and lets go of the machine's files. `disk` is how
/// much the rooms may write, in bytes.
pub(super) fn build(ground: &SuiteGround, disk: u64) -> Result<SuiteRoot, Error> {
    let owner = stage::enter_mount_namespace()?;
    stage::leave_host_root()?;
    stage::mount_tmpfs_at(Path::new(NEW), "size=16m,mode=0755")?;
    for folder in
        ["/dev/pts", "/dev/shm", "/etc", "/proc", "/slopbench-door", "/tmp", PROGRAMS, SUITE, SUITE_ENVIRONMENT]
    {
        stage::make_folder(&inside(Path::new(folder)))?;
    }
    stage::make_folder(&inside(Path::new(WORKSPACE)))?;
    stage::show_machine(&ground.runtime, &RESERVED)?;
    stage::make_etc(&ground.runtime, &stage::ETC)?;
    stage::make_dev()?;
    symlink("pts/ptmx", inside(Path::new("/dev/ptmx"))).map_err(|error| Error::setup("write its /dev", error))?;
    stage::give_away(Path::new(NEW), owner).map_err(|error| Error::setup("hand over its root", error))?;
    for folder in ground.runtime.mask.iter().chain(&ground.solution.hide) {
        stage::cover(folder)?;
    }
    // After that: it may lie in what is hidden.
    if let Some(environment) = &ground.solution.environment {
        stage::show_at(environment, Path::new(ENVIRONMENT), false)?;
    }
    sys::seal_mounts(Path::new(NEW)).map_err(|errno| Error::setup("make its root read-only", errno))?;
    let listener = furnish(ground)?;
    let disk_of_both = copy_solution(ground, disk, owner)?;
    umount2(OLD, MntFlags::MNT_DETACH).map_err(|errno| Error::setup("let go of the machine's files", errno))?;
    let path = stage::search_path(&ground.runtime, &ground.solution);
    Ok(SuiteRoot { root: Root { owner, path, filters: seccomp::filters(&SUITE_ROOM)? }, disk: disk_of_both, listener })
}

/// Puts what only one room shows where [`SandboxKind::shown`](super::kind::SandboxKind::shown) expects it.
fn furnish(ground: &SuiteGround) -> Result<UnixListener, Error> {
    let rooms = Path::new(ROOMS);
    stage::mount_tmpfs_at(rooms, "size=1m,mode=0755")?;
    stage::show_outside(&ground.folder, &rooms.join("suite"), false)?;
    stage::show_outside(&ground.environment, &rooms.join("environment"), false)?;
    for (name, path) in &ground.programs {
        let place = rooms.join("programs").join(name);
        stage::make_folder(&rooms.join("programs"))?;
        stage::show_outside(path, &place, false)?;
    }
    stage::make_folder(&rooms.join("shared"))?;
    for path in &ground.shared {
        check_relative(&path.to_string_lossy())?;
        let place = rooms.join("shared").join(path);
        stage::make_folder(place.parent().unwrap_or(rooms))?;
        stage::show_outside(&ground.folder.join(path), &place, false)?;
    }
    for terminals in ["suite-terminals", "solution-terminals"] {
        stage::mount_terminals(&rooms.join(terminals))?;
    }
    let listener = open_door(&rooms.join("door")).map_err(|error| Error::setup("listen to launchers", error))?;
    sys::seal_mounts(rooms).map_err(|errno| Error::setup("make its rooms read-only", errno))?;
    Ok(listener)
}

/// The socket that launchers find, in a folder that only the suite's room shows.
fn open_door(folder: &Path) -> io::Result<UnixListener> {
    fs::create_dir(folder)?;
    let socket = folder.join(Path::new(DOOR).file_name().unwrap_or_default());
    let listener = UnixListener::bind(&socket)?;
    fs::set_permissions(&socket, fs::Permissions::from_mode(0o666))?;
    Ok(listener)
}

/// Copies the solution to the disk of both rooms, which may hold so much beside.
fn copy_solution(ground: &SuiteGround, disk: u64, owner: FolderOwner) -> Result<Mounted, Error> {
    let mounted = Mounted::of(&[&SUITE_ROOM, &SOLUTION_ROOM], SOLUTION_LIMIT, owner)?;
    let workspace = Path::new(TASK).join("workspace");
    copy::solution(&ground.solution, &workspace)?;
    stage::give_away(&workspace, owner).map_err(|error| Error::setup("hand over its workspace", error))?;
    mounted.grant(disk)?;
    Ok(mounted)
}
