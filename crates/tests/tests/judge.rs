//! Playing cases against a sandbox that answers what a test tells it to.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::{
    collections::BTreeMap,
    num::NonZeroUsize,
    path::Path,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    thread,
};

use common::{CASE, problem, write};
use slopbench_sandbox::{
    Collected, Error, Limit, Observation, Peer, Play, ProgramEnd, RawResponse, RequestBatch, ResourceUsage,
    ResponseEnd, Sandbox, Service, Task,
    suite::{Suite, SuiteLayout, SuiteObservation},
};
use slopbench_tests::{CaseOutcome, Engine, Gate, Problem, Solve, Verdict, VerdictCounts, pytest::no_environments};

/// Answers every task by calling a function.
struct Fake<F>(F);

impl<F: FnMut(&Task) -> Result<Observation, Error> + Send> Sandbox for Fake<F> {
    fn solution(&self) -> &Path {
        Path::new("/solution")
    }

    fn run_series(&mut self, tasks: &[Task]) -> Result<Vec<Observation>, Error> {
        tasks.iter().map(&mut self.0).collect()
    }

    fn serve(&mut self, _: &Service, _: &mut Play<'_>) -> Result<Observation, Error> {
        Err(Error::Task("no test of it has a service".into()))
    }

    fn play_suite(
        &mut self,
        _: &Suite,
        _: &dyn Fn(&SuiteLayout<'_>) -> Vec<String>,
    ) -> Result<SuiteObservation, Error> {
        Err(Error::Task("no test of it has a suite".into()))
    }
}

fn observed(end: ProgramEnd, stdout: &str) -> Observation {
    Observation {
        end,
        stdout: stdout.into(),
        stderr: Vec::new(),
        files: BTreeMap::new(),
        signal_sent: false,
        usage: ResourceUsage::default(),
    }
}

fn play(case: &str, answer: impl Fn(&Task) -> Result<Observation, Error> + Sync) -> Vec<CaseOutcome> {
    let dir = problem();
    write(dir.path(), "checkpoint_1/cases/word.toml", case);
    write(dir.path(), "solution/echo.py", "");
    let problem = Problem::load(dir.path()).unwrap();
    let open = |_: &Path, _: Option<&Path>| Ok(Box::new(Fake(&answer)) as Box<dyn Sandbox + '_>);
    let engine = Engine {
        open: &open,
        jobs: NonZeroUsize::new(2).unwrap(),
        environments: &no_environments,
        gate: &Gate::default(),
    };
    let cases: Vec<_> = problem.suite(1).into_iter().filter(|case| case.id.as_str().ends_with("word")).collect();
    engine.run(&problem, &cases, &dir.path().join("solution"), &|_| {}).unwrap()
}

fn verdict(case: &str, answer: impl Fn(&Task) -> Result<Observation, Error> + Sync) -> Verdict {
    play(case, answer).remove(0).verdict
}

#[test]
fn an_exit_is_compared_and_any_other_end_is_told_apart() {
    let fail = |what: &str| Verdict::Fail { mismatches: vec![what.to_owned()] };
    for (end, stdout, expected) in [
        (ProgramEnd::Exited(0), "hello\n", Verdict::Pass),
        (ProgramEnd::Exited(1), "hello\n", fail("exit code")),
        (ProgramEnd::Exited(0), "hello", fail("stdout")),
        (ProgramEnd::Signalled(11), "hello\n", Verdict::Crashed { signal: 11 }),
        (ProgramEnd::Limit(Limit::Wall), "hello\n", Verdict::Limit { limit: Limit::Wall }),
    ] {
        assert_eq!(verdict(CASE, |_| Ok(observed(end, stdout))), expected);
    }
}

/// Invariant 1: a hidden expectation never enters a sandbox.
#[test]
fn nothing_that_is_expected_is_part_of_the_task() {
    let case = CASE.replace("hello\\n", "SECRET").replace("exit_code = 0", "exit_code = 123");
    play(&case, |task| {
        let task = format!("{task:?}");
        assert!(!task.contains("SECRET") && !task.contains("123"), "{task}");
        Ok(observed(ProgramEnd::Exited(0), ""))
    });
}

/// The same of every run of a case, and of what it is expected to find in files.
#[test]
fn nothing_that_is_expected_of_a_run_is_part_of_its_task() {
    let head = CASE.split("args").next().unwrap();
    let case = format!(
        r#"{head}[files]
input = "given"
[[steps]]
args = ["one"]
expect.exit_code = 123
[[steps]]
args = ["two"]
signal = {{ name = "SIGTERM", after_lines = 2 }}
expect.signal = "SIGKILL"
expect.stdout.json = '{{"?pattern": "SECRET"}}'
expect.files.archive.archive = {{ kind = "zip", files.SECRET.text = "SECRET" }}
expect.files.db.sqlite = [{{ query = "SELECT 'SECRET'", rows = '[["SECRET"]]' }}]
"#
    );
    let tasks = AtomicUsize::new(0);
    let outcomes = play(&case, |task| {
        let is_second = tasks.fetch_add(1, SeqCst) == 1;
        let text = format!("{task:?}");
        assert!(!text.contains("SECRET") && !text.contains("123") && !text.contains("number: 9"), "{text}");
        assert_eq!(task.collect.is_empty(), !is_second);
        assert_eq!(task.files.is_empty(), is_second, "files are put there once");
        Ok(Observation { signal_sent: true, ..observed(ProgramEnd::Exited(123), "") })
    });
    let expected =
        ["step 2 signal", "step 2 stdout", "step 2 file archive", "step 2 file db"].map(str::to_owned).into();
    assert_eq!(outcomes[0].verdict, Verdict::Fail { mismatches: expected });
}

/// The first run that differs decides, whatever those after it did.
#[test]
fn an_end_that_is_expected_goes_on_and_another_does_not() {
    let head = CASE.split("args").next().unwrap();
    let steps = |first: &str| format!("{head}[[steps]]\n{first}\n[[steps]]\nexpect.stdout.text = 'b'\n");
    let fail = |what: &str| Verdict::Fail { mismatches: vec![what.to_owned()] };
    for (first, end, second, expected) in [
        ("expect.exit_code = 'nonzero'", ProgramEnd::Exited(3), "b", Verdict::Pass),
        ("expect.exit_code = 'nonzero'", ProgramEnd::Exited(0), "b", fail("step 1 exit code")),
        ("expect.exit_code = 'nonzero'", ProgramEnd::Signalled(9), "b", Verdict::Crashed { signal: 9 }),
        ("expect.signal = 'SIGTERM'", ProgramEnd::Signalled(15), "b", Verdict::Pass),
        ("expect.signal = 'SIGTERM'", ProgramEnd::Signalled(9), "a", fail("step 1 signal")),
        ("expect.signal = 'SIGTERM'", ProgramEnd::Exited(0), "b", fail("step 1 signal")),
        ("args = []", ProgramEnd::Exited(1), "a", fail("step 2 stdout")),
        ("args = []", ProgramEnd::Limit(Limit::Cpu), "b", Verdict::Limit { limit: Limit::Cpu }),
    ] {
        let runs = AtomicUsize::new(0);
        let found = verdict(&steps(first), |_| match runs.fetch_add(1, SeqCst) {
            0 => Ok(observed(end, "")),
            _ => Ok(observed(ProgramEnd::Exited(0), second)),
        });
        assert_eq!(found, expected, "{first} and {end:?}");
    }
}

#[test]
fn files_are_compared_and_may_have_to_be_absent() {
    let case = format!("{CASE}[expect.files.\"a.json\"]\njson = '[1]'\n[expect.files.b]\nabsent = true\n");
    let run = |a: Collected, b: Collected| {
        verdict(&case, |task| {
            assert_eq!(task.collect, ["a.json", "b"]);
            let files = BTreeMap::from([("a.json".to_owned(), a.clone()), ("b".to_owned(), b.clone())]);
            Ok(Observation { files, ..observed(ProgramEnd::Exited(0), "hello\n") })
        })
    };
    let fail = |what: &str| Verdict::Fail { mismatches: vec![what.to_owned()] };
    assert_eq!(run(Collected::File(b"[ 1 ]".into()), Collected::Missing), Verdict::Pass);
    assert_eq!(run(Collected::File(b"[2]".into()), Collected::Missing), fail("file a.json"));
    assert_eq!(run(Collected::NotAFile, Collected::Missing), fail("file a.json"));
    assert_eq!(run(Collected::Missing, Collected::Missing), fail("file a.json"));
    assert_eq!(run(Collected::File(b"[1]".into()), Collected::NotAFile), fail("file b"));
}

#[test]
fn a_sandbox_that_fails_once_is_replaced_and_one_that_always_fails_is_no_verdict_on_the_solution() {
    let calls = AtomicUsize::new(0);
    let flaky = |_: &Task| match calls.fetch_add(1, SeqCst) {
        0 => Err(Error::WorkerLost { cause: "killed".into() }),
        _ => Ok(observed(ProgramEnd::Exited(0), "hello\n")),
    };
    assert_eq!(verdict(CASE, flaky), Verdict::Pass);

    let outcome = play(CASE, |_| Err(Error::WorkerLost { cause: "killed".into() })).remove(0);
    assert_eq!(outcome.verdict, Verdict::Infrastructure);
    let counts = VerdictCounts::of(1, std::slice::from_ref(&outcome));
    assert_eq!((counts.infrastructure, counts.all().passed, counts.all().total), (1, 0, 1));
    assert!(!Solve::from(&counts).core);
}

#[test]
fn without_the_entry_file_every_case_is_missing() {
    let dir = problem();
    let problem = Problem::load(dir.path()).unwrap();
    let open = |_: &Path, _: Option<&Path>| -> Result<Box<dyn Sandbox>, Error> { panic!("nothing is to be run") };
    let engine =
        Engine { open: &open, jobs: NonZeroUsize::MIN, environments: &no_environments, gate: &Gate::default() };
    let outcomes = engine.run(&problem, &problem.suite(1), &dir.path().join("solution"), &|_| {}).unwrap();
    assert!(outcomes.iter().all(|outcome| outcome.verdict == Verdict::Missing));
    let counts = VerdictCounts::of(1, &outcomes);
    assert_eq!((counts.all().passed, counts.all().total), (0, 2));
}

#[test]
fn a_broken_regression_case_leaves_isolated_and_core_solved() {
    let dir = problem();
    write(dir.path(), "solution/echo.py", "");
    let problem = Problem::load(dir.path()).unwrap();
    let open = |_: &Path, _: Option<&Path>| {
        Ok(Box::new(Fake(|_: &Task| Ok(observed(ProgramEnd::Exited(0), "hello\n")))) as Box<dyn Sandbox + '_>)
    };
    let engine =
        Engine { open: &open, jobs: NonZeroUsize::MIN, environments: &no_environments, gate: &Gate::default() };
    let mut outcomes = engine.run(&problem, &problem.suite(2), &dir.path().join("solution"), &|_| {}).unwrap();
    assert_eq!(Solve::from(&VerdictCounts::of(2, &outcomes)), Solve { strict: true, isolated: true, core: true });
    outcomes[0].verdict = Verdict::Crashed { signal: 6 };
    assert_eq!(Solve::from(&VerdictCounts::of(2, &outcomes)), Solve { strict: false, isolated: true, core: true });
}

/// Plays checkpoint 1's two cases with `jobs` sandboxes.
fn play_both(
    jobs: usize,
    gate: &Gate,
    answer: impl Fn(&Task) -> Result<Observation, Error> + Sync,
) -> (Vec<Verdict>, usize) {
    let dir = problem();
    write(dir.path(), "solution/echo.py", "");
    let problem = Problem::load(dir.path()).unwrap();
    let open = |_: &Path, _: Option<&Path>| Ok(Box::new(Fake(&answer)) as Box<dyn Sandbox + '_>);
    let engine = Engine { open: &open, jobs: NonZeroUsize::new(jobs).unwrap(), environments: &no_environments, gate };
    let done = AtomicUsize::new(0);
    let count = |_: &CaseOutcome| {
        done.fetch_add(1, SeqCst);
    };
    let outcomes = engine.run(&problem, &problem.suite(1), &dir.path().join("solution"), &count).unwrap();
    (outcomes.into_iter().map(|outcome| outcome.verdict).collect(), done.into_inner())
}

const LATE: Verdict = Verdict::Limit { limit: Limit::Wall };

/// A case that takes too long as long as there is another one at work.
#[test]
fn a_wall_clock_limit_that_is_hit_beside_others_is_judged_again_alone() {
    let (at_work, calls) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let slow_in_company = |_: &Task| {
        let others = at_work.fetch_add(1, SeqCst);
        let first_time = calls.fetch_add(1, SeqCst) < 2;
        thread::yield_now();
        at_work.fetch_sub(1, SeqCst);
        assert!(first_time || others == 0, "not alone");
        Ok(observed(if first_time { ProgramEnd::Limit(Limit::Wall) } else { ProgramEnd::Exited(0) }, "hello\n"))
    };
    assert_eq!(play_both(2, &Gate::default(), slow_in_company), (vec![Verdict::Pass; 2], 2));
    assert_eq!(calls.into_inner(), 4);
}

#[test]
fn what_is_decided_alone_stands_and_nothing_but_the_clock_is_judged_again() {
    for (jobs, end, verdict, expected_calls) in [
        (1, ProgramEnd::Limit(Limit::Wall), LATE, 2),
        (2, ProgramEnd::Limit(Limit::Wall), LATE, 4),
        (2, ProgramEnd::Limit(Limit::Cpu), Verdict::Limit { limit: Limit::Cpu }, 2),
        (2, ProgramEnd::Signalled(11), Verdict::Crashed { signal: 11 }, 2),
    ] {
        let calls = AtomicUsize::new(0);
        let answer = |_: &Task| {
            calls.fetch_add(1, SeqCst);
            Ok(observed(end, "hello\n"))
        };
        assert_eq!(play_both(jobs, &Gate::default(), answer), (vec![verdict; 2], 2));
        assert_eq!(calls.into_inner(), expected_calls, "{end:?} with {jobs} jobs");
    }
}

/// Another suite, or the session of an agent.
#[test]
fn whoever_else_is_at_work_is_waited_for() {
    let (gate, has_left, calls) = (Gate::default(), AtomicBool::new(false), AtomicUsize::new(0));
    let slow_at_first = |_: &Task| {
        let first_time = calls.fetch_add(1, SeqCst) < 2;
        assert!(first_time || has_left.load(SeqCst), "judged again in company");
        Ok(observed(if first_time { ProgramEnd::Limit(Limit::Wall) } else { ProgramEnd::Exited(0) }, "hello\n"))
    };
    thread::scope(|scope| {
        let other = gate.enter();
        let judging = scope.spawn(|| play_both(1, &gate, slow_at_first));
        while calls.load(SeqCst) < 2 {
            thread::yield_now();
        }
        has_left.store(true, SeqCst);
        drop(other);
        assert_eq!(judging.join().unwrap(), (vec![Verdict::Pass; 2], 2));
    });
}

/// A server whose answers to all but the first request (is it ready?) end so at first, and are whole in the second life.
struct Slow<'a> {
    lives: &'a AtomicUsize,
    ending: ResponseEnd,
    asked: usize,
}

impl Peer for Slow<'_> {
    fn exchange(&mut self, exchange: &RequestBatch) -> Result<Option<Vec<RawResponse>>, Error> {
        self.asked += exchange.requests.len();
        let is_slow = self.asked > 1 && self.lives.load(SeqCst) == 1;
        let ending = if is_slow { self.ending } else { ResponseEnd::Whole };
        let bytes = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".to_vec();
        Ok(Some(vec![RawResponse { ending, bytes }; exchange.requests.len()]))
    }

    fn restart(&mut self) -> Result<bool, Error> {
        Ok(true)
    }
}

struct SlowService<'a>(&'a AtomicUsize, ResponseEnd);

impl Sandbox for SlowService<'_> {
    fn solution(&self) -> &Path {
        Path::new("/solution")
    }

    fn run_series(&mut self, _: &[Task]) -> Result<Vec<Observation>, Error> {
        Err(Error::Task("no test of it has a task".into()))
    }

    fn serve(&mut self, _: &Service, play: &mut Play<'_>) -> Result<Observation, Error> {
        self.0.fetch_add(1, SeqCst);
        play(&mut Slow { lives: self.0, ending: self.1, asked: 0 })?;
        Ok(observed(ProgramEnd::Stopped, ""))
    }

    fn play_suite(
        &mut self,
        _: &Suite,
        _: &dyn Fn(&SuiteLayout<'_>) -> Vec<String>,
    ) -> Result<SuiteObservation, Error> {
        Err(Error::Task("no test of it has a suite".into()))
    }
}

#[test]
fn a_server_that_is_late_beside_others_is_judged_again_alone_as_well() {
    let dir = problem();
    let server = "kind = \"http\"\n[server]\nport_variable = \"PORT\"\nready = \"/\"\n[[checkpoints]]\ntitle = \"a\"\n";
    let head = "format = \"slopbench.problem/2\"\ntitle = \"Echo\"\nentry = \"echo\"\n";
    let case = CASE.split("args").next().unwrap().to_owned() + "[[steps]]\nrequest = \"GET /\"\nexpect.status = 200\n";
    std::fs::remove_dir_all(dir.path().join("checkpoint_2")).unwrap();
    std::fs::remove_file(dir.path().join("checkpoint_1/cases/no_numbers.toml")).unwrap();
    for (path, content) in [
        ("problem.toml", format!("{head}{server}").as_str()),
        ("checkpoint_1/cases/word.toml", &case),
        ("solution/echo.py", ""),
    ] {
        write(dir.path(), path, content);
    }
    let problem = Problem::load(dir.path()).unwrap();
    for (ending, company, passes) in [
        (ResponseEnd::Late, true, true),
        (ResponseEnd::Late, false, false),
        (ResponseEnd::Closed, true, true),
        (ResponseEnd::Garbage, true, false),
    ] {
        let (gate, lives) = (Gate::default(), AtomicUsize::new(0));
        let open = |_: &Path, _: Option<&Path>| Ok(Box::new(SlowService(&lives, ending)) as Box<dyn Sandbox + '_>);
        let engine = Engine { open: &open, jobs: NonZeroUsize::MIN, environments: &no_environments, gate: &gate };
        let play = || engine.run(&problem, &problem.suite(1), &dir.path().join("solution"), &|_| {}).unwrap();
        let outcomes = thread::scope(|scope| {
            let other = company.then(|| gate.enter());
            let playing = scope.spawn(play);
            while lives.load(SeqCst) == 0 {
                thread::yield_now();
            }
            drop(other);
            playing.join().unwrap()
        });
        assert_eq!(outcomes[0].verdict == Verdict::Pass, passes, "{ending:?}: {outcomes:?}");
    }
}
