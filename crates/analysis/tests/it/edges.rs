//! No runs, one checkpoint, failures alone, no code, files that are not whole, many trajectories.

use std::{fs, time::Instant};

use slopbench_analysis::{
    Cell, Error, Population, RunSet, TABLES,
    columns::{COLUMNS, ColumnValues},
    tables::PUBLISHED,
};
use slopbench_synthetic::SyntheticStudy;

use crate::support::{everything, written};

/// Every table is made, and no figure in it is anything but a number.
fn assert_sensible(set: &RunSet) {
    for definition in TABLES.iter().chain(PUBLISHED) {
        let table = definition.of(set).unwrap();
        for row in &table.rows {
            assert_eq!(row.len(), table.columns.len(), "{}", table.name);
            for cell in row {
                let numbers = match cell {
                    Cell::Figure(of) => vec![Some(of.value), of.sd, of.low, of.high],
                    other => vec![other.value()],
                };
                assert!(numbers.into_iter().flatten().all(f64::is_finite), "{}: {cell:?}", table.name);
            }
        }
        let json = serde_json::to_string(&table).unwrap();
        assert_eq!(serde_json::from_str::<slopbench_analysis::ResultTable>(&json).unwrap(), table);
    }
    for column in COLUMNS {
        let ColumnValues::Real(of) = column.values else { continue };
        assert!(set.rows.iter().filter_map(of).all(f64::is_finite), "{}", column.name);
    }
}

#[test]
fn of_no_runs_there_are_tables_without_figures() {
    let set = RunSet::default();
    assert_sensible(&set);
    assert_eq!(Population::of(&set.rows).planned, 0);
}

#[test]
fn one_checkpoint_has_no_phase_and_no_spread() {
    let study = SyntheticStudy {
        models: vec!["synthetic".to_owned()],
        checkpoints: vec![1],
        prompts: vec!["just-solve".to_owned()],
        repeats: 1,
        hazards: false,
        ..SyntheticStudy::small(1)
    };
    let study = written(&study);
    assert_eq!((study.set.rows.len(), study.set.rows[0].phase), (1, None));
    assert_sensible(&study.set);
    let table = slopbench_analysis::tables::find("table-1").unwrap().of(&study.set).unwrap();
    let Some(Cell::Figure(erosion)) = table.cell(0, "erosion") else { panic!("{table:?}") };
    assert_eq!((erosion.n, erosion.sd, erosion.low), (1, None, None));
}

#[test]
fn failures_and_code_without_a_line_are_not_taken_for_figures() {
    let mut study = written(&everything());
    assert_sensible(&study.set);
    for row in &mut study.set.rows {
        (row.produced, row.code, row.cost_usd, row.minutes) = (false, None, None, None);
    }
    assert_sensible(&study.set);
    let table = slopbench_analysis::tables::find("table-1").unwrap().of(&study.set).unwrap();
    for key in ["strict", "erosion", "cost_usd", "minutes"] {
        assert!(matches!(table.cell(0, key), Some(Cell::Absent { .. })), "{key}: {:?}", table.cell(0, key));
    }
    let empty =
        written(&everything()).set.rows.into_iter().find(|row| row.code.as_ref().is_some_and(|code| code.loc == 0));
    let empty = RunSet { rows: vec![empty.unwrap()], runs: Vec::new() };
    assert_sensible(&empty);
}

#[test]
fn what_says_nothing_of_the_agent_is_counted_apart() {
    let set = written(&everything()).set;
    let of = Population::of(&set.rows);
    assert!(of.infrastructure > 0 && of.pending > 0 && of.withheld > 0, "{of:?}");
    assert_eq!(of.planned, of.graded + of.pending + of.infrastructure);
    assert!(of.produced < of.graded, "{of:?}");
    assert!(set.is_synthetic() && set.rows.iter().all(|row| row.synthetic));
}

#[test]
fn files_that_are_not_whole_or_newer_are_refused_by_name() {
    let study = written(&SyntheticStudy { hazards: false, ..SyntheticStudy::small(1) });
    let run = &study.runs[0];
    let unit = run.join("units/synthetic_01--synthetic-0--model-0--prompt-0--1/checkpoint_1");
    let quality = unit.join("grade/quality.json");
    let whole = fs::read(&quality).unwrap();
    let said = |run: &std::path::Path| RunSet::read(&[run]).unwrap_err().to_string();
    fs::write(&quality, &whole[..whole.len() / 2]).unwrap();
    assert!(said(run).contains("checkpoint_1/grade/quality.json: the file was changed"), "{}", said(run));
    fs::write(&quality, whole).unwrap();
    let seal = unit.join("session/seal.json");
    let bytes = fs::read(&seal).unwrap();
    fs::write(&seal, &bytes[..10]).unwrap();
    assert!(said(run).contains("session/seal.json"), "{}", said(run));
    fs::write(&seal, bytes).unwrap();
    let plan = fs::read_to_string(run.join("plan.json")).unwrap();
    fs::write(run.join("plan.json"), plan.replace("slopbench.plan/3", "slopbench.plan/99")).unwrap();
    assert!(said(run).contains("found \"slopbench.plan/99\""), "{}", said(run));
    assert!(said(study.dir.path()).contains("is no run's folder"));
    let twice = RunSet::read(&[&study.runs[1], &study.runs[1]]);
    assert!(matches!(twice, Err(Error::Twice { .. })));
}

/// Ten thousand trajectories of five checkpoints, as rows.
#[test]
fn ten_thousand_trajectories_are_no_matter() {
    let study = SyntheticStudy { checkpoints: vec![5; 4], repeats: 2, ..SyntheticStudy::small(3) };
    let set = written(&study).set;
    let copies = 10_000 * 5 / set.rows.len() + 1;
    let copied = (0..copies).flat_map(|copy| {
        set.rows.iter().cloned().map(move |mut row| {
            row.run = format!("{} {copy}", row.run);
            row
        })
    });
    let many = RunSet { rows: copied.collect(), runs: set.runs.clone() };
    assert!(Population::of(&many.rows).trajectories >= 10_000);
    let began = Instant::now();
    assert_sensible(&many);
    // In a debug build on a busy machine; what is quadratic takes minutes.
    assert!(began.elapsed().as_secs() < 120, "{:?}", began.elapsed());
}
