//! The system calls that `nix` has no safe wrapper for. All of the crate's unsafe code is here.
#![allow(unsafe_code)]

use std::ffi::{CStr, OsStr};
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::libc;
use nix::sched::CloneFlags;
use nix::sys::signal::{SigSet, SigmaskHow, sigprocmask};
use nix::unistd::Pid;
use nix::{NixPath, Result};

/// The exit code of a child whose closure panicked.
const PANICKED: i32 = 101;

/// Forks into new namespaces (none for empty flags). The child runs `child`, ends with its result
/// as exit code, and never returns from here, not even by a panic.
///
/// The caller must be the process's only thread: another one might hold a lock, the allocator's
/// say, that no one in the child would ever release. The worker is such a process; the library's
/// own callers are not.
pub(crate) fn spawn(flags: CloneFlags, child: impl FnOnce() -> i32) -> Result<Pid> {
    let signal = libc::SIGCHLD as u64;
    // The kernel's interface has no constants of its own width: flags are never negative.
    let flags = flags.bits().cast_unsigned();
    // SAFETY: `clone_args` is plain data for which all zeroes means "nothing asked for".
    let mut args: libc::clone_args = unsafe { std::mem::zeroed() };
    args.flags = u64::from(flags);
    args.exit_signal = signal;
    // SAFETY: without a stack of its own and without CLONE_VM, clone3 is fork: the child goes on
    // with a copy of everything. The caller is single-threaded (see above), so the copy is
    // consistent. Where there is nothing new, fork itself will do; containers refuse clone3.
    let pid = match flags {
        0 => unsafe { libc::c_long::from(libc::fork()) },
        _ => unsafe { libc::syscall(libc::SYS_clone3, &raw const args, size_of::<libc::clone_args>()) },
    };
    match Errno::result(pid)? {
        0 => exit(catch_unwind(AssertUnwindSafe(child)).unwrap_or(PANICKED)),
        pid => Ok(Pid::from_raw(libc::pid_t::try_from(pid).map_err(|_| Errno::EOVERFLOW)?)),
    }
}

/// Ends the process at once, without the exit handlers of the process it was forked from.
pub(crate) fn exit(code: i32) -> ! {
    // SAFETY: _exit has no preconditions.
    unsafe { libc::_exit(code) }
}

/// Closes every file descriptor except these.
///
/// Only for a fork's child, where all that was inherited is to go whatever its owner: those owners
/// never run again.
pub(crate) fn close_all_but(keep: &[BorrowedFd<'_>]) -> Result<()> {
    let mut keep: Vec<u32> = keep.iter().map(|fd| fd.as_raw_fd().cast_unsigned()).collect();
    keep.sort_unstable();
    let mut next = 0;
    for fd in keep {
        if fd > next {
            close_range(next, fd - 1)?;
        }
        next = fd + 1;
    }
    close_range(next, u32::MAX)
}

/// Closes standard input, output and error.
pub(crate) fn close_standard_streams() -> Result<()> {
    close_range(0, 2)
}

fn close_range(first: u32, last: u32) -> Result<()> {
    // SAFETY: takes plain numbers. That no one uses the closed descriptors afterwards is the
    // contract of the two callers.
    Errno::result(unsafe { libc::syscall(libc::SYS_close_range, first, last, 0) }).map(drop)
}

/// A descriptor that becomes readable when the process ends.
pub(crate) fn pidfd(pid: Pid) -> Result<OwnedFd> {
    // SAFETY: takes plain numbers.
    let fd = Errno::result(unsafe { libc::syscall(libc::SYS_pidfd_open, pid.as_raw(), 0) })?;
    // SAFETY: the kernel just made this descriptor for us; no one else owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(RawFd::try_from(fd).map_err(|_| Errno::EOVERFLOW)?) })
}

/// A child that has ended.
pub(crate) struct ExitedChild {
    pub(crate) pid: Pid,
    /// The raw wait status.
    pub(crate) status: i32,
    /// The most memory that it, or one of those it waited for, had at a time, files included, in bytes.
    pub(crate) peak: u64,
}

/// Waits for a child (any, without a process named). If `block` is not set and no child is dead: nothing.
///
/// `nix` would refuse the status of a process that a real-time signal killed, and a solution can do
/// that to itself.
pub(crate) fn wait(pid: Option<Pid>, block: bool) -> Result<Option<ExitedChild>> {
    let mut status = 0;
    let flags = if block { 0 } else { libc::WNOHANG };
    loop {
        // SAFETY: plain data.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        // SAFETY: status and usage outlive the call.
        let found = unsafe { libc::wait4(pid.map_or(-1, Pid::as_raw), &raw mut status, flags, &raw mut usage) };
        match Errno::result(found) {
            Ok(0) => return Ok(None),
            Ok(pid) => {
                // The kernel counts in kilobytes.
                let peak = u64::try_from(usage.ru_maxrss).unwrap_or(0) << 10;
                return Ok(Some(ExitedChild { pid: Pid::from_raw(pid), status, peak }));
            }
            Err(Errno::EINTR) => {}
            Err(errno) => return Err(errno),
        }
    }
}

/// Whether two processes use the very same memory. Not knowing is a no.
pub(crate) fn same_memory(one: u32, other: u32) -> bool {
    /// `KCMP_VM` of linux/kcmp.h.
    const MEMORY: libc::c_int = 1;
    // SAFETY: takes plain numbers.
    let difference = unsafe { libc::syscall(libc::SYS_kcmp, one, other, MEMORY, 0, 0) };
    difference == 0
}

/// Makes a mount and all below it read-only and without set-user-id programs.
pub(crate) fn seal_mounts(root: &Path) -> Result<()> {
    set_mount_attributes(root, libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID)
}

/// Makes set-user-id programs and devices mean nothing in a mount and all below it.
pub(crate) fn tame_mounts(root: &Path) -> Result<()> {
    set_mount_attributes(root, libc::MOUNT_ATTR_NOSUID | libc::MOUNT_ATTR_NODEV)
}

fn set_mount_attributes(root: &Path, set: u64) -> Result<()> {
    // SAFETY: `mount_attr` is plain data for which all zeroes means "change nothing".
    let mut attributes: libc::mount_attr = unsafe { std::mem::zeroed() };
    attributes.attr_set = set;
    root.with_nix_path(|path| {
        // SAFETY: the path and the attributes outlive the call, and the size is the attributes'.
        Errno::result(unsafe {
            libc::syscall(
                libc::SYS_mount_setattr,
                libc::AT_FDCWD,
                path.as_ptr(),
                libc::AT_RECURSIVE,
                &raw const attributes,
                size_of::<libc::mount_attr>(),
            )
        })
        .map(drop)
    })?
}

/// Brings up the network interface `lo` of the current network namespace.
pub(crate) fn loopback_up() -> Result<()> {
    // SAFETY: takes plain numbers.
    let socket = Errno::result(unsafe { libc::socket(libc::AF_INET, libc::SOCK_DGRAM | libc::SOCK_CLOEXEC, 0) })?;
    // SAFETY: the kernel just made this descriptor for us; no one else owns it.
    let socket = unsafe { OwnedFd::from_raw_fd(socket) };
    // SAFETY: `ifreq` is plain data; all zeroes is an empty name and no flags.
    let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
    for (to, from) in request.ifr_name.iter_mut().zip(b"lo\0") {
        *to = from.cast_signed();
    }
    request.ifr_ifru.ifru_flags = (libc::IFF_UP | libc::IFF_RUNNING) as libc::c_short;
    // SAFETY: SIOCSIFFLAGS reads an `ifreq`, which outlives the call.
    Errno::result(unsafe { libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFFLAGS as _, &raw const request) }).map(drop)
}

/// Gives up every capability, for good: nothing executed later can get one back.
pub(crate) fn drop_capabilities() -> Result<()> {
    #[repr(C)]
    struct Header {
        version: u32,
        pid: i32,
    }
    #[repr(C)]
    #[derive(Default)]
    struct Data {
        effective: u32,
        permitted: u32,
        inheritable: u32,
    }
    /// `_LINUX_CAPABILITY_VERSION_3`: two `Data`, for 64 capabilities.
    const VERSION: u32 = 0x2008_0522;

    for capability in 0..64 {
        // SAFETY: takes plain numbers.
        match Errno::result(unsafe { libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0) }) {
            Ok(_) => {}
            // The kernel has fewer than 64.
            Err(Errno::EINVAL) if capability > 0 => break,
            Err(error) => return Err(error),
        }
    }
    // SAFETY: takes plain numbers.
    Errno::result(unsafe { libc::prctl(libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) })?;
    let header = Header { version: VERSION, pid: 0 };
    let none = [Data::default(), Data::default()];
    // SAFETY: the header names the version whose data are two `Data`, and both outlive the call.
    Errno::result(unsafe { libc::syscall(libc::SYS_capset, &raw const header, none.as_ptr()) }).map(drop)
}

/// The files that this process was linked against when it started, by the paths that they were found at: first what loaded
/// the others, which is none of them if there are none.
pub(crate) fn libraries() -> Vec<PathBuf> {
    extern "C" fn note(object: *mut libc::dl_phdr_info, _: libc::size_t, found: *mut libc::c_void) -> libc::c_int {
        // SAFETY: the C library passes a valid description, and hands through the vector of the call below.
        let (object, found) = unsafe { (&*object, &mut *found.cast::<Vec<(u64, PathBuf)>>()) };
        if !object.dlpi_name.is_null() {
            // SAFETY: the name is a string of the loader's, which nothing unloads here.
            let name = unsafe { CStr::from_ptr(object.dlpi_name) };
            found.push((object.dlpi_addr, PathBuf::from(OsStr::from_bytes(name.to_bytes()))));
        }
        0
    }
    let mut found: Vec<(u64, PathBuf)> = Vec::new();
    // SAFETY: `note` keeps no reference, and the vector outlives the call.
    unsafe { libc::dl_iterate_phdr(Some(note), (&raw mut found).cast()) };
    // SAFETY: takes a plain number.
    let loader = unsafe { libc::getauxval(libc::AT_BASE) };
    // The program itself has no name there, and what the kernel maps no path.
    found.retain(|(_, path)| path.is_absolute());
    found.sort_by_key(|(base, _)| *base != loader);
    found.into_iter().map(|(_, path)| path).collect()
}

/// A call that waits for an answer.
pub(crate) struct PendingCall {
    id: u64,
    /// The number of the thread that made it, as the listener's own namespace has it.
    pub(crate) thread: u32,
    /// Its arguments.
    pub(crate) arguments: [u64; 6],
}

/// Applies a system call filter to the calling process, and returns a descriptor that has an event when someone under it
/// makes a call that is to be answered.
pub(crate) fn filter_and_listen(filter: &[libc::sock_filter]) -> Result<OwnedFd> {
    let length = libc::c_ushort::try_from(filter.len()).map_err(|_| Errno::EINVAL)?;
    // The kernel only reads the filter; its interface just does not say so.
    let program = libc::sock_fprog { len: length, filter: filter.as_ptr().cast_mut() };
    // SAFETY: the program and the filter that it points to outlive the call, which copies them.
    let fd = Errno::result(unsafe {
        libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_SET_MODE_FILTER,
            libc::SECCOMP_FILTER_FLAG_NEW_LISTENER,
            &raw const program,
        )
    })?;
    // SAFETY: the kernel just made this descriptor for us; no one else owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(RawFd::try_from(fd).map_err(|_| Errno::EOVERFLOW)?) })
}

/// Takes a call that waits. `ENOENT` if who made it was killed meanwhile.
pub(crate) fn take_call(listener: BorrowedFd<'_>) -> Result<PendingCall> {
    // SAFETY: plain data, which the kernel wants to be all zeroes.
    let mut call: libc::seccomp_notif = unsafe { std::mem::zeroed() };
    // SAFETY: the kernel writes a `seccomp_notif`, which outlives the call.
    Errno::result(unsafe { libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV as _, &raw mut call) })?;
    Ok(PendingCall { id: call.id, thread: call.pid, arguments: call.data.args })
}

/// Lets a call go on as if no one had listened. `ENOENT` if who made it was killed meanwhile.
pub(crate) fn let_go(listener: BorrowedFd<'_>, call: &PendingCall) -> Result<()> {
    let answer = libc::seccomp_notif_resp {
        id: call.id,
        val: 0,
        error: 0,
        flags: libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32,
    };
    // SAFETY: the kernel reads a `seccomp_notif_resp`, which outlives the call.
    Errno::result(unsafe { libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND as _, &raw const answer) })
        .map(drop)
}

/// Sends a signal by its number, as `nix` knows no real-time signals. A negative number is a process group's.
pub(crate) fn send_signal(to: Pid, signal: i32) -> Result<()> {
    // SAFETY: takes plain numbers.
    Errno::result(unsafe { libc::kill(to.as_raw(), signal) }).map(drop)
}

/// Ends the process as another one ended that left this raw wait status: with its exit code, or by the same signal.
pub(crate) fn end_as(status: i32) -> ! {
    if !libc::WIFSIGNALED(status) {
        exit(libc::WEXITSTATUS(status));
    }
    let signal = libc::WTERMSIG(status);
    // Fails only for what cannot be changed, which is as it should be.
    let _ = reset_signals();
    let _ = send_signal(Pid::this(), signal);
    // As a shell has it, should the signal have spared us.
    exit(128 + signal)
}

/// Undoes what a program inherits of its parent's signal handling: blocked signals and ignored ones
/// (Rust ignores `SIGPIPE`).
pub(crate) fn reset_signals() -> Result<()> {
    for signal in 1..=libc::SIGRTMAX() {
        // SAFETY: the default action is no handler, so nothing can be called. SIGKILL, SIGSTOP and
        // the C library's own signals are refused, and are at their default anyway.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
    sigprocmask(SigmaskHow::SIG_SETMASK, Some(&SigSet::empty()), None)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_forked_process_has_memory_of_its_own() {
        let own = std::process::id();
        let mut other = std::process::Command::new("sleep").arg("100").spawn().unwrap();
        assert!(same_memory(own, own));
        assert!(!same_memory(own, other.id()));
        other.kill().unwrap();
        other.wait().unwrap();
        assert!(!same_memory(own, other.id()));
    }
}
