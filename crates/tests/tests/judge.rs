//! Playing cases against a sandbox that answers what a test tells it to.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::{
    collections::BTreeMap,
    num::NonZeroUsize,
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
};

use common::{CASE, problem, write};
use slopbench_sandbox::{Collected, End, Error, Limit, Observation, Play, Sandbox, Service, Task, Usage};
use slopbench_tests::{CaseOutcome, Counts, Engine, Problem, Solve, Verdict};

/// Answers every task by calling a function.
struct Fake<F>(F);

impl<F: FnMut(&Task) -> Result<Observation, Error> + Send> Sandbox for Fake<F> {
    fn solution(&self) -> &Path {
        Path::new("/solution")
    }

    fn run(&mut self, task: &Task) -> Result<Observation, Error> {
        self.0(task)
    }

    fn serve(&mut self, _: &Service, _: &mut Play<'_>) -> Result<Observation, Error> {
        Err(Error::Task("no test of it has a service".into()))
    }
}

fn observed(end: End, stdout: &str) -> Observation {
    Observation { end, stdout: stdout.into(), stderr: Vec::new(), files: BTreeMap::new(), usage: Usage::default() }
}

fn play(case: &str, answer: impl Fn(&Task) -> Result<Observation, Error> + Sync) -> Vec<CaseOutcome> {
    let dir = problem();
    write(dir.path(), "checkpoint_1/cases/word.toml", case);
    write(dir.path(), "solution/echo.py", "");
    let problem = Problem::load(dir.path()).unwrap();
    let open = |_: &Path| Ok(Box::new(Fake(&answer)) as Box<dyn Sandbox + '_>);
    let engine = Engine { open: &open, jobs: NonZeroUsize::new(2).unwrap() };
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
        (End::Exited(0), "hello\n", Verdict::Pass),
        (End::Exited(1), "hello\n", fail("exit code")),
        (End::Exited(0), "hello", fail("stdout")),
        (End::Signalled(11), "hello\n", Verdict::Crashed { signal: 11 }),
        (End::Limit(Limit::Wall), "hello\n", Verdict::Limit { limit: Limit::Wall }),
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
        Ok(observed(End::Exited(0), ""))
    });
}

#[test]
fn files_are_compared_and_may_have_to_be_absent() {
    let case = format!("{CASE}[expect.files.\"a.json\"]\njson = '[1]'\n[expect.files.b]\nabsent = true\n");
    let run = |a: Collected, b: Collected| {
        verdict(&case, |task| {
            assert_eq!(task.collect, ["a.json", "b"]);
            let files = BTreeMap::from([("a.json".to_owned(), a.clone()), ("b".to_owned(), b.clone())]);
            Ok(Observation { files, ..observed(End::Exited(0), "hello\n") })
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
    let flaky = |_: &Task| match calls.fetch_add(1, Ordering::SeqCst) {
        0 => Err(Error::WorkerLost { cause: "killed".into() }),
        _ => Ok(observed(End::Exited(0), "hello\n")),
    };
    assert_eq!(verdict(CASE, flaky), Verdict::Pass);

    let outcome = play(CASE, |_| Err(Error::WorkerLost { cause: "killed".into() })).remove(0);
    assert_eq!(outcome.verdict, Verdict::Infrastructure);
    let counts = Counts::of(1, std::slice::from_ref(&outcome));
    assert_eq!((counts.infrastructure, counts.all().passed, counts.all().total), (1, 0, 1));
    assert!(!Solve::from(&counts).core);
}

#[test]
fn without_the_entry_file_every_case_is_missing() {
    let dir = problem();
    let problem = Problem::load(dir.path()).unwrap();
    let open = |_: &Path| -> Result<Box<dyn Sandbox>, Error> { panic!("nothing is to be run") };
    let engine = Engine { open: &open, jobs: NonZeroUsize::MIN };
    let outcomes = engine.run(&problem, &problem.suite(1), &dir.path().join("solution"), &|_| {}).unwrap();
    assert!(outcomes.iter().all(|outcome| outcome.verdict == Verdict::Missing));
    let counts = Counts::of(1, &outcomes);
    assert_eq!((counts.all().passed, counts.all().total), (0, 2));
}

#[test]
fn a_broken_regression_case_leaves_isolated_and_core_solved() {
    let dir = problem();
    write(dir.path(), "solution/echo.py", "");
    let problem = Problem::load(dir.path()).unwrap();
    let open =
        |_: &Path| Ok(Box::new(Fake(|_: &Task| Ok(observed(End::Exited(0), "hello\n")))) as Box<dyn Sandbox + '_>);
    let engine = Engine { open: &open, jobs: NonZeroUsize::MIN };
    let mut outcomes = engine.run(&problem, &problem.suite(2), &dir.path().join("solution"), &|_| {}).unwrap();
    assert_eq!(Solve::from(&Counts::of(2, &outcomes)), Solve { strict: true, isolated: true, core: true });
    outcomes[0].verdict = Verdict::Crashed { signal: 6 };
    assert_eq!(Solve::from(&Counts::of(2, &outcomes)), Solve { strict: false, isolated: true, core: true });
}
