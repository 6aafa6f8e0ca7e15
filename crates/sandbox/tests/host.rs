//! The back end without protection.
#![allow(clippy::unwrap_used)]

mod common;

use std::path::Path;
use std::time::Duration;

use common::{LIMITS, mark, marked, soon};
use slopbench_sandbox::message::HttpMessage;
use slopbench_sandbox::{
    Collected, Error, FileEntry, Host, Limit, Limits, Peer, PlannedSignal, ProgramEnd, RequestBatch, ResponseEnd,
    Sandbox, Service, SignalMoment, Solution, Task,
};

fn open(dir: &Path) -> Host {
    Host::open(&Solution { dir: dir.to_owned(), ..Solution::default() }).unwrap()
}

fn shell(code: &str, limits: Limits) -> Task {
    Task::new(["sh", "-c", code], limits)
}

#[test]
fn it_observes_as_the_sandbox_does() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("main.sh"), "read line; echo $line; echo e >&2; cp in out; kill -50 $$").unwrap();
    let mut host = open(dir.path());
    let main = host.solution().join("main.sh").to_str().unwrap().to_owned();
    let mut task = Task::new(["sh", &main], LIMITS);
    task.stdin = b"input\n".to_vec();
    task.files = vec![("in".into(), FileEntry::File(b"bytes".to_vec()))];
    task.collect = vec!["out".into()];
    let seen = host.run(&task).unwrap();
    assert_eq!((seen.end, seen.stdout, seen.stderr), (ProgramEnd::Signalled(50), b"input\n".to_vec(), b"e\n".to_vec()));
    assert_eq!(seen.files["out"], Collected::File(b"bytes".to_vec()));
    assert_eq!(host.run(&shell("exit 3", LIMITS)).unwrap().end, ProgramEnd::Exited(3));
    assert_eq!(host.run(&Task::new(["./none"], LIMITS)).unwrap().end, ProgramEnd::Exited(127));
    assert!(matches!(host.run(&Task::new(["no-such-program"], LIMITS)), Err(Error::Program { .. })));
}

#[test]
fn it_keeps_wall_clock_and_output() {
    let dir = tempfile::tempdir().unwrap();
    let mut host = open(dir.path());
    let mark = mark();
    let short = Limits { wall: Duration::from_millis(200), output: 1000, ..LIMITS };
    let seen = host.run(&shell(&format!(": {mark}; sleep 100 & sleep 100"), short)).unwrap();
    assert_eq!(seen.end, ProgramEnd::Limit(Limit::Wall));
    soon("processes stayed", || marked(&mark).is_empty().then_some(()));
    let seen = host.run(&shell("while :; do echo line; done", Limits { output: 1000, ..LIMITS })).unwrap();
    assert_eq!((seen.end, seen.stdout.len()), (ProgramEnd::Limit(Limit::Output), 1000));
}

#[test]
fn a_service_is_talked_to_and_restarted() {
    let dir = tempfile::tempdir().unwrap();
    let mut host = open(dir.path());
    let code = "
import os, socket
server = socket.create_server(('127.0.0.1', int(os.environ['PORT'])))
while True:
    peer = server.accept()[0]; peer.recv(1000)
    open('log', 'a').write('x'); print('asked', flush=True)
    peer.sendall(b'HTTP/1.0 200 OK\\r\\n\\r\\n' + open('log').read().encode()); peer.close()";
    let mut service = Service { task: Task::new(["python3", "-c", code], LIMITS), port_variable: None };
    service.task.env.insert("PORT".into(), "{port}".into());
    let exchange =
        RequestBatch { requests: vec![b"GET / HTTP/1.1\r\n\r\n".to_vec()], time_limit: Duration::from_secs(5) };
    let mut bodies = Vec::new();
    let mut play = |peer: &mut dyn Peer| {
        for _ in 0..2 {
            let answer = soon("no answer", || {
                Some(peer.exchange(&exchange).unwrap()?.remove(0)).filter(|answer| answer.ending == ResponseEnd::Whole)
            });
            bodies.push(HttpMessage::parse(&answer.bytes, false).unwrap().body);
            assert!(peer.restart()?);
        }
        Ok(())
    };
    let seen = host.serve(&service, &mut play).unwrap();
    assert_eq!((seen.end, bodies), (ProgramEnd::Stopped, vec![b"x".to_vec(), b"xx".to_vec()]));
    assert_eq!(seen.stdout, b"asked\nasked\n");
}

#[test]
fn an_environment_is_activated_where_it_lies() {
    let dir = tempfile::tempdir().unwrap();
    let bin = dir.path().join("environment/bin");
    std::fs::create_dir_all(&bin).unwrap();
    std::os::unix::fs::symlink("/bin/echo", bin.join("greet")).unwrap();
    let environment = Some(dir.path().join("environment"));
    let solution = Solution { dir: dir.path().to_owned(), environment, ..Solution::default() };
    let mut host = Host::open(&solution).unwrap();
    let seen = host.run(&shell("greet \"$VIRTUAL_ENV\"; ls >/dev/null", LIMITS)).unwrap();
    assert_eq!(seen.end, ProgramEnd::Exited(0));
    let real = dir.path().canonicalize().unwrap().join("environment");
    assert_eq!(String::from_utf8(seen.stdout).unwrap(), format!("{}\n", real.display()));
}

#[test]
fn a_row_of_tasks_shares_a_folder_and_signals_are_sent() {
    let dir = tempfile::tempdir().unwrap();
    let mut host = open(dir.path());
    let first = shell("echo one > log; exit 3", LIMITS);
    let mut second = shell("trap 'cat log; exit 4' TERM; echo ready; while :; do sleep 0.05; done", LIMITS);
    second.signal = Some(PlannedSignal { number: 15, moment: SignalMoment::Lines(1) });
    let seen = host.run_series(&[first, second, shell("kill -KILL $$", LIMITS)]).unwrap();
    let ends: Vec<_> = seen.iter().map(|seen| (seen.end, seen.signal_sent)).collect();
    let expected = [(ProgramEnd::Exited(3), false), (ProgramEnd::Exited(4), true), (ProgramEnd::Signalled(9), false)];
    assert_eq!((ends.as_slice(), seen[1].stdout.as_slice()), (expected.as_slice(), b"ready\none\n".as_slice()));
}
