//! Programs that work for long on folders of the machine, and want more than these: what holds in every back end.
#![allow(dead_code, unreachable_pub)]

use std::env;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::mount::{MntFlags, MsFlags, mount, umount2};
use slopbench_sandbox::session::{Job, Session, SessionSpec, System, Worked};
use slopbench_sandbox::{End, Error, Limit};
use slopbench_test_support::{Need, need};
use tempfile::TempDir;

use crate::common::{MB, mark, marked, soon};
use crate::system;

const PORT: u16 = 8080;

/// A workspace, a home, and what is printed, in one folder.
pub struct Bench {
    pub dir: TempDir,
    pub mark: String,
    system: System,
    /// Where workspace, home and the others are below the folder.
    pub below: PathBuf,
}

/// A disk that is mounted for a test.
pub struct Disk(PathBuf);

impl Drop for Disk {
    fn drop(&mut self) {
        umount2(&self.0, MntFlags::MNT_DETACH).unwrap();
    }
}

impl Bench {
    /// Nothing where this back end does not work, which says why.
    pub fn new() -> Option<Self> {
        let bench = Self { dir: tempfile::tempdir().unwrap(), mark: mark(), system: system()?, below: PathBuf::new() };
        for folder in ["workspace", "home", "installation"] {
            fs::create_dir(bench.at(folder)).unwrap();
        }
        Some(bench)
    }

    pub fn at(&self, name: &str) -> PathBuf {
        self.dir.path().join(&self.below).join(name)
    }

    pub fn place(&self) -> SessionSpec {
        SessionSpec {
            workspace: self.at("workspace"),
            home: self.at("home"),
            installation: Some(self.dir.path().join("installation")),
            system: self.system.clone(),
            hide: Vec::new(),
            stdout: self.at("stdout"),
            stderr: self.at("stderr"),
            port: PORT,
            scratch: 1 << 30,
        }
    }

    pub fn job(&self, argv: &[&str]) -> Job {
        let argv = argv.iter().chain(&[self.mark.as_str()]).map(ToString::to_string).collect();
        Job::new(argv, Duration::from_secs(20))
    }

    pub fn run(&self, job: &Job) -> Worked {
        let (session, _listener) = Session::open(&self.place()).unwrap();
        let worked = session.run(job).unwrap();
        assert_eq!(marked(&self.mark), Vec::<u32>::new(), "left behind");
        worked
    }

    pub fn printed(&self) -> String {
        fs::read_to_string(self.at("stdout")).unwrap().trim_end().to_owned()
    }

    /// Puts all of it on a small disk of its own, if that can be mounted here.
    pub fn on_a_disk_of(&mut self, bytes: u64) -> Option<Disk> {
        let at = self.dir.path().join("disk");
        fs::create_dir(&at).unwrap();
        let options = format!("size={bytes}");
        need(Need::Root, mount(Some("tmpfs"), &at, Some("tmpfs"), MsFlags::empty(), Some(options.as_str())))?;
        self.below = "disk".into();
        for folder in ["workspace", "home"] {
            fs::create_dir(at.join(folder)).unwrap();
        }
        Some(Disk(at))
    }

    /// Runs a program to its good end, and returns what it printed.
    pub fn says(&self, argv: &[&str]) -> String {
        let worked = self.run(&self.job(argv));
        let told = fs::read_to_string(self.at("stderr")).unwrap();
        assert_eq!(worked.end, End::Exited(0), "{told}");
        self.printed()
    }
}

#[test]
fn what_a_program_leaves_is_in_its_workspace_and_its_home() {
    let Some(bench) = Bench::new() else { return };
    fs::create_dir(bench.at("workspace/src")).unwrap();
    fs::write(bench.at("workspace/src/main.py"), "print(1)").unwrap();
    fs::write(bench.at("installation/tool"), "#!/bin/sh\necho tool").unwrap();
    let script = "id -un; pwd; echo $HOME; cat src/main.py; echo; sh /opt/agent/tool; \
        echo 2 > src/main.py; echo history > ~/.history; echo x > /tmp/gone; : > /dev/null; env | cut -d= -f1 | sort | tr '\\n' ' '";
    let said = bench.says(&["bash", "-c", script]);
    assert_eq!(
        said,
        "agent\n/workspace\n/home/agent\nprint(1)\ntool\nHOME LANG LOGNAME OLDPWD PATH PWD SHELL SHLVL TZ USER _"
            .replace("OLDPWD ", "")
    );
    assert_eq!(fs::read_to_string(bench.at("workspace/src/main.py")).unwrap(), "2\n");
    assert_eq!(fs::read_to_string(bench.at("home/.history")).unwrap(), "history\n");
    fs::write(bench.at("workspace/src/main.py"), "ours again").unwrap();
}

#[test]
fn the_only_way_out_is_the_listener() {
    let Some(bench) = Bench::new() else { return };
    let host = TcpListener::bind("127.0.0.1:0").unwrap();
    let name = format!("sandbox-test-{}", std::process::id());
    let address = <std::os::unix::net::SocketAddr as std::os::linux::net::SocketAddrExt>::from_abstract_name(&name);
    let _abstract = UnixListener::bind_addr(&address.unwrap()).unwrap();
    let code = format!(
        "
import socket, urllib.request
def attempt(family, address):
    try: socket.socket(family).connect(address); print('connected to', address)
    except OSError as error: print(error.strerror)
attempt(socket.AF_INET, ('127.0.0.1', {}))
attempt(socket.AF_INET, ('192.0.2.1', 80))
attempt(socket.AF_UNIX, '\\0{name}')
way = socket.create_connection(('127.0.0.1', {PORT}))
way.sendall(b'ping')
print(way.recv(9).decode())
way.sendall(b'after the first piece')
print(way.recv(9).decode())
",
        host.local_addr().unwrap().port(),
    );
    let (session, listener) = Session::open(&bench.place()).unwrap();
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut heard = [0; 64];
        let count = stream.read(&mut heard).unwrap();
        assert_eq!(&heard[..count], b"ping");
        stream.write_all(b"one").unwrap();
        // The second piece comes only after the first was seen: nothing in between waits for more.
        let count = stream.read(&mut heard).unwrap();
        assert_eq!(&heard[..count], b"after the first piece");
        stream.write_all(b"two").unwrap();
    });
    let worked = session.run(&bench.job(&["python3", "-c", &code])).unwrap();
    let told = fs::read_to_string(bench.at("stderr")).unwrap();
    assert_eq!(worked.end, End::Exited(0), "{told}");
    server.join().unwrap();
    assert_eq!(bench.printed(), "Connection refused\nNetwork is unreachable\nConnection refused\none\ntwo");
}

#[test]
fn output_is_in_its_file_while_the_program_runs() {
    let Some(bench) = Bench::new() else { return };
    let (session, _listener) = Session::open(&bench.place()).unwrap();
    let stopper = session.stopper().unwrap();
    let job = bench.job(&["bash", "-c", "echo now; sleep 1000"]);
    let running = thread::spawn(move || session.run(&job));
    soon("nothing came", || (bench.printed() == "now").then_some(()));
    // And the program ends when no one wants it any more.
    drop(stopper);
    running.join().unwrap().unwrap_err();
    soon("a process is left", || marked(&bench.mark).is_empty().then_some(()));
}

#[test]
fn limits_end_a_program_with_all_it_started() {
    let cases: [(&str, Limit, &str); 6] = [
        ("wall clock", Limit::Wall, "sleep 1000"),
        ("output flood", Limit::Output, "yes"),
        ("fork bomb", Limit::Processes, "bomb() { bomb | bomb & }; bomb; sleep 1000"),
        ("disk", Limit::Disk, "for i in $(seq 40); do head -c 1M /dev/zero > $i; done; sleep 1000"),
        ("home", Limit::Disk, "cd; for i in $(seq 40); do head -c 1M /dev/zero > $i; done; sleep 1000"),
        ("memory", Limit::Memory, "python3 -c 'import time; x = bytearray(b\"x\" * 300_000_000); time.sleep(1000)'"),
    ];
    for (name, limit, script) in cases {
        let Some(bench) = Bench::new() else { return };
        let mut job = bench.job(&["bash", "-c", script]);
        job.limits.wall = Duration::from_secs(if limit == Limit::Wall { 1 } else { 30 });
        job.limits.disk = 32 * MB;
        job.limits.memory = 256 * MB;
        job.limits.output = MB;
        job.limits.processes = 64;
        assert_eq!(bench.run(&job).end, End::Limit(limit), "{name}");
        assert!(fs::metadata(bench.at("stdout")).unwrap().len() <= MB, "{name}");
    }
}

#[test]
fn nothing_that_is_held_of_the_disk_goes_uncounted() {
    let cases = [
        ("open, without a name", "f = open('x', 'wb'); os.unlink('x'); f.write(bytes(40 << 20)); f.flush()"),
        ("never named", "f = os.open('.', os.O_TMPFILE | os.O_WRONLY); os.write(f, bytes(40 << 20))"),
        ("below a path that no system call takes", "dig(); open('x', 'wb').write(bytes(40 << 20)); os.chdir('/')"),
        ("in a closed folder", "os.mkdir('d'); f = open('d/x', 'wb'); os.chmod('d', 0); f.write(bytes(40 << 20))"),
        ("in a closed workspace", "f = open('x', 'wb'); os.chmod('.', 0); f.write(bytes(40 << 20))"),
        (
            "reserved beyond the end",
            "f = open('x', 'wb'); ctypes.CDLL(None).fallocate(f.fileno(), 1, ctypes.c_long(0), ctypes.c_long(40 << 20))",
        ),
        ("names alone", "[os.close(os.open(str(n), os.O_CREAT)) for n in range(9000)]"),
    ];
    let prelude = "
import ctypes, os, time
def dig():
    for _ in range(40): os.mkdir('d' * 200); os.chdir('d' * 200)
";
    for (name, attack) in cases {
        let Some(bench) = Bench::new() else { return };
        let code = format!("{prelude}{attack}\ntime.sleep(1000)");
        let mut job = bench.job(&["python3", "-c", &code]);
        job.limits.disk = 32 * MB;
        assert_eq!(bench.run(&job).end, End::Limit(Limit::Disk), "{name}");
        slopbench_walk::remove(&bench.at("workspace")).unwrap();
    }
}

#[test]
fn what_is_below_the_limit_may_be_held_in_any_way() {
    let Some(bench) = Bench::new() else { return };
    let code = "
import os, time
f = open('x', 'wb'); os.unlink('x'); f.write(bytes(10 << 20)); f.flush()
g = [os.dup(f.fileno()) for _ in range(50)]
os.mkdir('closed'); open('closed/x', 'wb').write(bytes(10 << 20)); os.chmod('closed', 0)
time.sleep(5)
print(oct(os.stat('closed').st_mode & 0o777))";
    let mut job = bench.job(&["python3", "-c", code]);
    job.limits.disk = 32 * MB;
    assert_eq!(bench.run(&job).end, End::Exited(0));
    assert_eq!(bench.printed(), "0o0");
}

#[test]
fn whoever_takes_the_machine_s_reserve_of_disk_is_ended() {
    let Some(mut bench) = Bench::new() else { return };
    let Some(_disk) = bench.on_a_disk_of(64 * MB) else { return };
    let mut job = bench.job(&["bash", "-c", "head -c 40M /dev/zero > x; sleep 1000"]);
    job.reserve = 32 * MB;
    assert_eq!(bench.run(&job).end, End::Limit(Limit::Disk));
    // Another holds next to nothing, and is not to blame for what there is.
    fs::remove_file(bench.at("stdout")).unwrap();
    fs::remove_file(bench.at("stderr")).unwrap();
    let (session, _listener) = Session::open(&bench.place()).unwrap();
    let error = session.run(&bench.job(&["sleep", "1000"])).unwrap_err();
    assert!(error.to_string().contains("kept in reserve"), "{error}");
}

#[test]
fn a_full_tmp_is_an_error_to_the_program() {
    let Some(bench) = Bench::new() else { return };
    let place = SessionSpec { scratch: 4 * MB, ..bench.place() };
    let (session, _listener) = Session::open(&place).unwrap();
    let job = bench.job(&["bash", "-c", "head -c 20M /dev/zero > /tmp/file; stat -c %s /tmp/file"]);
    assert_eq!(session.run(&job).unwrap().end, End::Exited(0));
    assert!(bench.printed().parse::<u64>().unwrap() <= 4 * MB);
}

#[test]
fn daemons_end_with_the_program() {
    let Some(bench) = Bench::new() else { return };
    let daemon = "import os, sys, time
if os.fork(): os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
open('/workspace/daemon', 'w').write('started')
time.sleep(1000)";
    let script = format!("python3 -c \"{daemon}\" {}; while ! test -s daemon; do sleep 0.01; done", bench.mark);
    bench.says(&["bash", "-c", &script]);
}

#[test]
fn terminals_work_and_power_does_not() {
    let Some(bench) = Bench::new() else { return };
    let code = "
import ctypes, os, pty, subprocess
master, slave = pty.openpty()
print(subprocess.run(['sh', '-c', 'test -t 0 && echo terminal'], stdin=slave, capture_output=True, text=True).stdout.strip())
print(*[line.split()[1] for line in open('/proc/self/status') if line.startswith(('CapEff', 'CapBnd', 'NoNewPrivs', 'Seccomp:'))])
libc = ctypes.CDLL(None)
print(libc.unshare(0x10000000), libc.mount(b'x', b'/tmp', b'tmpfs', 0, None), libc.ptrace(0, 0, 0, 0))
try: os.mknod('/workspace/null', 0o20666, os.makedev(1, 3)); print('made')
except OSError as error: print(error.strerror)
";
    assert_eq!(
        bench.says(&["python3", "-c", code]),
        "terminal\n0000000000000000 0000000000000000 1 2\n-1 -1 -1\nOperation not permitted"
    );
}

#[test]
fn a_program_of_a_place_that_is_none_is_named() {
    let Some(bench) = Bench::new() else { return };
    let (session, _listener) = Session::open(&bench.place()).unwrap();
    let error = session.run(&bench.job(&["/opt/agent/nothing"])).unwrap_err();
    assert!(matches!(&error, Error::Program { program, .. } if program == "/opt/agent/nothing"), "{error}");
    // Its output lies there already, and is not overwritten.
    let error = Session::open(&bench.place()).unwrap_err();
    assert!(matches!(&error, Error::Place { path, .. } if path.ends_with("stdout")), "{error}");
    let nowhere = SessionSpec { workspace: bench.at("nowhere"), ..bench.place() };
    assert!(Session::open(&nowhere).unwrap_err().to_string().contains("nowhere"));
}

/// Not a test of its own: the harness that [`a_dead_harness_leaves_nothing`] kills.
#[test]
#[ignore = "run by another test"]
fn harness_to_be_killed() {
    let (Ok(mark), Some(mut bench)) = (env::var("SANDBOX_TEST_MARK"), Bench::new()) else { return };
    bench.mark = mark;
    let (session, _listener) = Session::open(&bench.place()).unwrap();
    let job = bench.job(&["python3", "-c", "import os, time\nos.fork()\nos.fork()\ntime.sleep(1000)"]);
    drop(session.run(&job));
}

#[test]
fn a_dead_harness_leaves_nothing() {
    if Bench::new().is_none() {
        return;
    }
    let (mark, scratch) = (mark(), tempfile::tempdir().unwrap());
    // An engine's own come and go.
    let is_ours = |line: &&str| !["/docker", "/containers"].iter().any(|engine| line.contains(engine));
    let mounts = || {
        fs::read_to_string("/proc/self/mountinfo")
            .unwrap()
            .lines()
            .filter(is_ours)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let before = mounts();
    let mut harness = Command::new(env::current_exe().unwrap())
        .args(["--ignored", "--exact", "sessions::harness_to_be_killed"])
        .env("SANDBOX_TEST_MARK", &mark)
        // It will have no time to tidy up.
        .env("TMPDIR", scratch.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    soon("the programs never ran", || (marked(&mark).len() == 4).then_some(()));
    harness.kill().unwrap();
    harness.wait().unwrap();
    soon("processes outlived the harness", || marked(&mark).is_empty().then_some(()));
    assert_eq!(mounts(), before);
    assert_eq!(fs::metadata(scratch.path()).unwrap().nlink(), 3, "the workspace, which is the harness' own");
}

#[test]
fn a_session_that_is_never_run_ends_at_once() {
    let Some(bench) = Bench::new() else { return };
    let started = Instant::now();
    drop(Session::open(&bench.place()).unwrap());
    assert!(started.elapsed() < Duration::from_secs(20));
}

/// Puts as many descriptors in flight as it may, in rings that only the kernel's collector can find once they are closed,
/// and says so.
const IN_FLIGHT: &str = "
import array, os, resource, socket, sys, time
kept = []
def ring(count):
    one, other = socket.socketpair()
    kept.extend((one, other))
    rights = array.array('i', [one.fileno(), other.fileno()] * 100)
    sent = 0
    try:
        while sent < count:
            one.sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)], socket.MSG_DONTWAIT); sent += 200
    except OSError: pass
    return sent
total = 0
while sent := ring(4000): total += sent
print('sent', total > 3000, flush=True)
";

#[test]
fn descriptors_in_flight_are_no_ones_but_their_senders() {
    let Some(attacker) = Bench::new() else { return };
    let (session, _listener) = Session::open(&attacker.place()).unwrap();
    let stopper = session.stopper().unwrap();
    let job = attacker.job(&["python3", "-c", &format!("{IN_FLIGHT}time.sleep(1000)")]);
    let running = thread::spawn(move || session.run(&job));
    soon("nothing was sent", || (attacker.printed() == "sent True").then_some(()));
    let another_works = |when| {
        let Some(bench) = Bench::new() else { return };
        let started = Instant::now();
        assert_eq!(bench.says(&["sh", "-c", "echo well"]), "well", "{when}");
        assert!(started.elapsed() < Duration::from_secs(20), "{when}");
    };
    another_works("while they are in flight");
    drop(stopper);
    running.join().unwrap().unwrap_err();
    another_works("while the kernel collects them");
}

#[test]
fn who_watches_everything_leaves_some_to_others() {
    let Some(attacker) = Bench::new() else { return };
    let code = "
import ctypes, time
libc = ctypes.CDLL(None)
count = 0
while count < 1000 and libc.inotify_init1(0) >= 0: count += 1
print('took', count > 7, flush=True)
";
    let (session, _listener) = Session::open(&attacker.place()).unwrap();
    let stopper = session.stopper().unwrap();
    let job = attacker.job(&["python3", "-c", &format!("{code}time.sleep(1000)")]);
    let running = thread::spawn(move || session.run(&job));
    soon("nothing was taken", || (attacker.printed() == "took True").then_some(()));
    let bench = Bench::new().unwrap();
    assert_eq!(bench.says(&["python3", "-c", code]), "took True");
    drop(stopper);
    running.join().unwrap().unwrap_err();
}
