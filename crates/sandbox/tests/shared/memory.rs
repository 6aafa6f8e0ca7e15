//! Memory that is no process's, and who is killed for want of it.

use std::time::Duration;

use slopbench_sandbox::{Limit, Limits, ProgramEnd};

use crate::common::{LIMITS, MB};
use crate::open;

#[test]
fn sparing_itself_when_memory_runs_out() {
    let Some(mut b) = open() else { return };
    let code = "
import errno, os
def attempt(path, text):
    try: open(path, 'w').write(text); print(path, 'written')
    except OSError as error: assert error.errno in (errno.EROFS, errno.EACCES, errno.ENOENT), error
print(open('/proc/self/oom_score_adj').read().strip())
for name in 'oom_score_adj', 'oom_adj', 'clear_refs', 'coredump_filter', 'comm', 'timerslack_ns', 'uid_map', 'sched':
    attempt(f'/proc/self/{name}', '0'); attempt(f'/proc/thread-self/{name}', '0'); attempt(f'/proc/self/task/{os.getpid()}/{name}', '0')
if os.fork() == 0: os.execvp('sh', ['sh', '-c', 'echo 0 > /proc/$$/oom_score_adj; cat /proc/$$/oom_score_adj'])
os.wait()";
    assert_eq!(b.says(code), "1000\n1000");
}

#[test]
fn what_a_killed_program_had_is_known() {
    let Some(mut b) = open() else { return };
    // Faster than any look: whoever the kernel kills for want of memory is judged by this.
    let seen = b.python("import os; data = b'x' * (60 << 20); os.kill(os.getpid(), 9)", LIMITS);
    assert_eq!(seen.end, ProgramEnd::Signalled(9));
    assert!(seen.usage.peak_memory > 60 * MB, "{:?}", seen.usage);
}

/// Shared memory without a name, of this many megabytes in pieces of so many, all of it written to.
const HIDE: &str = "
import ctypes, mmap, os, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype, libc.mmap.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
libc.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
def piece(size, file=-1):
    place = libc.mmap(None, size, 3, mmap.MAP_SHARED | (mmap.MAP_ANONYMOUS if file < 0 else 0), file, 0)
    assert place not in (None, ctypes.c_void_p(-1).value), ctypes.get_errno()
    ctypes.memset(place, 1, size)
    return place
";

#[test]
fn hiding_shared_memory() {
    let Some(mut b) = open() else { return };
    let ways = [
        // Out of the page tables, piece by piece.
        "while True: libc.madvise(piece(1 << 20), 1 << 20, mmap.MADV_DONTNEED)",
        // But for one page.
        "while True: libc.munmap(piece(1 << 20) + 4096, (1 << 20) - 4096)",
        // By the file of zeroes.
        "
zero = os.open('/dev/zero', os.O_RDWR)
while True: libc.munmap(piece(1 << 20, zero) + 4096, (1 << 20) - 4096)",
        // In children whose parent is gone.
        "
if os.fork(): time.sleep(9)
while True:
    libc.munmap(piece(4 << 20) + 4096, (4 << 20) - 4096)
    if os.fork(): os._exit(0)",
        // By a process that is not to be looked into.
        "
libc.prctl(4, 0, 0, 0, 0)
while True: libc.munmap(piece(1 << 20) + 4096, (1 << 20) - 4096)",
        // By threads, of which one always waits for process 1.
        "
def eat():
    while True: libc.munmap(piece(1 << 20) + 4096, (1 << 20) - 4096)
for _ in range(16): threading.Thread(target=eat).start()",
    ];
    for way in ways {
        let seen = b.python(&format!("{HIDE}{way}"), LIMITS);
        assert_eq!(seen.end, ProgramEnd::Limit(Limit::Memory), "{way}: {}", String::from_utf8_lossy(&seen.stderr));
    }
}

#[test]
fn who_keeps_process_1_busy_takes_processor_time() {
    let Some(mut b) = open() else { return };
    // Waits for process 1, and does nothing itself.
    let code = format!("{HIDE}\nwhile True: libc.mmap(None, 4096, 3, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS, -1, 0)");
    let seen = b.python(&code, Limits { cpu: Duration::from_secs(2), ..LIMITS });
    assert_eq!(seen.end, ProgramEnd::Limit(Limit::Cpu), "{:?}", seen.usage);
}

#[test]
fn shared_memory_that_is_gone_does_not_count() {
    let Some(mut b) = open() else { return };
    let code = "
import mmap, os, threading, time
kept = [mmap.mmap(-1, 4096) for _ in range(20)]
for n in range(40):
    with mmap.mmap(-1, 64 << 20) as data: data[5] = 1
    time.sleep(0.002)
    if os.fork() == 0:
        with mmap.mmap(-1, 64 << 20) as data: data[5] = 1
        os._exit(0)
    os.wait()
# Of threads, too, that map at the same time.
def turn():
    for _ in range(40):
        kept.append(mmap.mmap(-1, 4096))
        with mmap.mmap(-1, 32 << 20) as data: data[5] = 1
threads = [threading.Thread(target=turn) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
# Files count as what they are.
with open('file', 'wb+') as file:
    file.truncate(4 << 20)
    for _ in range(200): mmap.mmap(file.fileno(), 4 << 20)
print('well')";
    assert_eq!(b.says(code), "well");
}

#[test]
fn filling_sockets() {
    let Some(mut b) = open() else { return };
    let head = "
import os, socket, sys
kept = []
def fill(one):
    one.setblocking(False)
    try:
        while True: one.send(b'x' * 4000)
    except OSError: pass
def pair(): kept.extend(socket.socketpair()); return kept[-2:]
def flood(step):
    for _ in range(8):
        if os.fork() == 0: break
    try:
        while True: step()
    except OSError: pass
    os.read(0, 1) or __import__('time').sleep(2)
";
    let limits = Limits { memory: 64 * MB, ..LIMITS };
    // As many sockets with nothing in them are no offence.
    let empty = "
def step():
    pair()
    if len(kept) > 500: raise OSError
flood(step)";
    assert_eq!(b.python(&format!("{head}{empty}"), limits).end, ProgramEnd::Exited(0));
    let ways = [
        // Local ones, both ways.
        "flood(lambda: [fill(one) for one in pair()])",
        // Whose sender is closed.
        "
def step(): one, other = pair(); fill(one); kept.remove(one); one.close()
flood(step)",
        // In flight: no process has them open.
        "
def step():
    one, other = pair(); fill(one); far, near = pair(); far.setblocking(False)
    socket.send_fds(far, [b'x'], [one.fileno(), other.fileno(), near.fileno()])
    for it in one, other: kept.remove(it); it.close()
flood(step)",
        // Connections.
        "
server = socket.create_server(('127.0.0.1', 0), backlog=4096)
def step():
    kept.append(socket.create_connection(server.getsockname())); fill(kept[-1])
    kept.append(server.accept()[0]); fill(kept[-1])
flood(step)",
        // Without a connection.
        "
def step():
    kept.append(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)); kept[-1].bind(('127.0.0.1', 0)); kept[-1].connect(kept[-1].getsockname())
    for _ in range(50): kept[-1].send(b'x' * 4000)
flood(step)",
    ];
    for way in ways {
        let seen = b.python(&format!("{head}{way}"), limits);
        assert_eq!(seen.end, ProgramEnd::Limit(Limit::Memory), "{way}: {}", String::from_utf8_lossy(&seen.stderr));
        let next = "import socket; one, other = socket.socketpair(); one.send(b'well'); print(other.recv(4))";
        assert_eq!(b.python(next, limits).stdout, b"b'well'\n", "after {way}");
    }
}

#[test]
fn a_connection_holds_little_that_no_one_reads() {
    let Some(mut b) = open() else { return };
    let code = "
import socket
server = socket.create_server(('127.0.0.1', 0))
one = socket.create_connection(server.getsockname()); other = server.accept()[0]
one.setblocking(False); other.setblocking(False)
data = b'x' * (1 << 20)
def move():
    sent = 0
    try:
        while True: sent += one.send(data)
    except BlockingIOError: return sent
# The kernel gives more to connections that are used.
for _ in range(200):
    move()
    try:
        while True: other.recv(1 << 20)
    except BlockingIOError: pass
print(move() < 4 << 20)";
    assert_eq!(b.says(code), "True");
}
