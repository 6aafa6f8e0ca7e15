//! What a sandbox costs: the median time of a task, and of a request to a service, on the machine itself, in
//! namespaces and in a container, and the differences; and what a program costs that a test suite starts in the other room.
//!
//! A request may cost 3 ms more than over plain loopback. The bar of the whole harness is 25 ms a case in namespaces, of which the sandbox may take 10, and
//! 120 ms in a container. Without an engine and its image, the last column is missing.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{self, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use slopbench_sandbox::docker::{ContainerEngine, Docker};
use slopbench_sandbox::suite::{Suite, SuiteLayout};
use slopbench_sandbox::{
    Host, Limits, Namespaces, Peer, ProgramEnd, RequestBatch, ResponseEnd, Runtime, Sandbox, Service, Solution, Task,
};

const RUNS: usize = 100;

const LIMITS: Limits = Limits {
    wall: Duration::from_secs(10),
    cpu: Duration::from_secs(10),
    memory: 512 << 20,
    processes: 32,
    file_size: 32 << 20,
    disk: 64 << 20,
    output: 4 << 20,
};

fn main() -> Result<(), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let runtime = Runtime::python3()?;
    let solution = Solution { dir: dir.path().to_owned(), ..Solution::default() };
    let started = Instant::now();
    let mut namespaces = Namespaces::open(&solution, &runtime)?;
    println!("opening a sandbox: {:.2} ms", milliseconds(started.elapsed()));
    let mut host = Host::open(&solution)?;
    let mut docker = docker(&solution).inspect_err(|error| eprintln!("without containers: {error}")).ok();

    let python =
        runtime.path.iter().map(|folder| folder.join("python3")).find(|path| path.is_file()).ok_or("no python3")?;
    let python = python.to_str().ok_or("a path that is no text")?;
    // The container has a Python of its own.
    let mut places: Vec<(&str, &mut dyn Sandbox, &str)> =
        vec![("bare", &mut host, python), ("namespaces", &mut namespaces, python)];
    places.extend(docker.as_mut().map(|docker| ("docker", docker as &mut dyn Sandbox, "/usr/bin/python3")));
    for (name, arguments) in [("true", vec![]), ("python3 -S -c pass", vec!["-S", "-c", "pass"])] {
        let mut times = vec![Vec::new(); places.len()];
        for run in 0..=RUNS {
            // By turns, so that a busy moment of the machine falls on all.
            for ((_, sandbox, python), times) in places.iter_mut().zip(&mut times) {
                let program = if arguments.is_empty() { "/bin/true" } else { *python };
                let took = time(*sandbox, &Task::new([&[program], arguments.as_slice()].concat(), LIMITS))?;
                // The first one starts the container.
                times.extend((run > 0).then_some(took));
            }
        }
        let medians: Vec<_> = times.into_iter().map(median).collect();
        let bare = medians.first().copied().unwrap_or_default();
        for ((place, ..), median) in places.iter().zip(medians) {
            println!("{name:<20} {place:<12} median of {RUNS}: {median:8.2} ms, {:8.2} over bare", median - bare);
        }
    }
    drop(places);
    requests(python, &mut namespaces, docker.as_mut())?;
    let mut places: Vec<(&str, &mut dyn Sandbox)> = vec![("namespaces", &mut namespaces)];
    places.extend(docker.as_mut().map(|docker| ("docker", docker as &mut dyn Sandbox)));
    suites(&mut places)
}

/// Answers every connection, in as little time as Python can.
const SERVER: &str = "
import os, socket
server = socket.create_server(('127.0.0.1', int(os.environ['PORT'])), backlog=64)
while True:
    peer, _ = server.accept()
    peer.recv(4096)
    peer.sendall(b'HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok')
    peer.close()";

const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

/// Asks once, and says whether there was an answer.
type Ask<'a> = dyn FnMut() -> bool + 'a;

/// Compares the same server in all places, a request after the other by turns.
fn requests(python: &str, namespaces: &mut Namespaces, mut docker: Option<&mut Docker>) -> Result<(), Box<dyn Error>> {
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let mut server = Command::new(python).args(["-S", "-c", SERVER]).env("PORT", port.to_string()).spawn()?;
    let mut bare = || plain(port).is_ok_and(|answer| answer.ends_with(b"ok"));
    let service = |python: &str| Service {
        task: Task::new([python, "-S", "-c", SERVER], LIMITS),
        port_variable: Some("PORT".into()),
    };
    namespaces.serve(&service(python), &mut |inside| {
        let mut inside = || asked(inside);
        match &mut docker {
            None => compare(&mut [("bare", &mut bare), ("namespaces", &mut inside)]),
            Some(docker) => drop(docker.serve(&service("/usr/bin/python3"), &mut |contained| {
                let mut contained = || asked(contained);
                compare(&mut [("bare", &mut bare), ("namespaces", &mut inside), ("docker", &mut contained)]);
                Ok(())
            })?),
        }
        Ok(())
    })?;
    server.kill()?;
    server.wait()?;
    Ok(())
}

fn compare(places: &mut [(&str, &mut Ask<'_>)]) {
    let mut times = vec![Vec::new(); places.len()];
    for (_, ask) in &mut *places {
        while !ask() {
            thread::sleep(Duration::from_millis(5));
        }
    }
    for _ in 0..RUNS {
        for ((place, ask), times) in places.iter_mut().zip(&mut times) {
            let started = Instant::now();
            let answered = ask();
            times.push(started.elapsed());
            assert!(answered, "no answer in {place}");
        }
    }
    let medians: Vec<_> = times.into_iter().map(median).collect();
    let bare = medians.first().copied().unwrap_or_default();
    for ((place, _), median) in places.iter().zip(medians) {
        println!("{:<20} {place:<12} median of {RUNS}: {median:8.2} ms, {:8.2} over bare", "a request", median - bare);
    }
}

fn asked(peer: &mut dyn Peer) -> bool {
    let exchange = RequestBatch { requests: vec![REQUEST.to_vec()], time_limit: LIMITS.wall };
    let answers = peer.exchange(&exchange).ok().flatten().unwrap_or_default();
    answers.iter().any(|answer| answer.ending == ResponseEnd::Whole)
}

fn plain(port: u16) -> io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.write_all(REQUEST)?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    Ok(answer)
}

fn docker(solution: &Solution) -> Result<Docker, slopbench_sandbox::Error> {
    Docker::open(solution, &ContainerEngine::connect()?.find_image("slopbench/python")?)
}

fn time(sandbox: &mut dyn Sandbox, task: &Task) -> Result<Duration, Box<dyn Error>> {
    let started = Instant::now();
    let observation = sandbox.run(task)?;
    let took = started.elapsed();
    if observation.end == ProgramEnd::Exited(0) { Ok(took) } else { Err(format!("{observation:?}").into()) }
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    milliseconds(times.get(times.len() / 2).copied().unwrap_or_default())
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Starts the same program here and in the solution's room by turns, and reports the times in microseconds.
const STARTS: &str = "
import json, os, subprocess, sys, time
launcher, times = json.loads(sys.argv[1]), []
def took(*words):
    began = time.perf_counter_ns()
    subprocess.run(words, check=True, stdin=subprocess.DEVNULL, capture_output=True)
    return (time.perf_counter_ns() - began) // 1000
for _ in range(int(sys.argv[2])): times.append((took('/bin/true'), took(*launcher, '/bin/true')))
os.write(int(os.environ['SLOPBENCH_REPORT_FD']), json.dumps([sorted(column)[len(times) // 2] for column in zip(*times)]).encode())";

/// What a start in the solution's room costs, and what two rooms do.
fn suites(places: &mut [(&str, &mut dyn Sandbox)]) -> Result<(), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    std::fs::write(dir.path().join("starts.py"), STARTS)?;
    let environment = tempfile::tempdir()?;
    let suite = Suite {
        folder: dir.path().to_owned(),
        shared: Vec::new(),
        environment: environment.path().to_owned(),
        env: BTreeMap::new(),
        limits: Limits { wall: Duration::from_secs(60), ..LIMITS },
    };
    for (place, sandbox) in places {
        let mut play = |count: usize| {
            let command = |layout: &SuiteLayout<'_>| {
                let script = layout.folder.join("starts.py").display().to_string();
                let launcher = serde_json::to_string(layout.launcher).unwrap_or_default();
                ["python3", "-S", &script, &launcher, &count.to_string()].map(String::from).to_vec()
            };
            let started = Instant::now();
            let seen = sandbox.play_suite(&suite, &command)?;
            if seen.end != ProgramEnd::Exited(0) {
                return Err::<_, Box<dyn Error>>(format!("{seen:?}").into());
            }
            Ok((started.elapsed(), seen))
        };
        let mut empty = Vec::new();
        for _ in 0..5 {
            let (took, seen) = play(1)?;
            empty.push(took - seen.usage.wall);
        }
        println!("{:<20} {place:<12} median of 5: {:8.2} ms beside the suite's own time", "two rooms", median(empty));
        let (_, seen) = play(2 * RUNS)?;
        let [plain, launched]: [f64; 2] = serde_json::from_slice(&seen.report)?;
        println!(
            "{:<20} {place:<12} median of {}: {:8.2} ms, {:8.2} over a plain one",
            "a start",
            2 * RUNS,
            launched / 1e3,
            (launched - plain) / 1e3
        );
    }
    Ok(())
}
