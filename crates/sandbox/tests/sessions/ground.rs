//! What a program finds, and what comes out of it.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::thread;
use std::time::Duration;

use slopbench_sandbox::session::{Session, SessionJob, SessionSpec};
use slopbench_sandbox::{Error, ProgramEnd};

use super::{Bench, PORT};

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
fn an_environment_is_where_solutions_find_it_and_read_only() {
    let Some(bench) = Bench::new() else { return };
    fs::create_dir_all(bench.at("cache/environment/bin")).unwrap();
    fs::write(bench.at("cache/environment/bin/tool"), "a tool").unwrap();
    fs::write(bench.at("cache/secret"), "SECRET").unwrap();
    let environment = Some(bench.at("cache/environment"));
    let place = SessionSpec { environment, hide: vec![bench.at("cache")], ..bench.place() };
    let script = "cat /environment/bin/tool; ls /environment; cat /environment/../secret; : > /environment/bin/tool; \
                  rm /environment/bin/tool; echo more > /environment/bin/mine; ls /environment/bin";
    let (session, _listener) = Session::open(&place).unwrap();
    let job = SessionJob::new(["bash", "-c", script].map(String::from).into(), Duration::from_secs(20));
    session.run(&job).unwrap();
    assert_eq!(fs::read_to_string(&place.stdout).unwrap(), "a toolbin\ntool\n");
    assert_eq!(fs::read_to_string(bench.at("cache/environment/bin/tool")).unwrap(), "a tool");
}

/// Where a solution will find them, though what holds them is hidden.
#[test]
fn assets_can_be_read_and_nothing_beside_them() {
    let Some(bench) = Bench::new() else { return };
    fs::create_dir_all(bench.at("problem/assets")).unwrap();
    fs::write(bench.at("problem/assets/words"), "apple").unwrap();
    fs::write(bench.at("problem/secret"), "SECRET").unwrap();
    let assets = Some(bench.at("problem/assets"));
    let place = SessionSpec { assets, hide: vec![bench.at("problem")], ..bench.place() };
    let script =
        "cat /assets/words; ls /assets; cat /assets/../secret; : > /assets/words; rm /assets/words; ls /assets";
    let (session, _listener) = Session::open(&place).unwrap();
    let job = SessionJob::new(["bash", "-c", script].map(String::from).into(), Duration::from_secs(20));
    session.run(&job).unwrap();
    assert_eq!(fs::read_to_string(&place.stdout).unwrap(), "applewords\nwords\n");
    assert_eq!(fs::read_to_string(bench.at("problem/assets/words")).unwrap(), "apple");
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
    assert_eq!(worked.end, ProgramEnd::Exited(0), "{told}");
    server.join().unwrap();
    assert_eq!(bench.printed(), "Connection refused\nNetwork is unreachable\nConnection refused\none\ntwo");
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
