//! The system calls that no program in a sandbox gets: one table for both back ends.
//!
//! Most are refused to a process without capabilities anyway; the filter keeps the kernel's less trodden paths out of
//! reach, and keeps nested user namespaces from giving capabilities back. Beyond that it closes what sampling cannot see
//! (memory that belongs to no process), what the kernel has for all of a machine or a user together (asynchronous I/O,
//! leases), and what a process may do to another one of its own user, process 1.

use nix::errno::Errno;
use nix::libc;

/// A call, or a way to make it, that is refused.
pub(super) struct RefusalRule {
    name: &'static str,
    /// Its number on this architecture.
    pub(super) number: i64,
    /// What its arguments have to be. All hold together; none: whatever they are.
    pub(super) when: &'static [ArgumentTest],
}

/// What is asked of an argument, named by its index. All that are tested are 32 bits wide for the kernel, which ignores
/// the rest of the register.
#[derive(Clone, Copy)]
pub(super) enum ArgumentTest {
    /// It is this number.
    Is(u8, u64),
    /// It is not this number.
    IsNot(u8, u64),
    /// It has all these bits.
    Has(u8, u64),
}

use ArgumentTest::{Has, Is, IsNot};

/// One row: the call's name, its number, and what its arguments have to be.
macro_rules! call {
    ($name:ident $(, $test:expr)*) => {
        RefusalRule { name: stringify!($name), number: libc::$name, when: &[$($test),*] }
    };
    ($name:ident = $number:literal $(, $test:expr)*) => {
        RefusalRule { name: stringify!($name), number: $number, when: &[$($test),*] }
    };
}

/// Process 1 as seen inside.
const INIT: u64 = 1;

/// `F_SETDELEG` of linux/fcntl.h, since Linux 6.19: a lease of a folder.
const F_SETDELEG: u64 = 1040;

/// `PR_SCHED_CORE` of linux/prctl.h.
const PR_SCHED_CORE: u64 = 62;

/// `RWF_DONTCACHE` of linux/fs.h.
const RWF_DONTCACHE: u64 = 0x80;

/// Requests to files of the workspace's file system (linux/fs.h, linux/fscrypt.h, linux/fsverity.h): what they change
/// outlives the program, and keeps others from reading or removing its files.
const FS_IOC_SETFLAGS: u64 = 0x4008_6602;
const FS_IOC_FSSETXATTR: u64 = 0x401c_5820;
const FS_IOC_SET_ENCRYPTION_POLICY: u64 = 0x800c_6613;
const FS_IOC_ADD_ENCRYPTION_KEY: u64 = 0xc050_6617;
const FS_IOC_ENABLE_VERITY: u64 = 0x4080_6685;

/// All tables, each with the error that its calls fail with. Success means that the call does nothing.
pub(super) const TABLES: [(Errno, &[RefusalRule]); 7] = [
    (Errno::EPERM, FORBIDDEN),
    (Errno::ENOSYS, ABSENT),
    (Errno::EAFNOSUPPORT, FAMILIES),
    (Errno::EPROTONOSUPPORT, PROTOCOLS),
    (Errno::EOPNOTSUPP, UNSUPPORTED),
    (Errno::ENOMEM, UNAVAILABLE),
    (Errno::UnknownErrno, IGNORED),
];

const FORBIDDEN: &[RefusalRule] = &[
    // Mounts and namespaces.
    call!(SYS_mount),
    call!(SYS_umount2),
    call!(SYS_pivot_root),
    call!(SYS_chroot),
    call!(SYS_open_tree),
    call!(SYS_move_mount),
    call!(SYS_fsopen),
    call!(SYS_fsconfig),
    call!(SYS_fsmount),
    call!(SYS_fspick),
    call!(SYS_mount_setattr),
    call!(SYS_unshare),
    call!(SYS_setns),
    call!(SYS_clone, Has(0, libc::CLONE_NEWCGROUP as u64)),
    call!(SYS_clone, Has(0, libc::CLONE_NEWIPC as u64)),
    call!(SYS_clone, Has(0, libc::CLONE_NEWNET as u64)),
    call!(SYS_clone, Has(0, libc::CLONE_NEWNS as u64)),
    call!(SYS_clone, Has(0, libc::CLONE_NEWPID as u64)),
    call!(SYS_clone, Has(0, libc::CLONE_NEWUSER as u64)),
    call!(SYS_clone, Has(0, libc::CLONE_NEWUTS as u64)),
    // Other processes' insides.
    call!(SYS_ptrace),
    call!(SYS_process_vm_readv),
    call!(SYS_process_vm_writev),
    call!(SYS_process_madvise),
    call!(SYS_process_mrelease),
    call!(SYS_pidfd_getfd),
    call!(SYS_kcmp),
    // Process 1 has the user of all others, who may set its limits and priority: a CPU limit of 0 would kill it.
    call!(SYS_prlimit64, Is(0, INIT)),
    call!(SYS_sched_setaffinity, Is(0, INIT)),
    call!(SYS_sched_setattr, Is(0, INIT)),
    call!(SYS_sched_setparam, Is(0, INIT)),
    call!(SYS_sched_setscheduler, Is(0, INIT)),
    call!(SYS_setpriority, Is(0, libc::PRIO_USER as u64)),
    call!(SYS_setpriority, Is(1, INIT)),
    call!(SYS_ioprio_set, Is(0, 3 /* IOPRIO_WHO_USER */)),
    call!(SYS_ioprio_set, Is(1, INIT)),
    call!(SYS_migrate_pages),
    call!(SYS_move_pages),
    // Processors that only who has the same cookie may share.
    call!(SYS_prctl, Is(0, PR_SCHED_CORE)),
    // Who has a lease of a file, even one that it may only read, stops whoever opens it: the interpreter's, say. What
    // watches folders is told what other sandboxes open.
    call!(SYS_fcntl, Is(1, libc::F_SETLEASE as u64)),
    call!(SYS_fcntl, Is(1, F_SETDELEG)),
    call!(SYS_fcntl, Is(1, libc::F_NOTIFY as u64)),
    call!(SYS_fanotify_init),
    call!(SYS_fanotify_mark),
    // Keys outlive processes, and the caller's own are within reach.
    call!(SYS_add_key),
    call!(SYS_keyctl),
    call!(SYS_request_key),
    // Programs, counters, handlers in the kernel.
    call!(SYS_bpf),
    call!(SYS_perf_event_open),
    call!(SYS_userfaultfd),
    call!(SYS_io_uring_setup),
    call!(SYS_io_uring_enter),
    call!(SYS_io_uring_register),
    // What of a file is more than its bytes and its mode.
    call!(SYS_ioctl, Is(1, FS_IOC_SETFLAGS)),
    call!(SYS_ioctl, Is(1, FS_IOC_FSSETXATTR)),
    call!(SYS_ioctl, Is(1, FS_IOC_SET_ENCRYPTION_POLICY)),
    call!(SYS_ioctl, Is(1, FS_IOC_ADD_ENCRYPTION_KEY)),
    call!(SYS_ioctl, Is(1, FS_IOC_ENABLE_VERITY)),
    call!(SYS_file_setattr = 469),
    // What is typed at a terminal.
    call!(SYS_ioctl, Is(1, libc::TIOCSTI)),
    // The machine's own affairs.
    call!(SYS_acct),
    call!(SYS_adjtimex),
    call!(SYS_clock_adjtime),
    call!(SYS_clock_settime),
    call!(SYS_settimeofday),
    call!(SYS_delete_module),
    call!(SYS_finit_module),
    call!(SYS_init_module),
    call!(SYS_kexec_file_load),
    call!(SYS_kexec_load),
    call!(SYS_lookup_dcookie),
    call!(SYS_name_to_handle_at),
    call!(SYS_open_by_handle_at),
    call!(SYS_quotactl),
    call!(SYS_quotactl_fd),
    call!(SYS_reboot),
    call!(SYS_sethostname),
    call!(SYS_setdomainname),
    call!(SYS_swapoff),
    call!(SYS_swapon),
    call!(SYS_syslog),
    call!(SYS_vhangup),
];

/// As by a kernel without them, so that programs take another way.
const ABSENT: &[RefusalRule] = &[
    // Its flags lie in memory, where no filter can look. The C library falls back to `clone`.
    call!(SYS_clone3),
    // Memory that is no process's and no file's: no sample and no size limit would count it. A page that was spliced
    // keeps its whole huge page.
    call!(SYS_memfd_create),
    call!(SYS_memfd_secret),
    call!(SYS_shmget),
    call!(SYS_semget),
    call!(SYS_msgget),
    call!(SYS_mq_open),
    call!(SYS_vmsplice),
    // The machine has `fs.aio-max-nr` of them for all together.
    call!(SYS_io_setup),
    // What others have read lately.
    call!(SYS_cachestat = 451),
    // The machine's mounts.
    call!(SYS_statmount = 457),
    call!(SYS_listmount = 458),
];

/// Beyond local sockets, IPv4, IPv6, and the questions the C library asks about them. Not `AF_VSOCK`, which no network
/// namespace holds, and not `AF_ALG` and its like, which are roads into the kernel.
const FAMILIES: &[RefusalRule] = &[call!(
    SYS_socket,
    IsNot(0, libc::AF_UNIX as u64),
    IsNot(0, libc::AF_INET as u64),
    IsNot(0, libc::AF_INET6 as u64),
    IsNot(0, libc::AF_NETLINK as u64)
)];

/// Those questions are `NETLINK_ROUTE`'s.
const PROTOCOLS: &[RefusalRule] =
    &[call!(SYS_socket, Is(0, libc::AF_NETLINK as u64), IsNot(2, libc::NETLINK_ROUTE as u64))];

/// As by a file system without them: they tell, or change, what of the system's files is in memory for everyone.
const UNSUPPORTED: &[RefusalRule] = &[
    call!(SYS_preadv2, Has(5, libc::RWF_NOWAIT as u64)),
    call!(SYS_preadv2, Has(5, RWF_DONTCACHE)),
    call!(SYS_pwritev2, Has(5, RWF_DONTCACHE)),
];

/// As by a machine that has none left: huge pages are one pool for all.
const UNAVAILABLE: &[RefusalRule] = &[call!(SYS_mmap, Has(3, libc::MAP_HUGETLB as u64))];

/// Advice and requests that ordinary programs make, and that would slow down all others: the system's files leave
/// memory, or every disk is written to its end.
const IGNORED: &[RefusalRule] =
    &[call!(SYS_fadvise64, Is(3, libc::POSIX_FADV_DONTNEED as u64)), call!(SYS_sync), call!(SYS_syncfs)];

/// Refused to tasks, not to sessions, beside all the others: a task has no one to watch but itself, and the machine grants
/// a user few of them.
pub(super) const UNWATCHED: &[RefusalRule] = &[
    #[cfg(target_arch = "x86_64")]
    call!(SYS_inotify_init),
    call!(SYS_inotify_init1),
];

/// An example of a call that tasks are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefusedCall {
    /// The call's name in the C library.
    pub name: &'static str,
    /// Its number on this architecture.
    pub number: i64,
    /// Arguments that are refused.
    pub arguments: [u64; 6],
    /// The error's number; 0 for a call that does nothing and succeeds.
    pub errno: i32,
}

/// One example for each row of the tables.
pub fn refusals() -> Vec<RefusedCall> {
    let watching = (Errno::ENOSYS, UNWATCHED);
    let rows = TABLES.into_iter().chain([watching]);
    rows.flat_map(|(errno, calls)| calls.iter().map(move |call| call.example(errno))).collect()
}

impl RefusalRule {
    fn example(&self, errno: Errno) -> RefusedCall {
        let mut arguments = [0; 6];
        for test in self.when {
            let (Is(index, value) | Has(index, value) | IsNot(index, value)) = *test;
            let Some(argument) = arguments.get_mut(usize::from(index)) else { continue };
            *argument = match test {
                Is(..) | Has(..) => value,
                // One above the largest of those that it must not be.
                IsNot(..) => (value + 1).max(*argument),
            };
        }
        RefusedCall { name: self.name, number: self.number, arguments, errno: errno as i32 }
    }
}
