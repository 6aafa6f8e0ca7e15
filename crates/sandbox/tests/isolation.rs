//! Solutions that want out: what they can read, write and reach.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod common;

use std::fs;
use std::net::TcpListener;

use common::{LIMITS, open, open_with, python};
use slopbench_sandbox::{Error, Namespaces, ProgramEnd, Runtime, Solution};

/// Python that defines `attempt(name, call)`, which prints what the system said.
const ATTEMPT: &str = "
import os, errno, socket, ctypes
libc = ctypes.CDLL(None, use_errno=True)
def attempt(name, call):
    try: call(); print(name, 'DONE')
    except OSError as error: print(name, errno.errorcode[error.errno])
def syscall(name, *args):
    result = libc.syscall(*[ctypes.c_long(arg) for arg in args])
    print(name, 'DONE' if result >= 0 else errno.errorcode[ctypes.get_errno()])
";

#[test]
fn nothing_outside_of_the_folder_can_be_written() {
    let Some(mut b) = open() else { return };
    let code = format!("{ATTEMPT}
for path in '/x', '/solution/x', '/solution/main.py', '/usr/x', '/usr/bin/x', '/etc/passwd', '/dev/x', '/work/../x', '/proc/sys/kernel/hostname', '/lib/x':
    attempt(path, lambda: open(path, 'a'))
attempt('unlink', lambda: os.unlink('/solution/main.py'))
attempt('chmod', lambda: os.chmod('/solution/main.py', 0o777))
attempt('rename', lambda: os.rename('/work', '/y'))
attempt('mknod', lambda: os.mknod('/work/null', 0o20666, os.makedev(1, 3)))
");
    let said = b.says(&code);
    assert!(!said.contains("DONE"), "{said}");
    // The user owns them, whoever the caller is: it is the mount that refuses.
    assert!(
        said.contains("/etc/passwd EROFS") && said.contains("main.py EROFS") && said.contains("/usr/x EROFS"),
        "{said}"
    );
}

#[test]
fn only_the_system_can_be_seen() {
    let Some(mut b) = open() else { return };
    let listed = b.says("import os; print(*sorted(os.listdir('/')))");
    for name in ["home", "root", "var", "boot", "mnt", "srv", "sys", "run", "media"] {
        let exposed = python().expose.iter().any(|path| path.starts_with(format!("/{name}")));
        assert!(exposed || !listed.split(' ').any(|found| found == name), "{name} in {listed}");
    }
    assert_eq!(
        b.says("import os; print(*sorted(os.listdir('/dev')))"),
        "fd full null random shm stderr stdin stdout urandom zero"
    );
    assert_eq!(
        b.says("import os; print(*[name for name in os.listdir('/proc') if not name.isdigit()])"),
        "self thread-self"
    );
    assert_eq!(
        b.says("import os; print(sorted(int(name) for name in os.listdir('/proc') if name.isdigit())[0], os.getpid())"),
        "1 2"
    );
}

#[test]
fn hidden_paths_are_hidden_wherever_they_lie() {
    // A path below an exposed one, as a repository with cases that also holds the interpreter's
    // prefix would be.
    let base = tempfile::tempdir_in("/var/tmp").unwrap();
    let exposed = base.path().canonicalize().unwrap();
    fs::create_dir_all(exposed.join("problems/cases")).unwrap();
    fs::write(exposed.join("problems/cases/secret"), "secret").unwrap();
    fs::write(exposed.join("answer"), "secret").unwrap();
    fs::write(exposed.join("open"), "open").unwrap();
    let mut runtime = python();
    runtime.expose.push(exposed.clone());
    let hide = |_: &std::path::Path| vec![exposed.join("problems"), exposed.join("answer"), exposed.join("not there")];
    let Some(mut b) = open_with(&[], hide, &runtime) else {
        return;
    };
    let code = format!(
        "import os
base = {exposed:?}
print(open(base + '/open').read(), os.listdir(base + '/problems'), repr(open(base + '/answer').read()))"
    );
    assert_eq!(b.says(&code), "open [] ''");
}

#[test]
fn a_solution_that_holds_hidden_files_is_refused() {
    if open().is_none() {
        return;
    }
    let base = tempfile::tempdir().unwrap();
    for folder in ["problem/cases", "problem/solution", "link-to"] {
        fs::create_dir_all(base.path().join(folder)).unwrap();
    }
    fs::write(base.path().join("problem/solution/main.py"), "").unwrap();
    fs::write(base.path().join("problem/cases/secret"), "secret").unwrap();
    std::os::unix::fs::symlink("../problem", base.path().join("link-to/problem")).unwrap();
    let open = |dir: &str, hide: &str| {
        let solution =
            Solution { dir: base.path().join(dir), hide: vec![base.path().join(hide)], ..Solution::default() };
        Namespaces::open(&solution, &Runtime::default())
    };
    for (dir, hide) in [
        ("problem", "problem"),
        ("problem", "problem/cases"),
        ("problem", "problem/cases/secret"),
        ("", "problem"),
        ("link-to/problem", "problem"),
        ("problem", "link-to/problem/cases"),
    ] {
        let error = open(dir, hide).unwrap_err();
        assert!(matches!(error, Error::Solution { .. }), "{dir} with {hide} hidden: {error}");
    }
    // The other way round is how reference solutions lie.
    open("problem/solution", "problem").unwrap();
    open("problem/solution", "problem/cases").unwrap();
}

#[test]
fn what_is_no_part_of_a_snapshot_is_not_copied() {
    let files = [
        (".git", "gitdir: elsewhere"),
        (".gitignore", ""),
        ("__pycache__/stale.pyc", ""),
        ("lib/.git/config", ""),
        ("lib/__pycache__/stale.pyc", ""),
        ("lib/sourceless.pyc", ""),
        ("lib/virtualenv/hidden.py", ""),
        ("lib/own.py", ""),
    ];
    let Some(mut b) = open_with(&files, |_| Vec::new(), &python()) else {
        return;
    };
    let code = "
import os
print(*sorted(os.path.join(at, name) for at, folders, files in os.walk('/solution') for name in folders + files))";
    assert_eq!(b.says(code), "/solution/.gitignore /solution/lib /solution/lib/own.py");
}

#[test]
fn a_solution_is_listed_in_the_same_order_everywhere() {
    let names: Vec<String> = (0..40).map(|n| format!("{n:02}")).collect();
    let listed = |names: &mut dyn Iterator<Item = &String>| {
        let files: Vec<_> = names.map(|name| (name.as_str(), "")).collect();
        let mut b = open_with(&files, |_| Vec::new(), &python())?;
        Some(b.says("import os; print(*os.listdir('/solution'))"))
    };
    let forward = listed(&mut names.iter());
    assert_eq!(listed(&mut names.iter().rev()), forward);
    // Either way round, depending on the kernel.
    let forward: Vec<_> = forward.iter().flat_map(|listed| listed.split(' ')).collect();
    assert!(forward.is_sorted() || forward.iter().rev().is_sorted(), "{forward:?}");
}

#[test]
fn reserved_places_cannot_be_exposed() {
    if open().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let solution = Solution { dir: dir.path().to_owned(), ..Solution::default() };
    for path in ["/", "/tmp/x", "/work", "/proc/self", "relative", "/opt/../etc"] {
        let runtime = Runtime { expose: vec![path.into()], ..Runtime::default() };
        let error = Namespaces::open(&solution, &runtime).unwrap_err();
        assert!(matches!(error, Error::Runtime(_)), "{path}: {error}");
    }
    let nowhere = Solution { dir: "/no/such/folder".into(), ..Solution::default() };
    assert!(matches!(Namespaces::open(&nowhere, &Runtime::default()), Err(Error::Solution { .. })));
}

#[test]
fn there_is_no_network_but_its_own_loopback() {
    let Some(mut b) = open() else { return };
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let code = format!(
        "{ATTEMPT}
attempt('host', lambda: socket.create_connection(('127.0.0.1', {port}), 2))
attempt('world', lambda: socket.create_connection(('192.0.2.1', 80), 2))
attempt('vsock', lambda: socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM))
attempt('alg', lambda: socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET))
attempt('packet', lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW))
attempt('raw', lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))
print(socket.if_nameindex())
server = socket.create_server(('127.0.0.1', 8080))
client = socket.create_connection(('localhost', 8080))
peer, _ = server.accept()
client.sendall(b'own'); print(peer.recv(3))"
    );
    let expected =
        "host ECONNREFUSED\nworld ENETUNREACH\nvsock EAFNOSUPPORT\nalg EAFNOSUPPORT\npacket EAFNOSUPPORT\nraw EPERM";
    assert_eq!(b.says(&code), format!("{expected}\n[(1, 'lo')]\nb'own'"));
}

#[test]
fn system_calls_that_no_solution_needs_are_refused() {
    let Some(mut b) = open() else { return };
    let code = format!("{ATTEMPT}
attempt('unshare', lambda: os.unshare(os.CLONE_NEWUSER) if hasattr(os, 'unshare') else (_ for _ in ()).throw(OSError(1, '')))
CLONE_NEWUSER = 0x10000000
print('unshare', libc.unshare(CLONE_NEWUSER), ctypes.get_errno())
print('unshare', libc.unshare(0x20000), ctypes.get_errno())
print('mount', libc.mount(b'tmpfs', b'/work', b'tmpfs', 0, None), ctypes.get_errno())
print('umount', libc.umount2(b'/proc', 2), ctypes.get_errno())
print('ptrace', libc.ptrace(16, 1, 0, 0), ctypes.get_errno())
print('setns', libc.setns(0, 0), ctypes.get_errno())
print('chroot', libc.chroot(b'/work'), ctypes.get_errno())
");
    let said = b.says(&code);
    assert!(said.lines().all(|line| line.ends_with(" -1 1") || line == "unshare EPERM"), "{said}");
    let numbers = if cfg!(target_arch = "x86_64") {
        (56, 250, 248, 321, 298, 323, 425, 310, 435)
    } else {
        (220, 219, 217, 280, 241, 282, 425, 270, 435)
    };
    let (clone, keyctl, add_key, bpf, perf, userfaultfd, io_uring, vm_readv, clone3) = numbers;
    let code = format!("{ATTEMPT}
for name, number in dict(keyctl={keyctl}, add_key={add_key}, bpf={bpf}, perf={perf}, userfaultfd={userfaultfd}, io_uring={io_uring}, vm_readv={vm_readv}).items():
    syscall(name, number, 0, 0, 0, 0, 0)
syscall('clone newuser', {clone}, 0x10000000 | 17, 0, 0, 0, 0)
syscall('clone newnet', {clone}, 0x40000000 | 17, 0, 0, 0, 0)
syscall('clone high', {clone}, 0x7fffffff10000000 | 17, 0, 0, 0, 0)
syscall('clone3', {clone3}, 0, 0)
syscall('x32', 0x40000000 | 39)
");
    let said = b.says(&code);
    let refused = |line: &str| line.ends_with(" EPERM") || ["clone3 ENOSYS", "x32 ENOSYS"].contains(&line);
    assert!(said.lines().all(refused) && said.lines().count() == 12, "{said}");
}

#[test]
fn set_user_id_programs_give_nothing() {
    let Some(mut b) = open() else { return };
    let code = "
import subprocess, os
for program in '/usr/bin/su', '/usr/bin/passwd', '/usr/bin/sudo', '/usr/bin/newgrp':
    if os.path.exists(program): subprocess.run([program, '--help'], stdin=subprocess.DEVNULL, capture_output=True)
print(all(os.statvfs(path).f_flag & os.ST_NOSUID for path in ('/usr', '/work', '/tmp', '/solution')))
print(all(os.statvfs(path).f_flag & os.ST_RDONLY for path in ('/', '/usr', '/solution', '/etc', '/dev')))";
    assert_eq!(b.says(code), "True\nTrue");
}

#[test]
fn the_programs_user_is_nobody_outside() {
    let Some(mut b) = open() else { return };
    let mut task = b.task("import time; time.sleep(0.6)", LIMITS);
    task.limits.wall = std::time::Duration::from_secs(5);
    let mark = b.mark.clone();
    let watcher = std::thread::spawn(move || {
        let pid = common::soon("the program never ran", || common::marked(&mark).first().copied());
        fs::read_to_string(format!("/proc/{pid}/status")).unwrap()
    });
    assert_eq!(b.run(&task).end, ProgramEnd::Exited(0));
    let status = watcher.join().unwrap();
    let uid: u32 = status
        .lines()
        .find_map(|line| line.strip_prefix("Uid:"))
        .unwrap()
        .split_whitespace()
        .next()
        .unwrap()
        .parse()
        .unwrap();
    let caller = nix::unistd::geteuid();
    // Where root is the only user that there is, it has no one else to be.
    let alone = fs::read_to_string("/proc/self/uid_map").unwrap().trim_end().ends_with(" 1");
    assert!(uid != 0 || (caller.is_root() && alone), "{status}");
}
