//! What the authors' blog has, and made-up studies have not: a judge's flags, and several reasoning efforts. Computed by hand.

use slopbench_analysis::{Cell, Error, ResultTable, RunSet, Statistic, tables};
use slopbench_slopcode::run::{RunLint, RunRubric};
use slopbench_synthetic::SyntheticStudy;

use crate::support::written;

/// One problem of three checkpoints, done twice.
fn study() -> RunSet {
    let study = SyntheticStudy {
        models: vec!["synthetic".to_owned()],
        checkpoints: vec![3],
        prompts: vec!["just-solve".to_owned()],
        repeats: 2,
        hazards: false,
        ..SyntheticStudy::small(3)
    };
    written(&study).set
}

fn table(set: &RunSet, name: &str) -> ResultTable {
    tables::find(name).unwrap().of(set).unwrap()
}

/// Value, number and what is missing.
fn figure(table: &ResultTable, row: usize, key: &str) -> (f64, usize, usize) {
    match table.cell(row, key) {
        Some(Cell::Figure(Statistic { value, n, missing, .. })) => (*value, *n, *missing),
        other => panic!("{key} of row {row}: {other:?}"),
    }
}

fn row_of(table: &ResultTable, words: &[(&str, &str)]) -> usize {
    let is = |row: &usize| words.iter().all(|(key, word)| table.cell(*row, key) == Some(&Cell::text(*word)));
    (0..table.rows.len()).find(is).unwrap_or_else(|| panic!("{words:?}: {table:?}"))
}

/// Flags of the criteria `dead-definition` (verbosity) and `function-of-many-duties` (erosion), and whether all was judged.
fn checkpoint(number: u32, new: [usize; 2], carried: [usize; 2], lines: u64, whole: bool) -> serde_json::Value {
    let flags = |counts: [usize; 2]| -> Vec<_> {
        let of = |(criterion, count): (&str, usize)| {
            (0..count)
                .map(move |at| {
                    let flag =
                        serde_json::json!({"criterion": criterion, "first": at + 1, "last": at + 1, "why": "By hand."});
                    serde_json::json!({"path": "a.py", "flag": flag})
                })
                .collect::<Vec<_>>()
        };
        ["dead-definition", "function-of-many-duties"].into_iter().zip(counts).flat_map(of).collect()
    };
    let reason = serde_json::to_value(slopbench_judge::NotJudged::Silent).unwrap();
    let not_judged =
        if whole { vec![] } else { vec![serde_json::json!({"path": "b.py", "lines": 3, "reason": reason})] };
    serde_json::json!({
        "checkpoint": number, "verbosity": new[0] + carried[0], "erosion": new[1] + carried[1],
        "verbosity_v0": whole.then_some(0.5),
        "flags": {"new": flags(new), "carried": flags(carried), "beside": [], "not_judged": not_judged, "changed_lines": lines},
        "attempts": {"total": 0, "named": []},
    })
}

/// The first repeat is judged whole: 2 new flags, then 3 with 1 carried, then 1 with 3. Of the second, a part of its second checkpoint is
/// not judged: its new flags are not known, nor what its third one carries.
fn rubric(set: &RunSet) -> RunRubric {
    let mut ids: Vec<_> = set.rows.iter().map(|row| row.trajectory.clone()).collect();
    ids.dedup();
    let judged = serde_json::json!({
        "format": "slopbench.run-rubric/2", "plan": set.runs[0].plan, "judge": null, "standing": "By hand.",
        "trajectories": [
            {"id": ids[0], "checkpoints": [
                checkpoint(1, [1, 1], [0, 0], 10, true),
                checkpoint(2, [3, 0], [0, 1], 20, true),
                checkpoint(3, [0, 1], [3, 0], 0, true),
            ]},
            {"id": ids[1], "checkpoints": [
                checkpoint(1, [4, 0], [0, 0], 10, true),
                checkpoint(2, [9, 9], [2, 0], 20, false),
                checkpoint(3, [2, 0], [5, 0], 8, true),
            ]},
        ],
    });
    serde_json::from_value(judged).unwrap()
}

#[test]
fn new_and_carried_flags_and_their_changes_are_those_computed_by_hand() {
    let mut set = study();
    assert!(table(&set, "flags").rows.is_empty(), "nobody was asked");
    let rubric = rubric(&set);
    set.add_rubric(&rubric).unwrap();
    let flags = table(&set, "flags");
    let [start, early, last] = ["Start", "Early", "Final"].map(|phase| row_of(&flags, &[("phase", phase)]));
    // Means of the two repeats, how many they are of, and how many are missing.
    for (row, key, expected) in [
        (start, "new_verbosity", (2.5, 2, 0)),
        (start, "new_erosion", (0.5, 2, 0)),
        (start, "carried_verbosity", (0.0, 2, 0)),
        (start, "new_per_changed_line", (0.3, 2, 0)),
        (early, "new_verbosity", (3.0, 1, 1)),
        (early, "carried_verbosity", (1.0, 2, 0)),
        (early, "carried_erosion", (0.5, 2, 0)),
        (early, "new_per_changed_line", (0.15, 1, 1)),
        (early, "new_change", (0.5, 1, 1)),
        (early, "all_change", (1.0, 1, 1)),
        (last, "new_verbosity", (1.0, 2, 0)),
        (last, "carried_verbosity", (3.0, 1, 1)),
        // Of no changed line there is no share; of the other repeat, 2 of 8.
        (last, "new_per_changed_line", (0.25, 1, 1)),
        (last, "new_change", (-2.0 / 3.0, 1, 1)),
        (last, "all_change", (0.0, 1, 1)),
    ] {
        let (value, n, missing) = figure(&flags, row, key);
        assert!(
            (value - expected.0).abs() < 1e-12 && (n, missing) == (expected.1, expected.2),
            "{key} {row}: {value} {n} {missing}"
        );
    }
    // The composite is that of the file: of the second repeat's second checkpoint there is none.
    let composites = table(&set, "composites");
    assert_eq!(figure(&composites, 0, "verbosity_v0"), (0.5, 5, 1));
    assert!(matches!(composites.cell(0, "erosion_v0"), Some(Cell::Absent { .. })));
}

/// Of the first repeat 4, 6 and 3 errors; of the second 0 and 5, and one checkpoint that was not read.
fn lint(set: &RunSet) -> RunLint {
    let mut ids: Vec<_> = set.rows.iter().map(|row| row.trajectory.clone()).collect();
    ids.dedup();
    let one = |number: usize, errors: Option<u64>| {
        let rules = errors.filter(|errors| *errors > 0).map(|errors| serde_json::json!({"SIM102": errors}));
        let found = errors.map(
            |errors| serde_json::json!({"files": 1, "errors": errors, "rules": rules.unwrap_or(serde_json::json!({}))}),
        );
        serde_json::json!({
            "checkpoint": number + 1, "found": found, "absent": errors.is_none().then_some("By hand."),
            "erosion_v0": errors.map(|errors| errors as f64 / 8.0),
        })
    };
    let trajectory = |id: &String, errors: [Option<u64>; 3]| {
        let checkpoints: Vec<_> = errors.into_iter().enumerate().map(|(number, errors)| one(number, errors)).collect();
        serde_json::json!({"id": id, "checkpoints": checkpoints})
    };
    let linter = serde_json::json!({"linter": "ruff 0", "wheel": "sha256:0", "families": ["SIM"], "target": "py314"});
    let linted = serde_json::json!({
        "format": "slopbench.lint/1", "plan": set.runs[0].plan, "linter": linter,
        "trajectories": [
            trajectory(&ids[0], [Some(4), Some(6), Some(3)]),
            trajectory(&ids[1], [Some(0), None, Some(5)]),
        ],
    });
    serde_json::from_value(linted).unwrap()
}

#[test]
fn lint_errors_and_their_changes_are_those_computed_by_hand() {
    let mut set = study();
    let of_lint = |table: &ResultTable| {
        (0..table.rows.len()).any(|row| table.cell(row, "measure") == Some(&Cell::text("lint errors")))
    };
    assert!(!of_lint(&table(&set, "deltas")), "nothing was linted");
    let lint = lint(&set);
    set.add_lint(&lint).unwrap();
    let composites = table(&set, "composites");
    // Means of the checkpoints that were read, never with a 0 for the one that was not.
    assert_eq!(figure(&composites, 0, "lint_errors"), (3.6, 5, 1));
    assert!((figure(&composites, 0, "erosion_v0").0 - 3.6 / 8.0).abs() < 1e-12);
    assert!(matches!(composites.cell(0, "verbosity_v0"), Some(Cell::Absent { .. })));
    let deltas = table(&set, "deltas");
    // 4 to 6, and 0 to what is not known; 6 to 3, and what is not known to 5.
    for (phase, expected) in [("Early", (0.5, 1, 1)), ("Final", (-0.5, 1, 1))] {
        for measure in ["lint errors", "erosion v0"] {
            let row = row_of(&deltas, &[("measure", measure), ("phase", phase)]);
            assert_eq!(figure(&deltas, row, "mean"), expected, "{measure} {phase}");
        }
    }
    assert!(composites.notes.iter().any(|note| note == "Lint errors: ruff 0 for py314, SIM."), "{composites:?}");
    let mut of_another = lint.clone();
    of_another.linter.wheel = "sha256:1".to_owned();
    set.clone().add_lint(&of_another).unwrap();
    of_another.linter.linter = "ruff 1".to_owned();
    let error = set.clone().add_lint(&of_another).unwrap_err().to_string();
    assert!(error.contains("by ruff 0 for py314, SIM and by ruff 1 for py314, SIM"), "{error}");
    let mut unread = lint.clone();
    let checkpoints = unread.trajectories.iter_mut().flat_map(|one| &mut one.checkpoints);
    checkpoints.for_each(|one| (one.found, one.absent, one.erosion_v0) = (None, Some("By hand.".to_owned()), None));
    let mut of_unread = study();
    of_unread.add_lint(&unread).unwrap();
    let composites = table(&of_unread, "composites");
    let Some(Cell::Absent { absent }) = composites.cell(0, "erosion_v0") else { panic!("{composites:?}") };
    assert!(absent.starts_with("the linter did not read"), "{absent}");
    let other = RunLint { plan: "sha256:0".to_owned(), ..lint };
    let error = set.add_lint(&other).unwrap_err().to_string();
    assert!(error.starts_with("0 of these runs have the plan sha256:0") && error.contains("--lint"), "{error}");
}

#[test]
fn a_rubric_of_no_run_or_of_two_is_refused() {
    let mut set = study();
    let rubric = rubric(&set);
    let other = RunRubric { plan: "sha256:0".to_owned(), ..rubric.clone() };
    assert!(matches!(set.add_rubric(&other), Err(Error::OtherRun { found: 0, .. })));
    set.runs.push(set.runs[0].clone());
    assert!(matches!(set.add_rubric(&rubric), Err(Error::OtherRun { found: 2, .. })));
}

#[test]
fn efforts_stand_side_by_side_the_least_first() {
    let mut set = study();
    assert!(table(&set, "efforts").rows.is_empty(), "there is one effort");
    let high = set.rows.clone();
    let low = high.iter().cloned().map(|mut row| {
        row.configuration.reasoning = "low".to_owned();
        row.trajectory += "-low";
        row.cost_usd = row.cost_usd.map(|cost| cost / 2.0);
        row
    });
    set.rows.extend(low);
    let efforts = table(&set, "efforts");
    let words = |key: &str| -> Vec<_> {
        (0..efforts.rows.len()).filter_map(|row| efforts.cell(row, key).map(|cell| format!("{cell:?}"))).collect()
    };
    let text = |word: &str| format!("{:?}", Cell::text(word));
    assert_eq!(words("effort"), ["low", "high", "low", "high"].map(text));
    let problem = high[0].problem.as_str();
    assert_eq!(words("problem"), ["all", "all", problem, problem].map(text));
    let rate = |trajectory: &str| {
        let rates: Vec<f64> = high
            .iter()
            .filter(|row| row.trajectory == trajectory)
            .filter_map(|row| row.rates.as_ref().map(|rates| rates.strict))
            .collect();
        rates.iter().sum::<f64>() / rates.len() as f64
    };
    let expected = (rate(&high[0].trajectory) + rate(&high[3].trajectory)) / 2.0;
    let (value, n, missing) = figure(&efforts, 0, "pass_rate");
    assert!((value - expected).abs() < 1e-12 && (n, missing) == (2, 0), "{value} {n} {missing}, not {expected}");
    let [low, high] = [0, 1].map(|row| figure(&efforts, row, "cost_usd").0);
    assert!((low * 2.0 - high).abs() < 1e-12, "{low} {high}");
}
