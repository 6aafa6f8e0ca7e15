//! The server of the page: what it gives, to whom, and that it follows a run.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use slopbench_page::{PageServer, ViewSettings};
use slopbench_synthetic::SyntheticStudy;

fn settings() -> ViewSettings {
    ViewSettings { tables: Vec::new(), figures: Box::new(|_| Vec::new()), specifications: Vec::new() }
}

/// The status and all of an answer.
fn ask(host: &str, path: &str) -> (u16, String) {
    let mut stream = connect(host, host, path);
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    (text.split(' ').nth(1).unwrap().parse().unwrap(), text)
}

fn connect(address: &str, host: &str, path: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    stream
}

#[test]
fn a_run_is_served_and_followed_until_it_is_stopped() {
    let dir = tempfile::tempdir().unwrap();
    let study = SyntheticStudy { checkpoints: vec![3], repeats: 1, hazards: false, ..SyntheticStudy::small(1) };
    let runs = study.write(dir.path()).unwrap();
    let units = runs[0].join("units");
    // One trajectory is still to be done.
    let unit = fs::read_dir(&units).unwrap().next().unwrap().unwrap().path();
    let aside = dir.path().join("aside");
    fs::rename(&unit, &aside).unwrap();
    let server = PageServer::start(&runs, settings(), 0).unwrap();
    let url = server.url();
    let address = url.strip_prefix("http://").unwrap().trim_end_matches('/').to_owned();
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    let serving = thread::spawn(move || server.run(&stopped));

    let (status, page) = ask(&address, "/");
    assert!(status == 200 && page.contains("connect-src 'self'") && page.contains("x-frame-options: DENY"), "{page}");
    assert!(ask(&address, "/detail/0").1.contains("\"checkpoints\""));
    for path in ["/detail/999", "/detail/../../plan.json", "/plan.json", "/%2e%2e/plan.json", "/etc/passwd"] {
        assert_eq!(ask(&address, path).0, 404, "{path}");
    }
    let mut text = String::new();
    connect(&address, "evil.example", "/data.json").read_to_string(&mut text).unwrap();
    assert!(text.starts_with("HTTP/1.1 421"), "{text}");

    let graded =
        |text: &str| text.split_once("\"graded\":").unwrap().1.split(',').next().unwrap().parse::<u32>().unwrap();
    let before = graded(&ask(&address, "/data.json").1);
    let mut events = BufReader::new(connect(&address, &address, "/events")).lines().map(Result::unwrap);
    assert!(events.any(|line| line == "data: 1"));
    fs::rename(&aside, &unit).unwrap();
    assert!(events.any(|line| line == "data: 2"), "word of what was done");
    assert_eq!(graded(&ask(&address, "/data.json").1), before + 3);

    stop.store(true, Ordering::Relaxed);
    serving.join().unwrap().unwrap();
    assert!(TcpStream::connect(&address).is_err(), "nobody listens any more");
}
