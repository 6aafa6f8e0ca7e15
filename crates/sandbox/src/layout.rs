//! Where things lie in a sandbox, who programs are there, and how large it may be.

use std::path::{Path, PathBuf};

/// Where a session's program finds its working folder, and starts.
pub const WORKSPACE: &str = "/workspace";

/// Where it finds its home.
pub const HOME: &str = "/home/agent";

/// Where it finds what was installed for it.
pub const INSTALLATION: &str = "/opt/agent";

/// Where a test suite's program finds its tests, and a solution's programs the assets among them.
pub(crate) const SUITE: &str = "/suite";

/// Where a test suite's program finds what it is made of.
pub(crate) const SUITE_ENVIRONMENT: &str = "/opt/suite";

/// Where the worker lies, with what it is linked against, in rooms that need it.
pub(crate) const PROGRAMS: &str = "/slopbench";

/// The socket of whoever starts programs in the solution's room, as the suite's room has it.
pub(crate) const DOOR: &str = "/slopbench-door/socket";

/// What the worker has ready for the rooms of a test suite, in its own root.
pub(crate) const ROOMS: &str = "/rooms";

/// Where a task finds the packages that its solution declares.
pub const ENVIRONMENT: &str = "/environment";

/// Where programs, of sessions as well, find the files that are given to all of them.
pub const ASSETS: &str = "/assets";

/// The environment variable that says where those files lie.
pub const ASSETS_VARIABLE: &str = "ASSETS";

/// The user and group that programs are inside, whoever the caller is.
pub(crate) const INSIDE: u32 = 1000;

/// Where the new root is built, in the worker's own root.
pub(crate) const NEW: &str = "/new";

/// Where the machine's file system is while the new root is built.
pub(crate) const OLD: &str = "/old";

/// The most that the copy of a solution may take, in bytes: as much as any snapshot takes, whose files have a GiB, and each
/// a page that need not be full.
pub(crate) const SOLUTION_LIMIT: u64 = (1 << 30) + 100_000 * PAGE;

/// Where the task's tmpfs is mounted, in the worker's root.
pub(crate) const TASK: &str = "/task";

/// What the smallest file takes, in bytes.
pub(crate) const PAGE: u64 = 4096;

/// All that a task can write to; the first is its working folder. Each a tmpfs.
pub(crate) const SCRATCH: [&str; 3] = ["/work", "/tmp", "/dev/shm"];

/// All that both rooms of a test suite can write to, each a tmpfs where they are containers.
pub(crate) const SHARED_DISKS: [&str; 2] = [WORKSPACE, "/tmp"];

/// How large a tmpfs is for this limit of disk space: in bytes, and in files.
pub(crate) fn disk_size(limit: u64) -> (u64, u64) {
    // Beyond the largest signed number, the kernel's arithmetic would come out at "no limit". One name for each page that
    // there is room for, and some more for empty files.
    (limit.clamp(PAGE, i64::MAX.cast_unsigned()), limit / PAGE + 1024)
}

/// `PATH`, of these folders after the environment's programs, if there is one.
pub(crate) fn search_path(environment: Option<&Path>, folders: impl IntoIterator<Item = String>) -> String {
    let environment = environment.map(|folder| folder.join("bin").display().to_string());
    environment.into_iter().chain(folders).collect::<Vec<_>>().join(":")
}

/// Where a path inside the sandbox is while the root is built.
pub(crate) fn inside(path: &Path) -> PathBuf {
    below(NEW, path)
}

/// Where a path of the machine is while the root is built.
pub(crate) fn outside(path: &Path) -> PathBuf {
    below(OLD, path)
}

/// A path of `root` by the path that it has where `root` is `/`.
pub(crate) fn below(root: &str, path: &Path) -> PathBuf {
    Path::new(root).join(path.strip_prefix("/").unwrap_or(path))
}
