//! The pinned Ruff itself, in a session.
//!
//! Skipped, saying why, where there are no namespaces, or neither the package index nor what was fetched from it before.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use slopbench_environments::{EnvironmentStore, Environments, PackageIndex};
use slopbench_lint::{LintFindings, LintOutcome, Ruff};
use slopbench_sandbox::{Runtime, probe, session::System};
use slopbench_test_support::{Need, need};
use tempfile::TempDir;

/// By hand: an import that nothing uses, a flag, an unnamed 7, and two ifs that are one.
const CHOOSE: &str = "import os


def choose(value, flag=False):
    if value > 7:
        if flag:
            return 1
    return 0
";

/// By hand: an argument that nothing uses, a global statement, a handler of everything, and one that does nothing.
const STATE: &str = "COUNT = 0


def bump(step, unused):
    global COUNT
    try:
        COUNT += step
    except Exception:
        pass
";

/// Each of these once.
const EXPECTED: [&str; 8] = ["ARG001", "BLE001", "F401", "FBT002", "PLR2004", "PLW0603", "SIM102", "SIM105"];

struct Room {
    ruff: Ruff,
    environments: Environments<'static>,
    _exported: TempDir,
}

impl Room {
    fn new() -> Option<Self> {
        need(Need::Namespaces, probe::available())?;
        let (ruff, exported) = (Ruff::pinned().unwrap(), tempfile::tempdir().unwrap());
        let store = EnvironmentStore(Path::new(env!("CARGO_TARGET_TMPDIR")).join("environments"));
        let index = PackageIndex::default();
        let wheels = need(Need::Index, store.export(&[], &[ruff.tool().clone()], &index, exported.path()))?;
        assert_eq!(wheels, 2, "the resolver, and the linter");
        let system = System::Machine(Runtime::python3().unwrap());
        // It is there now: no index is asked again.
        let nowhere = PackageIndex { variables: vec![("PIP_NO_INDEX".into(), "1".into())] };
        let environments = Environments::new(store, system, Vec::new(), nowhere, &|_| ());
        Some(Self { ruff, environments, _exported: exported })
    }

    fn lint(&self, files: &[(&str, &str)]) -> LintOutcome {
        let files: BTreeMap<_, _> = files.iter().map(|(path, text)| ((*path).into(), (*text).into())).collect();
        self.ruff.lint(&self.environments, &files).unwrap()
    }
}

fn found(files: u64, rules: &[&str]) -> LintOutcome {
    let rules: BTreeMap<_, _> = rules.iter().map(|rule| ((*rule).to_owned(), 1)).collect();
    LintOutcome::Found(LintFindings { files, errors: rules.len() as u64, rules, ..LintFindings::default() })
}

/// `text` with every comment that has linters pass over it.
fn silenced(text: &str) -> String {
    let head =
        "# ruff: noqa\n# flake8: noqa\n# ruff: file-ignore[F401, SIM102]\n# ruff: disable[F401, ARG001, BLE001]\n";
    let lines = text.lines().map(|line| match line.is_empty() {
        true => "\n".to_owned(),
        false => format!("{line}  # noqa # ruff: ignore[F401, SIM102, SIM105, FBT002]\n"),
    });
    head.to_owned() + &lines.collect::<String>()
}

#[test]
fn findings_are_those_counted_by_hand_whatever_the_files_say_of_themselves() {
    let Some(room) = Room::new() else { return };
    assert_eq!(room.lint(&[("app.py", CHOOSE), ("pkg/state.py", STATE)]), found(2, &EXPECTED));
    let quiet = [CHOOSE, STATE].map(silenced);
    // In folders that Ruff passes over by itself, too, and beside configuration that would quiet it.
    let files = [
        ("node_modules/app.py", quiet[0].as_str()),
        (".hidden/build/new\nline.py", quiet[1].as_str()),
        ("ruff.toml", "# lint.select = []"),
        (".gitignore", "# node_modules"),
    ];
    assert_eq!(room.lint(&files), found(4, &EXPECTED));
    assert_eq!(room.lint(&[]), found(0, &[]));
    assert_eq!(room.lint(&[("new.py", "type Pair[T] = tuple[T, T]\n")]), found(1, &[]), "the newest syntax is read");
    // What Python's own parser accepts, too: its compiler does not.
    for bad in ["def f(:\n", "def f(a, a):\n    pass\n"] {
        let LintOutcome::Found(some) = room.lint(&[("app.py", CHOOSE), ("bad.py", bad)]) else { panic!("no count") };
        let of_the_other = room.lint(&[("app.py", CHOOSE)]);
        assert_eq!(some.unparsed, ["bad.py".to_owned()].into());
        assert_eq!(LintOutcome::Found(LintFindings { unparsed: BTreeSet::new(), ..some }), of_the_other);
    }
}
