//! Programs that work beside one another, and limits that all share.

use std::time::Duration;

use slopbench_sandbox::{Limit, Limits, ProgramEnd};

use crate::common::MB;
use crate::common::suite::{SUITE_LIMITS, play, play_within};
use crate::open;

#[test]
fn a_server_is_asked_from_the_suites_room() {
    let Some(mut b) = open() else { return };
    let code = "
serve = '''
import http.server, os
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers(); self.wfile.write(b'hello from ' + self.path.encode())
    def log_message(self, *words): pass
server = http.server.HTTPServer((\"127.0.0.1\", %d), Handler)
print(server.server_port, flush=True)
server.serve_forever()
'''
import urllib.request
for port in 0, 8123:
    program = subprocess.Popen(argv(serve % port), stdout=subprocess.PIPE, text=True)
    found = int(program.stdout.readline())
    assert port in (0, found)
    answer = urllib.request.urlopen(f'http://127.0.0.1:{found}/there').read()
    assert answer == b'hello from /there'
    program.terminate()
    assert program.wait() == -15
# And the other way round.
server = socket.create_server(('127.0.0.1', 0))
program = subprocess.Popen(argv('import socket; socket.create_connection((\"127.0.0.1\", %d)).sendall(b\"in\")' % server.getsockname()[1]))
assert server.accept()[0].recv(2) == b'in'
assert program.wait() == 0
report('done')";
    assert_eq!(play(&mut b, code), "done");
}

#[test]
fn the_next_program_finds_what_a_killed_one_had() {
    let Some(mut b) = open() else { return };
    let code = "
serve = '''
import socket, time
data = bytearray(64 << 20)
server = socket.socket(); server.bind((\"127.0.0.1\", 8123)); server.listen()
print(\"on\", flush=True)
time.sleep(100)
'''
for _ in range(10):
    program = subprocess.Popen(argv(serve), stdout=subprocess.PIPE, text=True)
    assert program.stdout.readline() == 'on\\n'
    program.kill()
    assert program.wait() == -9
report('done')";
    assert_eq!(play(&mut b, code), "done");
}

#[test]
fn a_daemon_outlives_who_started_it_and_not_the_suite() {
    let Some(mut b) = open() else { return };
    let code = "
start = '''
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        null = os.open(os.devnull, os.O_RDWR)
        for number in 0, 1, 2: os.dup2(null, number)
        open(\"/tmp/daemon.pid\", \"w\").write(str(os.getpid()))
        while True: open(\"/tmp/beat\", \"a\").write(\".\"); time.sleep(0.01)
    os._exit(0)
os.wait()
while not os.path.exists(\"/tmp/beat\"): time.sleep(0.01)
'''
stop = 'import os, signal; os.kill(int(open(\"/tmp/daemon.pid\").read()), signal.SIGTERM)'
def beats():
    before = os.path.getsize('/tmp/beat'); time.sleep(0.1)
    return os.path.getsize('/tmp/beat') > before
assert says(start) == '' and beats()
assert says('print(open(\"/proc/\" + open(\"/tmp/daemon.pid\").read() + \"/comm\").read())').startswith('python')
assert says(stop) == ''
until(lambda: not beats())
os.remove('/tmp/beat')
# This one stays, with the suite's own output open.
assert launch(start.replace('for number in 0, 1, 2: os.dup2(null, number)', ''), capture_output=False).returncode == 0
assert beats()
report('done')";
    assert_eq!(play(&mut b, code), "done");
}

#[test]
fn programs_start_at_the_same_time() {
    let Some(mut b) = open() else { return };
    let code = "
def one(number):
    ended = launch('import sys, time; time.sleep(0.05); print(sys.stdin.read()); sys.exit(%d)' % (number %% 7), input=str(number))
    results[number] = (ended.returncode, ended.stdout) == (number %% 7, f'{number}\\n')
results = {}
for _ in range(5):
    threads = [threading.Thread(target=one, args=(number,)) for number in range(8)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    assert len(results) == 8 and all(results.values()), results
    results.clear()
# And from one another.
assert says('import subprocess; print(subprocess.run([\"python3\", \"-c\", \"print(1)\"], capture_output=True, text=True).stdout)') == '1'
report('done')"
        .replace("%%", "%");
    assert_eq!(play(&mut b, &code), "done");
}

#[test]
fn limits_hold_over_both_rooms_together() {
    let Some(mut b) = open() else { return };
    let spin = "subprocess.Popen(argv('while True: pass'))\nwhile True: pass";
    let hold = "subprocess.Popen(argv('data = b\"x\" * (150 << 20); import time; time.sleep(60)'))
data = b'x' * (150 << 20); time.sleep(60)";
    let fork = "while True: subprocess.Popen(argv('import os, time\\nfor _ in range(3):\\n  if os.fork() == 0: break\\ntime.sleep(60)'))";
    let fill = "
launch('open(\"/tmp/a\", \"wb\").write(b\"x\" * (12 << 20)); open(\"/workspace/b\", \"wb\").write(b\"x\" * (12 << 20))')
try:
    for name in 'cd': open('/tmp/' + name, 'wb').write(b'x' * (12 << 20))
except OSError: pass";
    let sleep = "subprocess.Popen(argv('import time; time.sleep(1000)')); time.sleep(1000)";
    let second = Duration::from_secs(1);
    for (code, limits, expected) in [
        (spin, Limits { cpu: second, ..SUITE_LIMITS }, Limit::Cpu),
        (hold, Limits { memory: 256 * MB, ..SUITE_LIMITS }, Limit::Memory),
        (fork, SUITE_LIMITS, Limit::Processes),
        (fill, SUITE_LIMITS, Limit::Disk),
        (sleep, Limits { wall: 2 * second, ..SUITE_LIMITS }, Limit::Wall),
    ] {
        let seen = play_within(&mut b, code, limits);
        let said = String::from_utf8_lossy(&seen.stderr);
        assert_eq!(seen.end, ProgramEnd::Limit(expected), "{code}: {said} {:?}", seen.usage);
    }
    // What one room has is counted, also when it has ended.
    let code = "launch('import time\\nwhile time.process_time() < 0.5: pass')";
    let seen = play_within(&mut b, code, SUITE_LIMITS);
    assert!(seen.usage.cpu > Duration::from_millis(500), "{:?}", seen.usage);
}

#[test]
fn both_rooms_are_locked_like_any_task() {
    let Some(mut b) = open() else { return };
    let code = "
look = '''
import ctypes, errno, os, resource
status = dict(line.split(\":\\\\t\", 1) for line in open(\"/proc/self/status\").read().splitlines())
print([status[name].strip() for name in (\"CapInh\", \"CapPrm\", \"CapEff\", \"CapBnd\", \"CapAmb\", \"NoNewPrivs\", \"Seccomp\")])
print(open(\"/proc/self/oom_score_adj\").read().strip(), resource.getrlimit(resource.RLIMIT_FSIZE), resource.getrlimit(resource.RLIMIT_CPU))
libc = ctypes.CDLL(None, use_errno=True)
for call in (libc.unshare, 0x10000000), (libc.mount, b\"x\", b\"/tmp\", b\"tmpfs\", 0, None), (libc.memfd_create, b\"x\", 0), (libc.socket, 40, 1, 0):
    print(call[0](*call[1:]), errno.errorcode[ctypes.get_errno()])
'''
here = subprocess.run([sys.executable, '-c', look], capture_output=True, text=True).stdout.strip()
there = says(look)
assert here == there, (here, there)
report(there)";
    let nothing = "0000000000000000";
    let expected = format!(
        "['{nothing}', '{nothing}', '{nothing}', '{nothing}', '{nothing}', '1', '2']
1000 ({0}, {0}) ({1}, {1})
-1 EPERM
-1 EPERM
-1 ENOSYS
-1 EAFNOSUPPORT",
        SUITE_LIMITS.file_size,
        SUITE_LIMITS.cpu.as_secs() + 2
    );
    assert_eq!(play(&mut b, code), expected);
}

#[test]
fn memory_is_hidden_in_neither_room() {
    let Some(mut b) = open() else { return };
    // Shared, and out of every page table.
    let hide = "
hide = '''
import mmap, os, time
kept = []
while True:
    kept.append(mmap.mmap(-1, 1 << 20)); kept[-1].write(bytes(1 << 20)); kept[-1].madvise(mmap.MADV_DONTNEED)
'''
";
    for start in ["launch(hide)", "exec(hide)"] {
        let seen = play_within(&mut b, &format!("{hide}{start}"), SUITE_LIMITS);
        assert_eq!(seen.end, ProgramEnd::Limit(Limit::Memory), "{start}: {seen:?}");
    }
}

#[test]
fn suites_at_the_same_time_have_nothing_in_common() {
    if open().is_none() {
        return;
    }
    let code = "
serve = '''
import socket
server = socket.create_server((\"127.0.0.1\", 8123))
print(\"on\", flush=True)
while True: server.accept()[0].sendall(open(\"/tmp/which\", \"rb\").read())
'''
open('/tmp/which', 'x').write(mark)
for _ in range(5):
    program = subprocess.Popen(argv(serve), stdout=subprocess.PIPE, text=True)
    assert program.stdout.readline() == 'on\\n'
    assert socket.create_connection(('127.0.0.1', 8123)).recv(100).decode() == mark
    program.terminate(); program.wait()
report(mark)";
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut b = open().unwrap();
                assert_eq!(play(&mut b, code), b.mark);
            });
        }
    });
}
