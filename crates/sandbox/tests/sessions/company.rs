//! Sessions beside each other.

use std::thread;
use std::time::{Duration, Instant};

use slopbench_sandbox::session::Session;

use super::Bench;
use crate::common::soon;

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
