//! The system calls that no solution needs.
//!
//! Most are refused to a process without capabilities anyway; the filter keeps the kernel's less
//! trodden paths out of reach, and keeps nested user namespaces from giving capabilities back.
//! Beyond that it closes what the limits' sampling cannot see (memory that belongs to no process)
//! and what a process may do to another one of its own user, process 1.

use nix::errno::Errno;
use nix::libc;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, sock_filter,
};

use crate::Error;

/// When a call is refused. The conditions of one list hold together.
enum When {
    Always,
    /// The argument of this index is this number.
    Is(u8, u64),
    /// The argument of this index has all these bits.
    Has(u8, u64),
    /// The argument of this index is none of these numbers.
    IsNone(u8, &'static [u64]),
}

use When::{Always, Has, Is, IsNone};

/// Process 1 as seen inside.
const INIT: u64 = 1;

const CLONE_NAMESPACES: [i32; 7] = [
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWUTS,
];

/// Local sockets, IPv4, IPv6, and the questions the C library asks about them. Not `AF_VSOCK`,
/// which no network namespace holds, and not `AF_ALG` and its like, which are roads into the
/// kernel.
const FAMILIES: [u64; 4] = [libc::AF_UNIX as u64, libc::AF_INET as u64, libc::AF_INET6 as u64, libc::AF_NETLINK as u64];

/// Refused with `EPERM`.
const FORBIDDEN: &[(i64, When)] = &[
    // Mounts and namespaces.
    (libc::SYS_mount, Always),
    (libc::SYS_umount2, Always),
    (libc::SYS_pivot_root, Always),
    (libc::SYS_chroot, Always),
    (libc::SYS_open_tree, Always),
    (libc::SYS_move_mount, Always),
    (libc::SYS_fsopen, Always),
    (libc::SYS_fsconfig, Always),
    (libc::SYS_fsmount, Always),
    (libc::SYS_fspick, Always),
    (libc::SYS_mount_setattr, Always),
    (libc::SYS_unshare, Always),
    (libc::SYS_setns, Always),
    // Other processes' insides.
    (libc::SYS_ptrace, Always),
    (libc::SYS_process_vm_readv, Always),
    (libc::SYS_process_vm_writev, Always),
    (libc::SYS_process_madvise, Always),
    (libc::SYS_pidfd_getfd, Always),
    (libc::SYS_kcmp, Always),
    // Process 1 has the user of all others, who may set its limits and priority: a CPU limit of 0
    // would kill it.
    (libc::SYS_prlimit64, Is(0, INIT)),
    (libc::SYS_sched_setaffinity, Is(0, INIT)),
    (libc::SYS_sched_setattr, Is(0, INIT)),
    (libc::SYS_sched_setparam, Is(0, INIT)),
    (libc::SYS_sched_setscheduler, Is(0, INIT)),
    (libc::SYS_setpriority, Is(0, libc::PRIO_USER as u64)),
    (libc::SYS_setpriority, Is(1, INIT)),
    (libc::SYS_ioprio_set, Is(0, 3 /* IOPRIO_WHO_USER */)),
    (libc::SYS_ioprio_set, Is(1, INIT)),
    (libc::SYS_migrate_pages, Always),
    (libc::SYS_move_pages, Always),
    // Keys outlive processes, and the caller's own are within reach.
    (libc::SYS_add_key, Always),
    (libc::SYS_keyctl, Always),
    (libc::SYS_request_key, Always),
    // Programs, counters, handlers in the kernel.
    (libc::SYS_bpf, Always),
    (libc::SYS_perf_event_open, Always),
    (libc::SYS_userfaultfd, Always),
    (libc::SYS_fanotify_init, Always),
    (libc::SYS_io_uring_setup, Always),
    (libc::SYS_io_uring_enter, Always),
    (libc::SYS_io_uring_register, Always),
    // The machine's own affairs.
    (libc::SYS_acct, Always),
    (libc::SYS_adjtimex, Always),
    (libc::SYS_clock_adjtime, Always),
    (libc::SYS_clock_settime, Always),
    (libc::SYS_settimeofday, Always),
    (libc::SYS_delete_module, Always),
    (libc::SYS_finit_module, Always),
    (libc::SYS_init_module, Always),
    (libc::SYS_kexec_file_load, Always),
    (libc::SYS_kexec_load, Always),
    (libc::SYS_name_to_handle_at, Always),
    (libc::SYS_open_by_handle_at, Always),
    (libc::SYS_quotactl, Always),
    (libc::SYS_reboot, Always),
    (libc::SYS_sethostname, Always),
    (libc::SYS_setdomainname, Always),
    (libc::SYS_swapoff, Always),
    (libc::SYS_swapon, Always),
    (libc::SYS_syslog, Always),
    (libc::SYS_vhangup, Always),
];

/// Refused with `ENOSYS`, as by a kernel without them, so that programs take another way.
const ABSENT: &[(i64, When)] = &[
    // Its flags lie in memory, where no filter can look. The C library falls back to `clone`.
    (libc::SYS_clone3, Always),
    // Memory that is no process's and no file's: no sample and no size limit would count it.
    (libc::SYS_memfd_create, Always),
    (libc::SYS_memfd_secret, Always),
    (libc::SYS_shmget, Always),
    (libc::SYS_semget, Always),
    (libc::SYS_msgget, Always),
    (libc::SYS_mq_open, Always),
];

/// Refused with `EAFNOSUPPORT`, as by a kernel without them.
const UNSUPPORTED: &[(i64, When)] = &[(libc::SYS_socket, IsNone(0, &FAMILIES))];

/// The filters, to be applied in this order.
pub(crate) fn filters() -> Result<Vec<BpfProgram>, Error> {
    let clone = CLONE_NAMESPACES.map(|flag| (libc::SYS_clone, Has(0, flag as u64)));
    let tables = [
        (Errno::EPERM, FORBIDDEN.iter().chain(&clone).collect::<Vec<_>>()),
        (Errno::ENOSYS, ABSENT.iter().collect()),
        (Errno::EAFNOSUPPORT, UNSUPPORTED.iter().collect()),
    ];
    tables.into_iter().map(|(errno, table)| compile(errno, &table)).collect()
}

fn compile(errno: Errno, table: &[&(i64, When)]) -> Result<BpfProgram, Error> {
    let wrong = |error: seccompiler::Error| Error::setup("compile its system call filter", error);
    let mut rules = std::collections::BTreeMap::<i64, Vec<SeccompRule>>::new();
    for (call, when) in table {
        let conditions = conditions(when).map_err(|error| wrong(error.into()))?;
        // A call without rules is refused whatever its arguments.
        let list = rules.entry(*call).or_default();
        if !conditions.is_empty() {
            list.push(SeccompRule::new(conditions).map_err(|error| wrong(error.into()))?);
        }
    }
    let arch = TargetArch::try_from(std::env::consts::ARCH).map_err(|error| wrong(error.into()))?;
    let action = SeccompAction::Errno(errno as i32 as u32);
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, action, arch).map_err(|error| wrong(error.into()))?;
    let program: BpfProgram = filter.try_into().map_err(|error: seccompiler::BackendError| wrong(error.into()))?;
    Ok(refuse_x32().into_iter().chain(program).collect())
}

fn conditions(when: &When) -> Result<Vec<SeccompCondition>, seccompiler::BackendError> {
    // All tested arguments are `int`: the kernel ignores the upper half of the register, and so
    // must the filter.
    let condition = |index, operator, value| SeccompCondition::new(index, SeccompCmpArgLen::Dword, operator, value);
    match when {
        Always => Ok(Vec::new()),
        Is(index, value) => Ok(vec![condition(*index, SeccompCmpOp::Eq, *value)?]),
        Has(index, bits) => Ok(vec![condition(*index, SeccompCmpOp::MaskedEq(*bits), *bits)?]),
        IsNone(index, values) => values.iter().map(|value| condition(*index, SeccompCmpOp::Ne, *value)).collect(),
    }
}

/// On x86-64, every call has a second number for programs with 32-bit pointers, which the tables
/// would miss: there are none of them. (The same architecture check lets them pass; real 32-bit
/// programs are killed by it.)
fn refuse_x32() -> Vec<sock_filter> {
    /// Where the second numbers begin. No other architecture has numbers that high.
    const X32: u32 = 0x4000_0000;
    let load_number = sock_filter { code: 0x20 /* BPF_LD | BPF_W | BPF_ABS */, jt: 0, jf: 0, k: 0 };
    let is_below = sock_filter { code: 0x35 /* BPF_JMP | BPF_JGE | BPF_K */, jt: 0, jf: 1, k: X32 };
    let refuse = sock_filter {
        code: 0x06, /* BPF_RET | BPF_K */
        jt: 0,
        jf: 0,
        k: libc::SECCOMP_RET_ERRNO | Errno::ENOSYS as i32 as u32,
    };
    vec![load_number, is_below, refuse]
}
