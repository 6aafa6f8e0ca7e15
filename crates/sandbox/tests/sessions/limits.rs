//! What ends a program, and what does not.

use std::fs;
use std::time::Duration;

use slopbench_sandbox::session::{Session, SessionSpec};
use slopbench_sandbox::{Limit, ProgramEnd};

use super::Bench;
use crate::common::MB;

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
        assert_eq!(bench.run(&job).end, ProgramEnd::Limit(limit), "{name}");
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
        assert_eq!(bench.run(&job).end, ProgramEnd::Limit(Limit::Disk), "{name}");
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
    assert_eq!(bench.run(&job).end, ProgramEnd::Exited(0));
    assert_eq!(bench.printed(), "0o0");
}

#[test]
fn whoever_takes_the_machine_s_reserve_of_disk_is_ended() {
    let Some(mut bench) = Bench::new() else { return };
    let Some(_disk) = bench.on_a_disk_of(64 * MB) else { return };
    let mut job = bench.job(&["bash", "-c", "head -c 40M /dev/zero > x; sleep 1000"]);
    job.reserve = 32 * MB;
    assert_eq!(bench.run(&job).end, ProgramEnd::Limit(Limit::Disk));
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
    assert_eq!(session.run(&job).unwrap().end, ProgramEnd::Exited(0));
    assert!(bench.printed().parse::<u64>().unwrap() <= 4 * MB);
}
