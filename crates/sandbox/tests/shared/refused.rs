//! What the kernel is asked for in vain: one test for all rows of the table.

use slopbench_sandbox::refusals;

use crate::open;

#[test]
fn every_call_of_the_table_is_refused() {
    let Some(mut b) = open() else { return };
    let rows = refusals();
    let listed: Vec<_> =
        rows.iter().map(|row| format!("({}, {:?}, {})", row.number, row.arguments, row.errno)).collect();
    let code = format!(
        "
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
for number, arguments, expected in [{}]:
    failed = libc.syscall(ctypes.c_long(number), *map(ctypes.c_long, arguments)) < 0
    print(ctypes.get_errno() if failed else 0, flush=True)",
        listed.join(", ")
    );
    let said = b.says(&code);
    let seen: Vec<i32> = said.lines().map(|line| line.parse().unwrap()).collect();
    let wrong: Vec<_> = rows.iter().zip(&seen).filter(|(row, seen)| row.errno != **seen).collect();
    assert!(seen.len() == rows.len() && rows.len() > 80 && wrong.is_empty(), "{wrong:?}");
}

#[test]
fn leases_of_the_interpreters_files_are_not_to_be_had() {
    let Some(mut b) = open() else { return };
    let code = "
import errno, fcntl, os, sys
for path in os.path.realpath(sys.executable), os.__file__, '/usr/bin', '/work':
    file = os.open(path, os.O_RDONLY)
    for name, command, argument in ('lease', fcntl.F_SETLEASE, fcntl.F_RDLCK), ('lease', fcntl.F_SETLEASE, fcntl.F_WRLCK), ('notify', fcntl.F_NOTIFY, fcntl.DN_ACCESS):
        try: fcntl.fcntl(file, command, argument); print(path, name)
        except OSError as error: assert error.errno == errno.EPERM, error
    # What ordinary programs do with descriptors goes on.
    fcntl.fcntl(file, fcntl.F_SETFD, fcntl.fcntl(file, fcntl.F_GETFD)); os.close(os.dup(file)); fcntl.flock(file, fcntl.LOCK_SH)
print('nothing')";
    assert_eq!(b.says(code), "nothing");
}

#[test]
fn ordinary_programs_miss_nothing() {
    let Some(mut b) = open() else { return };
    let code = "
import mmap, multiprocessing, multiprocessing.shared_memory, os, socket, subprocess, tempfile, asyncio
os.sync(); os.posix_fadvise(os.open('/usr/bin/env', 0), 0, 0, os.POSIX_FADV_DONTNEED)
with tempfile.TemporaryFile() as file:
    file.write(b'text'); file.flush(); os.fsync(file.fileno()); os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    assert os.preadv(file.fileno(), [bytearray(4)], 0) == 4
    mmap.mmap(file.fileno(), 4)[:] = b'TEXT'
page = mmap.mmap(-1, 4096)
if os.fork() == 0: page[0] = 7; os._exit(0)
os.wait(); assert page[0] == 7
value = multiprocessing.Value('i', 0)
with multiprocessing.Pool(2) as pool: assert pool.map(abs, [-1, -2]) == [1, 2]
block = multiprocessing.shared_memory.SharedMemory(create=True, size=4096); block.close(); block.unlink()
one, other = socket.socketpair(); socket.send_fds(one, [b'x'], [1]); assert len(socket.recv_fds(other, 1, 1)[1]) == 1
assert subprocess.run(['cat'], input=b'x', capture_output=True).stdout == b'x'
async def main(): await asyncio.create_subprocess_exec('true')
asyncio.run(main())
print(socket.gethostbyname('localhost'))";
    assert_eq!(b.says(code), "127.0.0.1");
}

#[test]
fn signals_that_wait_are_few() {
    let Some(mut b) = open() else { return };
    let code = "
import ctypes, signal
libc = ctypes.CDLL(None)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGRTMIN])
count = 0
while count < 20000 and libc.sigqueue(__import__('os').getpid(), signal.SIGRTMIN, 0) == 0: count += 1
print(count <= 4096)";
    assert_eq!(b.says(code), "True");
}
