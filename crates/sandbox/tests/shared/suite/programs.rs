//! A program in the other room is, to who started it, as if it were here.

use slopbench_sandbox::{Limit, Limits, ProgramEnd};

use crate::common::MB;
use crate::common::suite::{CANARY, SUITE_LIMITS, play, play_within};
use crate::open;

#[test]
fn many_programs_are_started_and_each_ends_as_it_does() {
    let Some(mut b) = open() else { return };
    let code = "
for number in range(50):
    ended = launch('import sys; print(sys.stdin.read(), len(sys.argv)); sys.exit(%d)' % number, input='in %d' % number)
    assert (ended.returncode, ended.stdout) == (number, 'in %d 2\\n' % number), ended
for name in 'SIGKILL', 'SIGTERM', 'SIGABRT', 'SIGSEGV', 'SIGPIPE', 'SIGHUP':
    number = getattr(signal, name)
    ended = launch('import os, signal; signal.signal(signal.SIGPIPE, signal.SIG_DFL); os.kill(os.getpid(), %d)' % number)
    assert ended.returncode == -number, (name, ended)
real_time = launch('import os; os.kill(os.getpid(), 40)')
assert real_time.returncode == -40, real_time
report('done')";
    assert_eq!(play(&mut b, code), "done");
}

#[test]
fn a_program_has_the_folder_the_environment_and_the_rights_that_it_was_given() {
    let Some(mut b) = open() else { return };
    let code = "
os.makedirs('/tmp/x/y')
open('/tmp/x/y/given', 'w').write('given')
assert os.getcwd() == '/workspace'
assert says('import os; print(os.getcwd(), open(\"main.py\").read())') == \"/workspace print('main')\"
look = 'import os; print(os.getcwd(), os.listdir(), os.environ.get(\"A\"), os.environ.get(\"B\"), os.umask(0)); open(\"made\", \"w\").write(\"made\")'
said = says(look, cwd='/tmp/x/y', env={**os.environ, 'A': 'a b'}, umask=0o27)
assert said == \"/tmp/x/y ['given'] a b None 23\", said
made = os.stat('/tmp/x/y/made')
assert (made.st_uid, open('/tmp/x/y/made').read()) == (os.getuid(), 'made')
os.chmod('/tmp/x/y/made', 0o600); open('/tmp/x/y/made', 'a').write('!'); os.remove('/tmp/x/y/made')
only = says('import os; print(sorted(os.environ), os.environ.get(\"LC_CTYPE\"))', env={'ONLY': 'x', 'PATH': os.environ['PATH']})
assert 'ONLY' in only and 'HOME' not in only and 'PATH' in only, only
assert says('import os; print(os.environ[\"HOME\"], os.environ[\"TZ\"])') == '/tmp UTC'
assert says('print(open(\"/suite/tests/assets/words/list\").read())') == 'word'
bytes = subprocess.run([*launcher, 'python3', '-c', 'import sys, os; print(os.fsencode(sys.argv[1]))', b'\\xff\\xfe'], capture_output=True)
assert bytes.stdout == b\"b'\\\\xff\\\\xfe'\\n\", bytes
report('done')";
    assert_eq!(play(&mut b, code), "done");
}

#[test]
fn what_python_compiles_once_it_finds_again() {
    let Some(mut b) = open() else { return };
    let code = "
open('/workspace/part.py', 'w').write('print(__cached__)')
made = says('import part')
assert os.path.isfile(made) and os.path.dirname(made) == '/workspace/__pycache__', made
before = os.stat(made)
assert says('import part') == made
assert os.path.samestat(before, os.stat(made)) and before.st_mtime_ns == os.stat(made).st_mtime_ns
report('done')";
    assert_eq!(play(&mut b, code), "done");
}

#[test]
fn what_cannot_be_started_says_why() {
    let Some(mut b) = open() else { return };
    let code = "
def run(*words, **options): return subprocess.run([*launcher, *words], capture_output=True, text=True, **options)
for words, code, cause in [(['/no/such'], 127, 'ENOENT'), (['no-such'], 127, 'ENOENT'), (['/workspace'], 126, 'EACCES'), (['/workspace/main.py'], 126, 'EACCES'), ([], 125, 'expected a program')]:
    ended = run(*words)
    assert ended.returncode == code and cause in ended.stderr, (words, ended)
ended = run('true', cwd='/suite')
assert ended.returncode == 0, ended
ended = run('true', cwd='/opt/suite/bin')
assert ended.returncode == 126 and 'working folder' in ended.stderr, ended
folder = os.open('/suite', os.O_RDONLY)
ended = run('true', stdin=folder)
assert ended.returncode == 126 and 'is a folder' in ended.stderr, ended
report('done')";
    assert_eq!(play(&mut b, code), "done");
}

#[test]
fn signals_go_to_the_program_once() {
    let Some(mut b) = open() else { return };
    let code = "
wait = '''
import os, signal, sys, time
seen = []
for number in (1, 2, 3, 10, 12, 14, 15, 18, 28, 35):
    signal.signal(number, lambda number, frame: (seen.append(number), os.write(1, str(number).encode() + bytes([10]))))
print('ready', flush=True)
while len(seen) < 10: time.sleep(0.01)
time.sleep(0.1)
sys.exit(len(seen))
'''
program = subprocess.Popen(argv(wait), stdout=subprocess.PIPE, text=True)
assert program.stdout.readline() == 'ready\\n'
for number in (1, 2, 3, 10, 12, 14, 15, 18, 28, 35):
    program.send_signal(number)
    assert program.stdout.readline() == f'{number}\\n'
assert program.wait() == 10
# Without a handler, as for any program.
program = subprocess.Popen(argv('import time; time.sleep(100)'))
time.sleep(0.2); program.terminate()
assert program.wait() == -15
# Killing what stands for it kills it.
os.makedirs('/tmp/k')
for options in {}, {'start_new_session': True}, {'process_group': 0}:
    loop = 'import os, time\\nif %r: os.fork()\\nopen(\"/tmp/k/%%d\" %% os.getpid(), \"w\")\\nwhile True: time.sleep(0.01); os.utime(\"/tmp/k/%%d\" %% os.getpid())' % bool(options)
    program = subprocess.Popen(argv(loop), **options)
    until(lambda: len(os.listdir('/tmp/k')) == (2 if options else 1))
    os.killpg(program.pid, signal.SIGKILL) if options else program.kill()
    assert program.wait() == -9
    def still():
        before = [os.stat('/tmp/k/' + name).st_mtime_ns for name in os.listdir('/tmp/k')]
        time.sleep(0.1)
        return before == [os.stat('/tmp/k/' + name).st_mtime_ns for name in os.listdir('/tmp/k')]
    until(still)
    for name in os.listdir('/tmp/k'): os.remove('/tmp/k/' + name)
report('done')";
    assert_eq!(play(&mut b, code), "done");
}

#[test]
fn a_program_may_lead_a_session_of_its_own_or_not() {
    let Some(mut b) = open() else { return };
    let code = "
look = 'import os; print(os.getpid() == os.getpgrp(), os.getpid() == os.getsid(0)); os.setsid() if %s else 0'
assert says(look % True) == 'False False'
assert says(look % False, process_group=0) == 'True False'
assert says(look % False, start_new_session=True) == 'True True'
report('done')";
    assert_eq!(play(&mut b, code), "done");
}

#[test]
fn streams_of_any_kind_go_through() {
    let Some(mut b) = open() else { return };
    let code = "
# Larger than any pipe, both ways.
ended = subprocess.run(argv('import sys; data = sys.stdin.buffer.read(); sys.stdout.buffer.write(data); sys.stderr.buffer.write(data)'), input=b'x' * (3 << 20), capture_output=True)
assert (len(ended.stdout), len(ended.stderr)) == (3 << 20, 3 << 20), ended.returncode
# Files.
open('/tmp/in', 'w').write('from a file')
with open('/tmp/in') as source, open('/tmp/out', 'w') as target:
    subprocess.run(argv('import sys; print(sys.stdin.read())'), stdin=source, stdout=target, check=True)
assert open('/tmp/out').read() == 'from a file\\n'
# Nothing.
assert says('import sys; print(repr(sys.stdin.read()))', stdin=subprocess.DEVNULL) == repr('')
# The pipe ends when the program closes it, not when it ends.
program = subprocess.Popen(argv('import os, time; os.write(1, b\"all\"); os.close(1); time.sleep(100)'), stdout=subprocess.PIPE)
assert program.stdout.read() == b'all' and program.poll() is None
program.kill(); program.wait()
# A terminal.
ours, theirs = pty.openpty()
program = subprocess.Popen(argv('import os, sys; print(os.isatty(0), os.isatty(1), os.get_terminal_size().columns); print(input())'), stdin=theirs, stdout=theirs, stderr=theirs)
import fcntl, struct, termios
os.close(theirs)
os.write(ours, b'typed\\n')
program.wait()
said = b''
try:
    while chunk := os.read(ours, 1000): said += chunk
except OSError: pass
assert b'True True' in said and said.count(b'typed') == 2, said
# One that is the controlling one: what is typed there to interrupt it does.
pid, terminal = pty.fork()
if pid == 0: os.execv(launcher[0], argv('import time; print(\"on\", flush=True); time.sleep(100)'))
assert b'on' in os.read(terminal, 100)
os.write(terminal, b'\\x03')
assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) in (-2, 1)
report('done')";
    assert_eq!(play(&mut b, code), "done");
}

#[test]
fn a_report_and_output_have_their_limit() {
    let Some(mut b) = open() else { return };
    let limits = Limits { output: MB, ..SUITE_LIMITS };
    let seen = play_within(&mut b, "report('x' * (1 << 19)); print('y' * 1000); report('z')", limits);
    assert_eq!((seen.end, seen.report.len(), seen.stdout.len()), (ProgramEnd::Exited(0), (1 << 19) + 1, 1001));
    for code in ["while True: report('x' * 65536)", "while True: print('x' * 65536)"] {
        let seen = play_within(&mut b, code, limits);
        assert_eq!(seen.end, ProgramEnd::Limit(Limit::Output), "{code}");
    }
    let seen = play_within(&mut b, "os.kill(os.getpid(), 9)", limits);
    assert_eq!(seen.end, ProgramEnd::Signalled(9));
    assert!(!String::from_utf8_lossy(&seen.report).contains(CANARY));
}
