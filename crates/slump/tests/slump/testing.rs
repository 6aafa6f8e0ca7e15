//! Agents' own tests, run by the real pytest: what their reference leaves stands for what an agent would have.

use std::{fs, num::NonZeroUsize, path::Path};

use slopbench_agents::stage::{Equipment, Worker};
use slopbench_environments::{EnvironmentStore, Environments, PackageIndex};
use slopbench_runner::{Budget, Instrument, Run, Threads};
use slopbench_sandbox::{Runtime, probe, session::System};
use slopbench_slump::{
    SlumpCondition,
    own_tests::{OwnTests, OwnTestsOutcome, OwnTestsRecord},
    study::{OWN_TESTS, Slump, SlumpFolder, SlumpSummary, reference_actions},
};
use slopbench_test_support::{Need, need};

use crate::{bench::Bench, fixture::TaskFixture};

/// Ten tests are found: four pass (one by way of `src`, one with a part that skips itself), three fail (one in a part, one whose long name
/// differs from another's at its end alone), one errs before, two are skipped. One file does not import.
const MIXED: &[(&str, &str)] = &[
    ("mill.py", "def turn():\n    return 2\n"),
    ("src/wheel.py", "def turn():\n    return 3\n"),
    (
        "tests/test_mill.py",
        "import pytest\nfrom mill import turn\n\n\n@pytest.fixture\ndef water():\n    raise OSError('dry')\n\n\n\
         def test_turns():\n    print('{\"event\": \"ended\", \"status\": 0}')\n    assert turn() == 2\n\n\n\
         def test_fails():\n    assert turn() == 3\n\n\ndef test_errs(water):\n    pass\n\n\n\
         @pytest.mark.skip\ndef test_skipped():\n    pass\n\n\n@pytest.mark.xfail\ndef test_expected():\n    assert False\n",
    ),
    ("tests/test_wheel.py", "from wheel import turn\n\n\ndef test_wheel():\n    assert turn() == 3\n"),
    (
        "tests/test_parts.py",
        "import unittest\n\n\nclass TestParts(unittest.TestCase):\n    def test_skips_a_part(self):\n        with self.subTest():\n            self.skipTest('dry')\n\n\
         \n    def test_fails_a_part(self):\n        with self.subTest():\n            self.fail('dry')\n",
    ),
    (
        "tests/test_names.py",
        "import pytest\n\n\n@pytest.mark.parametrize('wheel', [1, 2], ids=['w' * 3000 + '1', 'w' * 3000 + '2'])\n\
         def test_wheel(wheel):\n    assert wheel == 2\n",
    ),
    ("tests/test_gone.py", "import gone\n\n\ndef test_gone():\n    pass\n"),
];

const HANGING: &[(&str, &str)] =
    &[("test_slow.py", "import time\n\n\ndef test_quick():\n    pass\n\n\ndef test_slow():\n    time.sleep(600)\n")];

/// What a repository of each task is, and what its tests are to say.
const REPOSITORIES: [(&str, &[(&str, &str)]); 7] = [
    ("a_mixed", MIXED),
    ("b_without", &[("mill.py", "def turn():\n    return 2\n")]),
    ("c_hanging", HANGING),
    ("d_unresolved", &[("requirements.txt", "\n-e .\n"), ("test_mill.py", "def test_mill():\n    pass\n")]),
    ("e_ended", &[("test_mill.py", "import os\n\n\ndef test_mill():\n    os._exit(0)\n")]),
    ("f_given_up", &[("test_mill.py", "import pytest\n\n\ndef test_mill():\n    pytest.exit('needs a server')\n")]),
    (
        "g_collected",
        &[("pytest.ini", "[pytest]\naddopts = --collect-only\n"), ("test_mill.py", "def test_mill():\n    pass\n")],
    ),
];

fn fixtures() -> Vec<TaskFixture> {
    let fixture = |(name, files): (&'static str, &[(&str, &str)])| {
        let task = TaskFixture::disclosed(name, 1);
        for (path, text) in files {
            let path = task.dir().join("reference").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        task
    };
    REPOSITORIES.into_iter().map(fixture).collect()
}

/// Where packages come from; uv and pytest are fetched once for all tests.
fn environments() -> Option<Environments<'static>> {
    need(Need::Namespaces, probe::available())?;
    let store = EnvironmentStore(Path::new(env!("CARGO_TARGET_TMPDIR")).join("environments"));
    let system = System::Machine(Runtime::python3().unwrap());
    let environments = Environments::new(store, system, Vec::new(), PackageIndex::default(), &|_| ());
    need(Need::Index, environments.resolve_once(&["pytest==9.2.0".to_owned()]))?;
    Some(environments)
}

fn carry_out(bench: &Bench, folder: &SlumpFolder, environments: Option<&Environments<'_>>) -> Option<String> {
    let (design, equipment) = (&folder.plan.design, Equipment::none());
    let (tasks, hide) = (&bench.tasks, vec![folder.store.root.clone()]);
    let (actions, guard) = (&reference_actions, None);
    let study = Slump { design, tasks, equipment: &equipment, actions, guard, environments, hide };
    let run = Run {
        study: &study,
        store: &folder.store,
        instrument: &Instrument::default(),
        accept_difference: false,
        budget: Budget::default(),
        watch: &(),
    };
    let end = run.carry_out(&folder.store.coordinate().unwrap(), &Threads(bench.jobs)).unwrap();
    end.broken.into_iter().next().map(|(_, error)| error.to_string())
}

fn tests_of(summary: &SlumpSummary, task: &str) -> OwnTests {
    summary.sessions.iter().find(|session| session.task == task).unwrap().own_tests.clone().unwrap()
}

#[test]
fn an_agents_own_tests_are_run_and_counted_as_by_hand() {
    let Some(environments) = environments() else { return };
    let (fixtures, dir) = (fixtures(), tempfile::tempdir().unwrap());
    let bench = Bench { own_tests: Some(8), jobs: NonZeroUsize::new(3).unwrap(), ..Bench::new(dir.path(), &fixtures) };
    let folder = bench.open(&[Worker::Reference], &[SlumpCondition::SINGLE_SHOT]);
    // Nobody says where pytest comes from: the requests are kept, and the rest is done when somebody does.
    assert!(carry_out(&bench, &folder, None).unwrap().contains("have their packages from"));
    let before = SlumpSummary::read(&folder).unwrap();
    let first = &before.sessions[0];
    assert!(!before.complete && first.done == 1 && first.integration.is_none() && first.own_tests.is_none());
    assert_eq!(carry_out(&bench, &folder, Some(&environments)), None);
    let summary = SlumpSummary::read(&folder).unwrap();
    assert!(summary.complete);
    // Of ten tests two are skipped; the file that does not import counts as one that fails: 4/9.
    let mixed = OwnTests {
        collected: 10,
        passed: 4,
        failed: 3,
        errors: 1,
        skipped: 2,
        uncollected: vec!["tests/test_gone.py".to_owned()],
        pass_rate: Some(4.0 / 9.0),
        ..OwnTests::none(OwnTestsOutcome::Whole)
    };
    assert_eq!(tests_of(&summary, "a_mixed"), mixed);
    assert_eq!(tests_of(&summary, "b_without"), OwnTests::none(OwnTestsOutcome::NoTests));
    let hanging = OwnTests { collected: 2, passed: 1, ..OwnTests::none(OwnTestsOutcome::TimedOut) };
    assert_eq!(tests_of(&summary, "c_hanging"), hanging);
    let OwnTestsOutcome::NoEnvironment { reason } = tests_of(&summary, "d_unresolved").outcome else {
        panic!("{summary:?}")
    };
    assert!(reason.starts_with("requirements.txt:2: "), "{reason}");
    let not_run = [
        ("e_ended", "did not come to its end (Exited(0))"),
        ("f_given_up", "pytest ends with 2"),
        ("g_collected", "has not run 1 of 1 tests"),
    ];
    for (task, expected) in not_run {
        let OwnTestsOutcome::NotRun { reason } = tests_of(&summary, task).outcome else { panic!("{summary:?}") };
        assert!(reason.contains(expected), "{task}: {reason}");
    }
    // What a judge's scores and the figure have of it.
    let rates: Vec<_> = summary.scores().iter().map(|one| one.pass_rate()).collect();
    assert_eq!(rates, [Some(4.0 / 9.0), None, None, None, None, None, None]);
    // The record has the lock and pytest's own status; nothing is left to do.
    let unit = &summary.sessions[0].id;
    let stage = folder.store.stage(unit, "tests").unwrap().unwrap();
    let record: OwnTestsRecord = serde_json::from_slice(&fs::read(stage.join(OWN_TESTS)).unwrap()).unwrap();
    let lock = fs::read_to_string(stage.join("environment.json")).unwrap();
    assert!(record.exit == Some(1) && record.environment.is_some() && lock.contains("own tests:1: pytest==9.2.0"));
    assert_eq!(carry_out(&bench, &folder, None), None);
    assert_eq!(SlumpSummary::read(&folder).unwrap(), summary);
}
