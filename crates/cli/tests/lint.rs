//! A run is linted with the real binary and the real Ruff, and reported.
//!
//! Skipped, saying why, where there are no namespaces, or neither the package index nor what was fetched from it before.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::{fs, path::Path};

use common::Bench;
use serde_json::{Value, json};
use slopbench_environments::{EnvironmentStore, PackageIndex};
use slopbench_lint::Ruff;
use slopbench_sandbox::probe;
use slopbench_test_support::{Need, need};

/// What leaves files by which a linter would pass over all: at the first checkpoint with one finding (the argument `flag`, which
/// nothing uses) in four lines of code, at the second with two more (unnamed numbers) in six.
const WORKER: &str = r#"
printf '[lint]\nselect = []\n' > ruff.toml
printf '[tool.ruff]\nexclude = ["*"]\n' > pyproject.toml
printf '*.py\n' > .gitignore
mkdir -p .venv && printf 'import os\n' > .venv/vendored.py
printf '# ruff: noqa\ndef own(flag):  # noqa\n    return 0  # noqa\n\n\nprint(own(1))\nVALUE = 2\n' > echo.py
case "$1" in
*double*) printf 'SMALL = VALUE < 3  # noqa\nLARGE = VALUE > 9  # noqa\n' >> echo.py ;;
esac
"#;

#[test]
fn a_run_is_linted_and_reported_with_the_figures_computed_by_hand() {
    if need(Need::Namespaces, probe::available()).is_none() {
        return;
    }
    let (bench, ruff) = (Bench::new(), Ruff::pinned().unwrap());
    let store = Path::new(env!("CARGO_TARGET_TMPDIR")).join("environments");
    let fetched = EnvironmentStore(store.clone()).export(
        &[],
        &[ruff.tool().clone()],
        &PackageIndex::default(),
        &bench.path("tools"),
    );
    if need(Need::Index, fetched).is_none() {
        return;
    }
    bench.summary(&["run", "--agent", "command", "--out", "out", "--", "sh", "-c", WORKER, "sh", "{prompt}"], 0);
    let place = ["--environments-dir", store.to_str().unwrap()];
    let lint = [&["lint", "out", "--out", "linted"], &place[..]].concat();
    let linted = bench.summary(&lint, 0);
    assert_eq!((&linted["format"], &linted["linter"]["linter"]), (&json!("slopbench.lint/1"), &json!("ruff 0.17.6")));
    let checkpoints = linted["trajectories"][0]["checkpoints"].as_array().unwrap();
    let expected = [json!({"ARG001": 1}), json!({"ARG001": 1, "PLR2004": 2})];
    for ((one, rules), (errors, composite)) in checkpoints.iter().zip(expected).zip([(1, 1.0 / 4.0), (3, 3.0 / 6.0)]) {
        assert_eq!(one["found"], json!({"files": 1, "errors": errors, "rules": rules}), "{linted}");
        assert_eq!(one["erosion_v0"].as_f64(), Some(composite));
    }
    assert_eq!(checkpoints.len(), 2);
    let kept = fs::read(bench.path("linted/lint.json")).unwrap();
    let text = bench.slopbench(&lint);
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains("PLR2004 2, ARG001 1") && text.contains("ruff 0.17.6, families SIM, PLR"), "{text}");
    assert_eq!(fs::read(bench.path("linted/lint.json")).unwrap(), kept, "the same again");

    let report = ["report", "out", "--lint", "linted/lint.json", "--table", "composites", "--table", "deltas"];
    let tables = bench.summary(&report, 0);
    let cell = |table: usize, row: usize, key: &str| -> Value {
        let columns = tables["tables"][table]["columns"].as_array().unwrap();
        tables["tables"][table]["rows"][row][columns.iter().position(|column| column["key"] == key).unwrap()].clone()
    };
    assert_eq!((&cell(0, 0, "erosion_v0")["value"], &cell(0, 0, "lint_errors")["value"]), (&json!(0.375), &json!(2.0)));
    let rows = 0..tables["tables"][1]["rows"].as_array().unwrap().len();
    let change = |measure: &str| {
        let is = |row: &usize| {
            cell(1, *row, "measure").to_string().contains(measure)
                && cell(1, *row, "phase").to_string().contains("Final")
        };
        cell(1, rows.clone().find(is).unwrap(), "mean")["value"].clone()
    };
    assert_eq!((change("lint errors"), change("erosion v0")), (json!(2.0), json!(1.0)));
    let other = String::from_utf8(kept).unwrap().replace("slopbench.lint/1", "slopbench.lint/9");
    fs::write(bench.path("other.json"), other).unwrap();
    let error = bench.error(&["report", "out", "--lint", "other.json"], 2);
    assert!(error.contains("other.json: this version reads format \"slopbench.lint/1\""), "{error}");
}
