//! Solutions that break a limit: each ends in time with the right end, and leaves no process.

use std::time::Duration;

use slopbench_sandbox::{Collected, Limit, Limits, ProgramEnd};

use crate::common::{LIMITS, MB};
use crate::{PROCESS_1, open};

const SHORT: Limits = Limits { wall: Duration::from_millis(700), ..LIMITS };

#[test]
fn sleeping_for_ever() {
    let Some(mut b) = open() else { return };
    let seen = b.python("import time; print('before', flush=True); time.sleep(1e6)", SHORT);
    assert_eq!((seen.end, seen.stdout), (ProgramEnd::Limit(Limit::Wall), b"before\n".to_vec()));
    assert!(seen.usage.wall >= SHORT.wall && seen.usage.cpu > Duration::ZERO);
}

#[test]
fn the_wall_clock_counts_milliseconds() {
    let Some(mut b) = open() else { return };
    let limits = Limits { wall: Duration::from_millis(150), ..LIMITS };
    let seen = b.python("import time; time.sleep(1e6)", limits);
    assert_eq!(seen.end, ProgramEnd::Limit(Limit::Wall));
    assert!(seen.usage.wall < Duration::from_millis(400), "{:?}", seen.usage);
}

#[test]
fn spinning() {
    let Some(mut b) = open() else { return };
    let limits = Limits { cpu: Duration::from_millis(300), ..LIMITS };
    let seen = b.python("while True: pass", limits);
    assert_eq!(seen.end, ProgramEnd::Limit(Limit::Cpu));
    assert!(seen.usage.cpu < Duration::from_millis(1500), "{:?}", seen.usage);
}

#[test]
fn spinning_in_children_that_are_waited_for() {
    let Some(mut b) = open() else { return };
    let limits = Limits { cpu: Duration::from_millis(400), ..LIMITS };
    let code = "
import os, time
while True:
    pid = os.fork()
    if pid == 0:
        end = time.process_time() + 0.05
        while time.process_time() < end: pass
        os._exit(0)
    os.waitpid(pid, 0)";
    assert_eq!(b.python(code, limits).end, ProgramEnd::Limit(Limit::Cpu));
}

#[test]
fn forking_without_end() {
    let Some(mut b) = open() else { return };
    assert_eq!(b.python("import os\nwhile True: os.fork()", LIMITS).end, ProgramEnd::Limit(Limit::Processes));
    let stubborn = "
import os, time
while True:
    try: os.fork()
    except OSError: time.sleep(0.001)";
    assert_eq!(b.python(stubborn, LIMITS).end, ProgramEnd::Limit(Limit::Processes));
    let in_sessions = "
import os, signal
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
while True:
    try:
        if os.fork() == 0: os.setsid()
    except OSError: pass";
    assert_eq!(b.python(in_sessions, LIMITS).end, ProgramEnd::Limit(Limit::Processes));
    let seen = b.python("print('still well')", LIMITS);
    assert_eq!((seen.end, seen.stdout), (ProgramEnd::Exited(0), b"still well\n".to_vec()));
}

#[test]
fn starting_threads_without_end() {
    let Some(mut b) = open() else { return };
    let code = "
import threading, time
while True: threading.Thread(target=time.sleep, args=(1e6,), daemon=True).start()";
    // The kernel refuses the next one, as on any machine, and Python gives up.
    assert_eq!(b.python(code, LIMITS).end, ProgramEnd::Exited(1));
}

#[test]
fn eating_memory() {
    let Some(mut b) = open() else { return };
    let seen = b.python("data = []\nwhile True: data.append(bytearray(b'x' * (1 << 20)))", LIMITS);
    assert_eq!(seen.end, ProgramEnd::Limit(Limit::Memory));
    assert!(seen.usage.peak_memory > LIMITS.memory);
    // At once.
    assert_eq!(
        b.python("data = b'x' * (1 << 30); import time; time.sleep(5)", LIMITS).end,
        ProgramEnd::Limit(Limit::Memory)
    );
    // Shared, and by many.
    let shared = "
import mmap, time
data = mmap.mmap(-1, 400 << 20)
for n in range(0, 400 << 20, 4096): data[n] = 1
time.sleep(5)";
    assert_eq!(b.python(shared, LIMITS).end, ProgramEnd::Limit(Limit::Memory));
    let many = "
import os, time
for _ in range(15):
    if os.fork() == 0: break
data = b'x' * (30 << 20)
time.sleep(5)";
    assert_eq!(b.python(many, LIMITS).end, ProgramEnd::Limit(Limit::Memory));
}

#[test]
fn eating_memory_under_cover() {
    let Some(mut b) = open() else { return };
    let eat = "
def eat():
    data = []
    while True: data.append(bytearray(b'x' * (1 << 20)))
import ctypes, threading, time, sys
libc = ctypes.CDLL(None)
";
    // A name that is no text, and one that looks like a status.
    for name in [r"b'\xff\xfe) R'", r"b'\nRssAnon: 1 kB'"] {
        let code = format!("{eat}libc.prctl(15, {name}, 0, 0, 0)\neat()");
        assert_eq!(b.python(&code, LIMITS).end, ProgramEnd::Limit(Limit::Memory), "{name}");
    }
    // Not to be looked into.
    let code = format!("{eat}libc.prctl(4, 0, 0, 0, 0)\neat()");
    assert_eq!(b.python(&code, LIMITS).end, ProgramEnd::Limit(Limit::Memory));
    // With the first thread gone, and the process a zombie to look at.
    let exit = if cfg!(target_arch = "x86_64") { 60 } else { 93 };
    let code = format!(
        "{eat}
def later():
    time.sleep(0.2); eat()
threading.Thread(target=later).start()
libc.syscall({exit}, 0)"
    );
    assert_eq!(b.python(&code, LIMITS).end, ProgramEnd::Limit(Limit::Memory));
}

#[test]
fn memory_that_is_no_processes_is_not_to_be_had() {
    let Some(mut b) = open() else { return };
    let code = "
import ctypes, errno, os
libc = ctypes.CDLL(None, use_errno=True)
try: print(os.memfd_create('x'))
except OSError as error: print(errno.errorcode[error.errno])
print(libc.shmget(0, 1 << 30, 0o1600), errno.errorcode[ctypes.get_errno()])
print(libc.semget(0, 1, 0o1600), errno.errorcode[ctypes.get_errno()])";
    assert_eq!(b.says(code), "ENOSYS\n-1 ENOSYS\n-1 ENOSYS");
}

#[test]
fn filling_the_disk() {
    let Some(mut b) = open() else { return };
    for place in ["/work", "/tmp", "/dev/shm"] {
        let code = format!(
            "
n = 0
while True:
    with open(f'{place}/{{n}}', 'wb') as file: file.write(b'x' * (1 << 20))
    n += 1"
        );
        assert_eq!(b.python(&code, LIMITS).end, ProgramEnd::Limit(Limit::Disk), "{place}");
    }
    // With empty files.
    assert_eq!(b.python("n = 0\nwhile True: open(str(n), 'w'); n += 1", LIMITS).end, ProgramEnd::Limit(Limit::Disk));
}

#[test]
fn writing_one_large_file() {
    let Some(mut b) = open() else { return };
    // Python ignores SIGXFSZ and sees an error; a shell's child dies.
    let python = "file = open('large', 'wb')\nwhile True: file.write(b'x' * (1 << 20))";
    assert_eq!(b.python(python, LIMITS).end, ProgramEnd::Limit(Limit::FileSize));
    let task = slopbench_sandbox::Task::new(["sh", "-c", "exec cat /dev/zero > large"], LIMITS);
    assert_eq!(b.run(&task).end, ProgramEnd::Limit(Limit::FileSize));
}

#[test]
fn printing_a_gigabyte() {
    let Some(mut b) = open() else { return };
    let limits = Limits { output: MB, ..LIMITS };
    let seen = b.python("import os\nwhile True: os.write(1, b'x' * 65536)", limits);
    assert_eq!((seen.end, seen.stdout.len() as u64), (ProgramEnd::Limit(Limit::Output), MB));
    let seen = b.python("import os\nfor _ in range(40): os.write(2, b'x' * 65536)", limits);
    assert_eq!((seen.end, seen.stderr.len() as u64), (ProgramEnd::Limit(Limit::Output), MB));
}

#[test]
fn killing_everyone() {
    let Some(mut b) = open() else { return };
    let code = "
import os, signal, time
if os.fork() == 0: time.sleep(1e6)
os.kill(-1, signal.SIGKILL); print('alone')";
    let seen = b.python(code, LIMITS);
    // The kernel spares the sender, and process 1.
    assert_eq!((seen.end, seen.stdout), (ProgramEnd::Exited(0), b"alone\n".to_vec()));
    let seen = b.run(&slopbench_sandbox::Task::new(["sh", "-c", "kill -9 -1; echo alone"], LIMITS));
    assert_eq!(seen.end, ProgramEnd::Exited(0));
    for target in ["0", "-os.getpgid(os.getppid()) or -1", "os.getppid()", "1"] {
        let code = format!(
            "import os, signal
try: os.kill({target}, signal.SIGKILL)
except OSError: pass"
        );
        let end = b.python(&code, LIMITS).end;
        assert!(matches!(end, ProgramEnd::Exited(0) | ProgramEnd::Signalled(9)), "{target}: {end:?}");
    }
}

#[test]
fn touching_process_1() {
    let Some(mut b) = open() else { return };
    // A CPU limit of 0 would have the kernel kill it; a limit on descriptors would blind it; so
    // would being idle.
    let code = "
import os, resource, ctypes, signal
def attempt(name, call):
    try: call(); print(name, 'done')
    except OSError as error: print(name, error.errno)
attempt('cpu', lambda: resource.prlimit(1, resource.RLIMIT_CPU, (0, 0)))
attempt('nofile', lambda: resource.prlimit(1, resource.RLIMIT_NOFILE, (0, 0)))
attempt('idle', lambda: os.sched_setscheduler(1, os.SCHED_IDLE, os.sched_param(0)))
attempt('affinity', lambda: os.sched_setaffinity(1, {0}))
attempt('nice', lambda: os.setpriority(os.PRIO_PROCESS, 1, 19))
attempt('nice all', lambda: os.setpriority(os.PRIO_USER, 0, 19))
attempt('nice group', lambda: os.setpriority(os.PRIO_PGRP, 1, 19))
attempt('environ', lambda: open('/proc/1/environ').read())
attempt('mem', lambda: open('/proc/1/mem', 'rb+'))
attempt('fd', lambda: os.listdir('/proc/1/fd'))
attempt('root', lambda: os.listdir('/proc/1/root'))
attempt('maps', lambda: open('/proc/1/maps').read())
attempt('oom', lambda: open('/proc/1/oom_score_adj', 'w'))
for number in range(1, 65):
    try: os.kill(1, number)
    except OSError: pass
";
    let refused =
        ["cpu", "nofile", "idle", "affinity", "nice", "nice all", "nice group"].map(|name| format!("{name} 1"));
    let hidden = ["environ", "mem", "fd", "root", "maps"].map(|name| format!("{name} {PROCESS_1}"));
    let expected = [refused.join("\n"), hidden.join("\n"), "oom 30".into()].join("\n");
    assert_eq!(b.says(code), expected);
    // Its own limits are its own business.
    assert_eq!(b.says("import resource, os; resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64)); os.sched_setaffinity(0, os.sched_getaffinity(0)); print(1)"), "1");
}

#[test]
fn leaving_a_daemon() {
    let Some(mut b) = open() else { return };
    let daemon = "
import os, time, signal, sys
if os.fork() == 0:
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_IGN); signal.signal(signal.SIGHUP, signal.SIG_IGN)
    if os.fork() == 0:
        print('daemon', flush=True)
        open('ready', 'w')
        time.sleep(1e6)
    os._exit(0)
os.wait()
while not os.path.exists('ready'): time.sleep(0.01)
print('parent')";
    // The daemon keeps standard output open; no one waits for it.
    let seen = b.python(daemon, LIMITS);
    assert_eq!((seen.end, seen.stdout), (ProgramEnd::Exited(0), b"daemon\nparent\n".to_vec()));
    let seen = b
        .python("import os, time\nos.closerange(0, 100)\nos.setsid() if os.fork() == 0 else 0\ntime.sleep(1e6)", SHORT);
    assert_eq!(seen.end, ProgramEnd::Limit(Limit::Wall));
    let seen = b.python("import signal, time\nfor n in range(1, 65):\n  try: signal.signal(n, signal.SIG_IGN)\n  except (OSError, ValueError): pass\ntime.sleep(1e6)", SHORT);
    assert_eq!(seen.end, ProgramEnd::Limit(Limit::Wall));
}

#[test]
fn stopping_itself() {
    let Some(mut b) = open() else { return };
    assert_eq!(
        b.python("import os, signal; os.kill(os.getpid(), signal.SIGSTOP)", SHORT).end,
        ProgramEnd::Limit(Limit::Wall)
    );
}

#[test]
fn setting_traps_for_the_collector() {
    let Some(mut b) = open() else { return };
    let mut task = b.task(
        "import os, socket, stat
os.mknod('whiteout', stat.S_IFCHR | 0o644, 0)
os.symlink('/etc/passwd', 'link'); os.symlink('/etc', 'folder-link'); os.symlink('loop', 'loop')
os.mkfifo('pipe'); os.mkdir('folder')
socket.socket(socket.AF_UNIX).bind('socket')
open('closed', 'w').write('x'); os.chmod('closed', 0)
os.truncate(os.open('sparse', os.O_CREAT | os.O_RDWR), 15 << 20)
open('n' * 255, 'w').write('long')
os.mkdir('locked'); open('locked/file', 'w').write('y'); os.chmod('locked', 0)
os.chmod('.', 0)",
        LIMITS,
    );
    let long = "n".repeat(255);
    let names = [
        "link",
        "folder-link/passwd",
        "loop",
        "pipe",
        "folder",
        "socket",
        "whiteout",
        "closed",
        "sparse",
        &long,
        "locked/file",
        "file/below",
    ];
    task.collect = names.map(String::from).to_vec();
    task.collect.push("n".repeat(5000));
    let seen = b.run(&task);
    assert_eq!(seen.end, ProgramEnd::Exited(0), "{}", String::from_utf8_lossy(&seen.stderr));
    for name in ["link", "folder-link/passwd", "loop", "pipe", "folder", "socket", "whiteout"] {
        assert_eq!(seen.files[name], Collected::NotAFile, "{name}");
    }
    assert_eq!(seen.files["sparse"], Collected::TooLarge);
    assert_eq!(seen.files[&long], Collected::File(b"long".to_vec()));
    // Modes are no one's business: the caller may be root or not.
    assert_eq!(seen.files["closed"], Collected::File(b"x".to_vec()));
    assert_eq!(seen.files["locked/file"], Collected::File(b"y".to_vec()));
    assert_eq!(seen.files["file/below"], Collected::Missing);
    assert_eq!(seen.files[&"n".repeat(5000)], Collected::Missing);
}

#[test]
fn nesting_folders_deeply() {
    let Some(mut b) = open() else { return };
    let code = "
import os
for _ in range(4000): os.mkdir('d'); os.chdir('d')
open('deep', 'wb').write(b'x' * (8 << 20))
os.chdir('/work')
for n in range(20): open(str(n), 'wb').write(b'x' * (1 << 20))";
    // More than the largest file in all, so every folder is looked into.
    let seen = b.python(code, Limits { disk: 64 * MB, ..LIMITS });
    assert_eq!(seen.end, ProgramEnd::Exited(0), "{}", String::from_utf8_lossy(&seen.stderr));
}

#[test]
fn spinning_in_children_that_are_not_waited_for() {
    let Some(mut b) = open() else { return };
    let limits = Limits { cpu: Duration::from_millis(500), ..LIMITS };
    let code = "
import os
for _ in range(2):
    if os.fork() == 0: os.setsid(); break
while True: pass";
    let seen = b.python(code, limits);
    assert_eq!(seen.end, ProgramEnd::Limit(Limit::Cpu), "{:?}", seen.usage);
}
