//! The engine with a study that writes files: what is kept, what is done again, and who may do it.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{
    collections::BTreeMap,
    fs,
    num::NonZeroUsize,
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use slopbench_runner::{
    Assignment, Budget, EndedStage, Error, Executor, Instrument, Plan, Run, RunEnd, RunEvent, RunFolder, RunStore,
    SettledStage, Spent, Stage, Study, Threads, Watch, write,
};

/// Units of three stages, each of which counts on from the workspace before it.
#[derive(Default)]
struct Counting {
    /// How often each stage was carried out.
    done: Mutex<BTreeMap<String, usize>>,
    /// So many stages have no answer first.
    unanswered: AtomicUsize,
    /// So many are not settled first, as if the process had been killed.
    unsettled: AtomicUsize,
}

const STAGES: [&str; 3] = ["one", "two/a", "two/b"];

impl Study for Counting {
    type Error = Error;

    fn units(&self) -> Vec<String> {
        ["left", "right"].map(str::to_owned).into()
    }

    fn next(&self, store: &RunStore, unit: &str) -> Result<Option<Stage>, Error> {
        for stage in STAGES {
            if store.stage(unit, stage)?.is_none() {
                return Ok(Some(if stage == "two/b" { Stage::exclusive(stage) } else { Stage::paid(stage) }));
            }
        }
        Ok(None)
    }

    fn carry_out(&self, assignment: &Assignment<'_>) -> Result<EndedStage, Error> {
        let name = format!("{} {}", assignment.unit, assignment.stage);
        *self.done.lock().unwrap().entry(name).or_default() += 1;
        let folder = assignment.scratch.join("ended");
        write(&folder.join("files/said"), assignment.stage.as_bytes())?;
        write(&folder.join("workspace/file"), format!("{} {}", assignment.unit, assignment.stage).as_bytes())?;
        Ok(EndedStage { folder, spent: Spent { usd: 1.0, tokens: 10 } })
    }

    fn settle(&self, assignment: &Assignment<'_>, ended: &Path) -> Result<SettledStage, Error> {
        if take(&self.unsettled) {
            return Err(Error::Edited { path: ended.into(), what: "the disk was full".into() });
        }
        // What was done before a kill may be done again.
        let copy = assignment.scratch.join("copy");
        write(&copy.join("file"), &fs::read(ended.join("workspace/file")).unwrap())?;
        let id = assignment.store.keep_tree(&copy)?;
        let unanswered = take(&self.unanswered).then(|| "no answer".to_owned());
        Ok(SettledStage { files: ended.join("files"), trees: [id].into(), unanswered, outcome: "counted".to_owned() })
    }
}

fn take(left: &AtomicUsize) -> bool {
    left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok()
}

struct Bench {
    dir: tempfile::TempDir,
    folder: RunFolder<String>,
    study: Counting,
}

impl Bench {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let folder = RunFolder::create(&dir.path().join("run"), Plan::new("counting", "two units".to_owned())).unwrap();
        Self { dir, folder, study: Counting::default() }
    }

    fn engine<'a>(&'a self, instrument: &'a Instrument, budget: Budget) -> Run<'a, Counting> {
        let Self { folder, study, .. } = self;
        Run { study, store: &folder.store, instrument, accept_difference: false, budget, watch: self }
    }

    fn carry_out(&self, budget: Budget) -> RunEnd<Error> {
        let coordinator = self.folder.store.coordinate().unwrap();
        let threads = Threads(NonZeroUsize::new(2).unwrap());
        self.engine(&Instrument::default(), budget).carry_out(&coordinator, &threads).unwrap()
    }

    fn unit(&self, unit: &str) -> Result<Option<String>, Error> {
        self.engine(&Instrument::default(), Budget::default()).carry_out_unit(unit)
    }

    /// How often each stage was carried out that was carried out at all.
    fn times(&self) -> Vec<usize> {
        self.study.done.lock().unwrap().values().copied().collect()
    }

    /// What the run's folder holds.
    fn left(&self) -> Vec<String> {
        let entries = fs::read_dir(self.dir.path().join("run")).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Watch for Bench {
    fn tell(&self, _: &str, _: &RunEvent<'_>) {}
}

#[test]
fn every_stage_is_done_once_whoever_asks_and_nothing_is_left() {
    let bench = Bench::new();
    assert_eq!(bench.unit("left").unwrap(), None);
    assert_eq!(bench.unit("left").unwrap(), None, "all of it is there");
    let end = bench.carry_out(Budget::default());
    assert!(end.broken.is_empty() && end.stopped.is_none(), "{end:?}");
    assert_eq!(bench.times(), [1; 6]);
    assert_eq!(bench.left(), ["lock", "plan.json", "trees", "units"]);
    let seal = bench.folder.store.seal("right", "two/a").unwrap().unwrap();
    assert_eq!((seal.spent.tokens, seal.trees.len(), seal.files.0.len()), (10, 1, 1));
    assert_eq!(fs::read_dir(bench.dir.path().join("run/trees")).unwrap().count(), 6);
    assert!(matches!(bench.unit("middle"), Err(Error::NoUnit(_))));
}

#[test]
fn a_unit_and_a_run_have_one_process_each() {
    let bench = Bench::new();
    let coordinator = bench.folder.store.coordinate().unwrap();
    assert!(matches!(bench.folder.store.coordinate(), Err(Error::Coordinated(_))));
    // Units need no coordinator, and may be done beside one.
    assert_eq!(bench.unit("left").unwrap(), None);
    drop(coordinator);
    bench.folder.store.coordinate().unwrap();
}

/// Has units done by somebody else who sees the run's folder.
struct Elsewhere<'a>(&'a Bench);

impl Executor for Elsewhere<'_> {
    fn execute(&self, units: &[String], _: &(dyn Fn(&str) + Sync)) {
        // One of them breaks, as the node of a cluster may.
        units.iter().skip(1).for_each(|unit| drop(self.0.unit(unit)));
    }
}

#[test]
fn units_may_be_done_elsewhere_and_what_is_not_done_there_is_not_in_the_store() {
    let bench = Bench::new();
    let coordinator = bench.folder.store.coordinate().unwrap();
    let instrument = Instrument::default();
    let run = bench.engine(&instrument, Budget::default());
    let end = run.carry_out(&coordinator, &Elsewhere(&bench)).unwrap();
    assert!(end.broken.is_empty() && end.stopped.is_none(), "{end:?}");
    let is_done = |unit: &str| bench.folder.store.stage(unit, "two/b").unwrap().is_some();
    assert!(!is_done("left") && is_done("right"));
    drop(coordinator);
    bench.carry_out(Budget::default());
    assert_eq!((bench.times(), is_done("left")), (vec![1; 6], true));
}

#[test]
fn what_has_ended_is_settled_by_whoever_comes_and_is_paid_once() {
    let bench = Bench::new();
    bench.study.unsettled.store(1, Ordering::SeqCst);
    assert!(bench.unit("left").is_err());
    // It counts before it is settled, and once.
    let end = bench.carry_out(Budget::new(Some(1.0), None));
    assert_eq!(end.stopped.as_deref(), Some("$1.00 are spent of a budget of $1.00"));
    assert_eq!(bench.times(), [1], "what has ended is settled without a budget, and nothing else is begun");
    let end = bench.carry_out(Budget::new(Some(6.5), None));
    assert!(end.stopped.is_none() && end.broken.is_empty(), "{end:?}");
    assert_eq!(bench.times(), [1; 6]);
}

#[test]
fn a_seal_of_a_killed_process_is_none_of_the_stages_files() {
    // As a kill leaves it while the seal is written, and between it and the folder's new name.
    for left in ["seal.part", "seal.json"] {
        let bench = Bench::new();
        bench.study.unsettled.store(1, Ordering::SeqCst);
        assert!(bench.unit("left").is_err());
        write(&bench.dir.path().join("run/ended/left/one/files").join(left), b"half a se").unwrap();
        assert_eq!(bench.unit("left").unwrap(), None, "{left}");
        let seal = bench.folder.store.seal("left", "one").unwrap().unwrap();
        assert_eq!(seal.files.0.keys().collect::<Vec<_>>(), ["said"], "{left}");
    }
}

#[test]
fn a_stage_without_answers_is_put_aside_and_given_up_after_five() {
    let bench = Bench::new();
    bench.study.unanswered.store(6, Ordering::SeqCst);
    for attempt in 1..=5 {
        assert!(matches!(bench.unit("left"), Err(Error::Unanswered { .. })), "{attempt}");
        assert_eq!(bench.folder.store.attempts("left", "one").unwrap().len(), attempt);
    }
    let error = bench.unit("left").unwrap_err();
    assert!(matches!(&error, Error::GivenUp { attempts: 5, .. }), "{error}");
    let attempts = bench.dir.path().join("run/attempts/left/one");
    assert!(error.to_string().contains(&attempts.canonicalize().unwrap().display().to_string()), "{error}");
    fs::remove_dir_all(attempts).unwrap();
    assert!(matches!(bench.unit("left"), Err(Error::Unanswered { .. })));
    assert_eq!(bench.unit("left").unwrap(), None);
}

#[test]
fn garbage_is_what_no_stage_names() {
    let bench = Bench::new();
    bench.unit("left").unwrap();
    let run = bench.dir.path().join("run");
    write(&run.join("trees/0123/file"), b"nobody's").unwrap();
    write(&run.join("scratch/x/file"), b"a killed process's").unwrap();
    let temporary = bench.folder.store.temporary().unwrap();
    bench.carry_out(Budget::closed());
    assert!(temporary.path().is_dir() && run.join("scratch/x").exists(), "somebody is at work");
    drop(temporary);
    // As a kill leaves it between a stage and what it was made of.
    let record = r#"{"format": "slopbench.ended/1", "instrument": {}, "spent": {"usd": 9, "tokens": 9}, "attempt": 1}"#;
    write(&run.join("ended/left/one/ended.json"), record.as_bytes()).unwrap();
    fs::create_dir_all(run.join("ended/right/two")).unwrap();
    let end = bench.carry_out(Budget::new(Some(6.5), None));
    assert!(end.stopped.is_none(), "{end:?}");
    assert_eq!(bench.left(), ["lock", "plan.json", "trees", "units"]);
    assert_eq!(fs::read_dir(run.join("trees")).unwrap().count(), 6);
}

#[test]
fn another_plan_study_or_format_is_refused() {
    let bench = Bench::new();
    let run = bench.dir.path().join("run");
    let other = RunFolder::create(&run, Plan::new("counting", "three units".to_owned())).unwrap_err();
    assert!(matches!(other, Error::Occupied { .. }), "{other}");
    let other = RunFolder::<String>::open(&run, "guessing").unwrap_err().to_string();
    assert!(other.ends_with("plan.json: expected study \"guessing\", found \"counting\"; begin a new run"), "{other}");
    let text = fs::read_to_string(run.join("plan.json")).unwrap().replace("slopbench.plan/3", "slopbench.plan/2");
    fs::write(run.join("plan.json"), text).unwrap();
    let other = RunFolder::<String>::open(&run, "counting").unwrap_err();
    assert!(matches!(other, Error::Format { what: "format", .. }), "{other}");
}
