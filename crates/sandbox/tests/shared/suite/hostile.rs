//! Solutions that want to know, or to change, what the suite has.

use slopbench_sandbox::{Limits, ProgramEnd};

use crate::common::suite::{CANARY, SUITE_LIMITS, play, play_within};
use crate::open;

/// What every hostile program here begins with.
const HOSTILE: &str = "
ATTEMPT = '''
import ctypes, errno, glob, os, signal, socket, subprocess, sys, time
libc = ctypes.CDLL(None, use_errno=True)
def attempt(name, call):
    try: call(); print(name, \"DONE\")
    except OSError as error: print(name, errno.errorcode[error.errno])
'''
secret = 'canary-of-' + 'the-suite'
held = secret * 1000
os.environ['ALSO'] = 'x'
";

fn hostile(code: &str) -> String {
    format!("{HOSTILE}\n{code}\nreport('done')")
}

#[test]
fn the_suite_is_nowhere_to_be_found() {
    let Some(mut b) = open() else { return };
    // All files, all that /proc tells of all processes, its own environment, descriptors and memory.
    let search = "
kept = open('/suite/tests/expected')
search = ATTEMPT + '''
needle = \"canary-of-\" + \"the-suite\"
found = []
def look(path):
    try:
        with open(path, \"rb\") as file:
            if needle.encode() in file.read(4 << 20): found.append(path)
    except (OSError, ValueError): pass
for top in os.listdir(\"/\"):
    if top in (\"usr\", \"proc\", \"bin\", \"lib\", \"lib64\", \"lib32\", \"libx32\", \"sbin\", \"root\", \"sys\"): continue
    for at, _, names in os.walk(\"/\" + top):
        for name in names:
            path = os.path.join(at, name)
            if needle in path: found.append(path)
            if os.path.isfile(path) and not os.path.islink(path): look(path)
pids = [name for name in os.listdir(\"/proc\") if name.isdigit()]
for pid in pids:
    for name in \"environ\", \"cmdline\", \"maps\", \"mountinfo\", \"stat\", \"status\", \"comm\": look(f\"/proc/{pid}/{name}\")
    for number in glob.glob(f\"/proc/{pid}/fd/*\"):
        try:
            if needle in os.readlink(number) or \"/suite/\" in os.readlink(number): found.append(number)
        except OSError: pass
    for way in \"root\", \"cwd\":
        for place in \"/suite/suite.py\", \"/suite/tests/expected\", \"/opt/suite/secret\": look(f\"/proc/{pid}/{way}{place}\")
print(found, any(needle in value for value in os.environ.values()))
print([name for name in os.environ if name.startswith((\"SLOPBENCH\", \"PYTEST\"))])
print(len(pids) <= 2, sorted(os.listdir(\"/suite\")), sorted(os.listdir(\"/suite/tests\")))
print(sorted(int(name) for name in os.listdir(\"/proc/self/fd\"))[:3], len(os.listdir(\"/proc/self/fd\")))
for path in \"/opt/suite/secret\", \"/slopbench-door/socket\": print(os.path.exists(path))
'''
environment = {name: value for name, value in os.environ.items() if name != 'SECRET'}
# In the suite's own room there is something to be found.
here = subprocess.run([sys.executable, '-c', search], capture_output=True, text=True).stdout
assert '/suite/suite.py' in here and '/opt/suite/secret' in here and '/environ' in here, here
said = says(search, env={**environment, 'PYTEST_CURRENT_TEST': secret, 'PYTHONPATH': '/opt/suite/lib'})
expected = \"[] False\\n[]\\nTrue ['tests'] ['assets']\\n[0, 1, 2] 4\\nFalse\\nFalse\"
assert said == expected, said
";
    assert_eq!(play(&mut b, &hostile(search)), "done");
}

#[test]
fn the_suites_processes_cannot_be_touched() {
    let Some(mut b) = open() else { return };
    let code = "
touch = ATTEMPT + '''
own = os.getpid()
others = [int(name) for name in os.listdir(\"/proc\") if name.isdigit() and int(name) not in (1, own)]
print(others)
for number in range(1, 65):
    for target in [*range(2, 400), -1]:
        if target in (own, os.getppid()) or number == 9 and target == own: continue
        try: os.kill(target, number) if target > 0 or number not in (signal.SIGKILL, signal.SIGSTOP) else None
        except OSError: pass
        except ValueError: pass
'''
# Who signals everyone it may signal, signals itself alone.
program = subprocess.Popen(argv(touch.replace('[*range(2, 400), -1]', 'range(2, 400)')), stdout=subprocess.PIPE, text=True)
said, _ = program.communicate()
assert program.returncode == 0 and said == '[]\\n', (program.returncode, said)
assert launch('import os, signal; os.kill(-1, signal.SIGKILL)').returncode in (0, 1)
assert launch('import os, signal; os.kill(0, signal.SIGKILL)').returncode == -9
assert launch('import os, signal; os.kill(1, signal.SIGKILL); os.kill(1, signal.SIGTERM); os.kill(1, signal.SIGSTOP)').returncode == 0
trace = ATTEMPT + '''
for pid in 1, 2, 3, os.getppid() or 1:
    print(libc.ptrace(16, pid, 0, 0), libc.ptrace(0x4206, pid, 0, 0))
    attempt(\"mem\", lambda: open(f\"/proc/{pid}/mem\", \"rb+\").read(1)) if pid != os.getpid() else None
    attempt(\"environ\", lambda: open(f\"/proc/{pid}/environ\", \"rb\").read(1)) if pid != os.getpid() else None
    attempt(\"fd\", lambda: os.listdir(f\"/proc/{pid}/fd\")) if pid != os.getpid() else None
buffer = ctypes.create_string_buffer(8)
attempt(\"unshare\", lambda: os.unshare(0x10000000) if hasattr(os, \"unshare\") else (_ for _ in ()).throw(OSError(1, \"\")))
attempt(\"setns\", lambda: os.setns(os.open(\"/proc/self/ns/mnt\", 0)) if hasattr(os, \"setns\") else (_ for _ in ()).throw(OSError(1, \"\")))
'''
said = says(trace)
assert 'DONE' not in said and '0' not in [word for line in said.splitlines() for word in line.split()], said
# The suite goes on, and so does who starts programs.
assert says('print(1)') == '1'
";
    assert_eq!(play(&mut b, &hostile(code)), "done");
}

#[test]
fn the_report_is_out_of_reach() {
    let Some(mut b) = open() else { return };
    let code = "
number = int(os.environ['SLOPBENCH_REPORT_FD'])
write = ATTEMPT + '''
for number in range(3, 1024):
    try: os.write(number, b\"forged\"); print(number, \"DONE\")
    except OSError: pass
for pid in os.listdir(\"/proc\"):
    if not pid.isdigit(): continue
    for number in range(3, 64):
        try: os.write(os.open(f\"/proc/{pid}/fd/{number}\", os.O_WRONLY), b\"forged\"); print(pid, number, \"DONE\")
        except OSError: pass
'''
# Given on by mistake, too.
said = says(write, close_fds=False, pass_fds=())
assert said == '', said
assert os.system(' '.join(__import__('shlex').quote(word) for word in argv(write)) + ' >/tmp/forged') == 0
assert open('/tmp/forged').read() == ''
";
    assert_eq!(play(&mut b, &hostile(code)), "done");
}

#[test]
fn the_suites_files_are_not_to_be_changed() {
    let Some(mut b) = open() else { return };
    let code = "
before = open('/suite/suite.py').read()
write = ATTEMPT + '''
for path in \"/suite/suite.py\", \"/suite/conftest.py\", \"/suite/tests/expected\", \"/suite/tests/assets/words/list\", \"/suite/tests/assets/x\", \"/opt/suite/secret\", \"/opt/suite/x\", \"/slopbench/x\", \"/usr/x\", \"/x\":
    attempt(path, lambda: open(path, \"a\").write(\"changed\"))
for path in \"/suite/tests/assets/words/list\", \"/suite/tests\", \"/suite\":
    attempt(path, lambda: os.chmod(path, 0o777))
    attempt(path, lambda: os.rename(path, path + \"-moved\"))
attempt(\"link\", lambda: os.link(\"/suite/tests/assets/words/list\", \"/tmp/linked\"))
'''
said = says(write)
assert 'DONE' not in said, said
assert open('/suite/suite.py').read() == before and open('/suite/tests/assets/words/list').read() == 'word'
assert not os.path.exists('/suite/conftest.py')
";
    assert_eq!(play(&mut b, &hostile(code)), "done");
}

#[test]
fn what_is_planted_runs_in_no_interpreter_of_the_suites() {
    let Some(mut b) = open() else { return };
    let code = "
plant = ATTEMPT + '''
import site
evil = \"import os; open(\\\\\"/tmp/evil-%d\\\\\" % os.getpid(), \\\\\"w\\\\\"); os.write(2, b\\\\\"EVIL\\\\\")\"
version = \"python%d.%d\" % sys.version_info[:2]
homes = [os.path.expanduser(\"~\"), \"/tmp\", \"/workspace\"]
folders = [f\"{home}/.local/lib/{version}/site-packages\" for home in homes] + [\"/tmp\", \"/workspace\", \"/tmp/lib\", \"/workspace/json\"]
for folder in folders:
    os.makedirs(folder, exist_ok=True)
    for name in \"conftest.py\", \"sitecustomize.py\", \"usercustomize.py\", \"pytest.py\", \"json.py\", \"struct.py\", \"__init__.py\", \"_pytest.py\":
        open(f\"{folder}/{name}\", \"w\").write(evil)
    open(f\"{folder}/evil.pth\", \"w\").write(evil)
open(\"/tmp/pyvenv.cfg\", \"w\").write(\"home = /tmp\"); open(\"/workspace/pyvenv.cfg\", \"w\").write(\"home = /tmp\")
print(\"planted\")
'''
assert says(plant).endswith('planted')
def evil(): return [name for name in os.listdir('/tmp') if name.startswith('evil-')]
for name in evil(): os.remove('/tmp/' + name)
# The suite's own interpreter again, as pytest's workers are.
for words in ['-c', 'import json, struct, site'], ['-m', 'json.tool', '--help'], ['/suite/suite.py', '[]', 'x', 'stop']:
    for folder in '/workspace', '/tmp':
        again = subprocess.run([sys.executable, '-P', *words], cwd=folder, capture_output=True, text=True) if 'stop' not in words else None
        assert again is None or (again.returncode, 'EVIL' in again.stderr) == (0, False), again
assert evil() == [], evil()
import struct
assert struct.__file__.startswith(sys.base_prefix)
";
    assert_eq!(play(&mut b, &hostile(code)), "done");
}

#[test]
fn links_of_the_solutions_lead_it_nowhere() {
    let Some(mut b) = open() else { return };
    let code = "
os.makedirs('/tmp/case/out')
link = ATTEMPT + '''
import shutil
shutil.rmtree(\"/tmp/case\")
os.symlink(\"/suite\", \"/tmp/case\")
os.symlink(\"/suite/tests/expected\", \"/tmp/expected\"); os.symlink(\"/opt/suite/secret\", \"/workspace/secret\")
for path in \"/tmp/case/suite.py\", \"/tmp/expected\", \"/workspace/secret\": attempt(path, lambda: open(path).read())
for path in \"/tmp/case/new\", \"/tmp/expected\": attempt(path, lambda: open(path, \"w\"))
'''
said = says(link)
assert 'DONE' not in said, said
# What the suite writes by them changes nothing of its own.
for path in '/tmp/case/new', '/tmp/expected', '/workspace/secret':
    try: open(path, 'w'); raise AssertionError(path)
    except OSError as error: assert error.errno in (13, 30), error
assert open('/suite/tests/expected').read() == secret
# A program that is to start in there starts on its own side, or not at all.
ended = launch('import os; print(os.listdir())', cwd='/tmp/case')
assert ended.stdout.strip() in ('', \"['tests']\"), ended
";
    assert_eq!(play(&mut b, &hostile(code)), "done");
}

#[test]
fn nothing_starts_programs_but_the_suite() {
    let Some(mut b) = open() else { return };
    let code = "
ask = ATTEMPT + '''
for name in \"/slopbench-door/socket\", \"/rooms/door/socket\", \"/opt/slopbench/socket\", \"/proc/1/root/slopbench-door/socket\":
    attempt(name, lambda: socket.socket(socket.AF_UNIX).connect(name))
names = [line.split()[-1] for line in open(\"/proc/self/net/unix\").read().splitlines()[1:] if len(line.split()) > 7]
for name in names:
    attempt(name, lambda: socket.socket(socket.AF_UNIX).connect(name if name[0] == \"/\" else b\"\\\\0\" + name[1:].encode()))
'''
said = says(ask)
assert 'DONE' not in said, said
# Many programs, one after the other and all at once, and those that never end: the next one starts all the same.
crowd = [subprocess.Popen(argv('import time; time.sleep(100)')) for _ in range(8)]
assert says('print(1)') == '1'
for program in crowd: program.kill()
assert [program.wait() for program in crowd] == [-9] * 8
for _ in range(100): subprocess.Popen([*launcher, 'true']).wait()
exhaust = ATTEMPT + '''
import threading
held = []
try:
    while True: held.append(socket.socketpair())
except OSError: pass
try:
    while True: threading.Thread(target=time.sleep, args=(2,), daemon=True).start()
except RuntimeError: pass
print(\"exhausted\", flush=True)
time.sleep(2)
'''
program = subprocess.Popen(argv(exhaust), stdout=subprocess.PIPE, text=True)
assert program.stdout.readline() == 'exhausted\\n'
# The suite can do what it did; the solution has taken from itself alone.
assert subprocess.run([sys.executable, '-c', 'import threading; [threading.Thread(target=print).start() for _ in range(20)]']).returncode == 0
assert program.wait() == 0
assert says('print(1)') == '1'
";
    assert_eq!(play(&mut b, &hostile(code)), "done");
}

#[test]
fn a_room_that_is_attacked_ends_with_the_suite() {
    let Some(mut b) = open() else { return };
    // Deaf to all signals, in sessions of their own, and more of them as they are killed.
    let code = "
deaf = '''
import os, signal, time
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
for _ in range(3):
    if os.fork() == 0: os.setsid()
time.sleep(1000)
'''
subprocess.Popen(argv(deaf)); time.sleep(0.3)
report('done')";
    let seen = play_within(&mut b, code, Limits { processes: 64, ..SUITE_LIMITS });
    assert_eq!((seen.end, seen.report.as_slice()), (ProgramEnd::Exited(0), &b"done"[..]));
    assert!(!String::from_utf8_lossy(&seen.stdout).contains(CANARY));
}
