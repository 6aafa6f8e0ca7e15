//! Tasks in a row, and signals.

use std::time::{Duration, Instant};

use slopbench_sandbox::{
    Collected, Error, FileEntry, Limit, Limits, PlannedSignal, ProgramEnd, SignalMoment, Task, signal_number,
};

use crate::common::{LIMITS, marked};
use crate::open;

#[test]
fn a_task_finds_the_files_of_those_before_it_and_none_of_their_processes() {
    let Some(mut b) = open() else { return };
    let mut first = b.task(
        "import os, subprocess, sys
for place in '/work/log', '/tmp/log', '/dev/shm/log': open(place, 'a').write('first ' + open('/work/in').read())
os.chmod('/work/log', 0o200); os.mkdir('/work/closed'); open('/work/closed/tool', 'w').write('#!/bin/sh\\nexit 9')
os.chmod('/work/closed/tool', 0o111); os.chmod('/work/closed', 0)
subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(100)', sys.argv[-1]], start_new_session=True); sys.exit(3)",
        LIMITS,
    );
    first.files = vec![("in".into(), FileEntry::File(b"input".to_vec()))];
    first.collect = vec!["log".into(), "closed/tool".into()];
    let mut second = b.task(
        "import os, sys
print(oct(os.stat('/work/log').st_mode), oct(os.stat('/work/closed').st_mode)); os.chmod('/work/closed', 0o700); os.chmod('/work/log', 0o600)
print(oct(os.stat('/work/closed/tool').st_mode), *[open(place).read() for place in ('/work/log', '/tmp/log', '/dev/shm/log')])
print(len([pid for pid in os.listdir('/proc') if pid.isdigit()]), sys.stdin.read(), os.environ['NAME']); os.remove('/work/log')",
        LIMITS,
    );
    second.stdin = b"words".to_vec();
    second.env.insert("NAME".into(), "value".into());
    second.collect = vec!["log".into()];
    for _ in 0..2 {
        let seen = b.sandbox.run_series(&[first.clone(), second.clone()]).unwrap();
        let [one, two] = seen.as_slice() else { panic!("{seen:?}") };
        assert_eq!((one.end, &one.files["log"]), (ProgramEnd::Exited(3), &Collected::File(b"first input".to_vec())));
        assert_eq!(one.files["closed/tool"], Collected::File(b"#!/bin/sh\nexit 9".to_vec()));
        let expected = "0o100200 0o40000\n0o100111 first input first input first input\n2 words value\n";
        assert_eq!(
            (String::from_utf8_lossy(&two.stdout).as_ref(), two.end),
            (expected, ProgramEnd::Exited(0)),
            "{two:?}"
        );
        assert_eq!(two.files["log"], Collected::Missing);
        assert_eq!(marked(&b.mark), Vec::<u32>::new());
    }
}

#[test]
fn limits_hold_for_a_whole_row_and_end_it() {
    let Some(mut b) = open() else { return };
    let print = |count: u32| b.task(&format!("print('x' * {count})"), Limits { output: 1000, ..LIMITS });
    let seen = b.sandbox.run_series(&[print(600), print(200), print(600), print(1)]).unwrap();
    let ends: Vec<_> = seen.iter().map(|seen| seen.end).collect();
    assert_eq!(ends, [ProgramEnd::Exited(0), ProgramEnd::Exited(0), ProgramEnd::Limit(Limit::Output)]);
    let sleep = b.task("import time; time.sleep(.6)", Limits { wall: Duration::from_secs(1), ..LIMITS });
    let seen = b.sandbox.run_series(&[sleep.clone(), sleep.clone(), sleep]).unwrap();
    let ends: Vec<_> = seen.iter().map(|seen| seen.end).collect();
    assert_eq!(ends, [ProgramEnd::Exited(0), ProgramEnd::Limit(Limit::Wall)]);
    let burn = b.task(
        "import time\nwhile time.process_time() < .4: pass",
        Limits { cpu: Duration::from_millis(600), ..LIMITS },
    );
    let seen = b.sandbox.run_series(&[burn.clone(), burn]).unwrap();
    let ends: Vec<_> = seen.iter().map(|seen| seen.end).collect();
    assert_eq!(ends, [ProgramEnd::Exited(0), ProgramEnd::Limit(Limit::Cpu)]);
    assert_eq!(b.sandbox.run_series(&[]).unwrap(), []);
}

/// Says what it got, and goes on until it gets SIGTERM.
const LISTENS: &str = "
import signal, sys, time
def say(number, _):
    print('got', signal.Signals(number).name, flush=True)
    if number == signal.SIGTERM: sys.exit(4)
for number in signal.SIGTERM, signal.SIGUSR1: signal.signal(number, say)
print('one'); print('two', flush=True); open('ready', 'w')
deadline = time.monotonic() + 10
while time.monotonic() < deadline: time.sleep(1)";

fn with_signal(task: Task, name: &str, moment: SignalMoment) -> Task {
    Task { signal: Some(PlannedSignal { number: signal_number(name).unwrap(), moment }), ..task }
}

#[test]
fn a_signal_is_sent_at_its_moment_and_the_end_is_the_programs() {
    let Some(mut b) = open() else { return };
    for moment in
        [SignalMoment::After(Duration::from_secs(1)), SignalMoment::Lines(2), SignalMoment::File("ready".into())]
    {
        let task = with_signal(b.task(LISTENS, LIMITS), "SIGTERM", moment.clone());
        let started = Instant::now();
        let seen = b.run(&task);
        assert!(started.elapsed() < Duration::from_secs(5), "{moment:?}");
        assert_eq!((seen.end, seen.signal_sent), (ProgramEnd::Exited(4), true), "{moment:?}: {seen:?}");
        assert_eq!(seen.stdout, b"one\ntwo\ngot SIGTERM\n");
    }
    let killed = with_signal(b.task(LISTENS, LIMITS), "SIGKILL", SignalMoment::Lines(1));
    assert_eq!(b.run(&killed).end, ProgramEnd::Signalled(9));
    let short = Limits { wall: Duration::from_secs(1), ..LIMITS };
    let ignored = with_signal(b.task(LISTENS, short), "SIGUSR1", SignalMoment::Lines(1));
    let seen = b.run(&ignored);
    assert_eq!((seen.end, seen.stdout.ends_with(b"got SIGUSR1\n")), (ProgramEnd::Limit(Limit::Wall), true));
}

#[test]
fn a_signal_reaches_the_program_alone_and_not_who_ended_before() {
    let Some(mut b) = open() else { return };
    let parent = "
import os, signal, sys, time
if os.fork() == 0:
    signal.signal(signal.SIGTERM, lambda *_: open('child', 'w')); print('ready', flush=True); time.sleep(2); os._exit(0)
signal.signal(signal.SIGTERM, lambda *_: None); os.wait()";
    let mut task = with_signal(b.task(parent, LIMITS), "SIGTERM", SignalMoment::Lines(1));
    task.collect = vec!["child".into()];
    let seen = b.run(&task);
    assert_eq!((seen.end, &seen.files["child"], seen.signal_sent), (ProgramEnd::Exited(0), &Collected::Missing, true));
    let early = with_signal(b.task("print('over')", LIMITS), "SIGTERM", SignalMoment::Lines(2));
    let seen = b.run(&early);
    assert_eq!((seen.end, seen.signal_sent), (ProgramEnd::Exited(0), false));
    let no_signal = PlannedSignal { number: 99, moment: SignalMoment::Lines(1) };
    let wrong = Task { signal: Some(no_signal), ..b.task("pass", LIMITS) };
    assert!(matches!(b.sandbox.run(&wrong), Err(Error::Task(_))));
    let outside = with_signal(b.task("pass", LIMITS), "SIGTERM", SignalMoment::File("../x".into()));
    assert!(matches!(b.sandbox.run(&outside), Err(Error::Task(_))));
    assert_eq!(b.says("print(1)"), "1");
}
