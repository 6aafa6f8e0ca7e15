//! Pages of made-up runs: what they hold, how large they are, and that nothing foreign in them is markup.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::PathBuf;

use serde_json::Value;
use slopbench_analysis::tables::{self, TableDefinition};
use slopbench_page::{PageDocument, PageFigure, PageSettings, PageStudy, html};
use slopbench_synthetic::SyntheticStudy;
use tempfile::TempDir;

const HOSTILE: &str = "</script><img src=x onerror=alert(1)><!-- \\textbf{$x_1}";

fn written(study: &SyntheticStudy) -> (TempDir, Vec<PathBuf>) {
    let dir = tempfile::tempdir().unwrap();
    let runs = study.write(dir.path()).unwrap();
    (dir, runs)
}

fn page(runs: &[PathBuf], settings: &PageSettings<'_>) -> (String, Value) {
    let study = PageStudy::read(runs).unwrap();
    let page = html(&PageDocument::of(&study, settings).unwrap()).unwrap();
    let data = page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
    let data = serde_json::from_str(data).unwrap();
    (page, data)
}

/// Two that cost little: without optimisation, all of them take a minute.
fn tables() -> Vec<&'static TableDefinition> {
    ["growth", "figure-5"].into_iter().filter_map(tables::find).collect()
}

#[test]
fn a_page_holds_what_runs_say_and_nothing_foreign_as_markup() {
    let models = ["synthetic-a", HOSTILE].map(str::to_owned).into();
    let (_dir, runs) = written(&SyntheticStudy { models, repeats: 1, ..SyntheticStudy::small(1) });
    let svg = "<svg xmlns='http://www.w3.org/2000/svg'><style>a{}</style></svg>".to_owned();
    let figures =
        vec![PageFigure { name: "figure-2".to_owned(), title: HOSTILE.to_owned(), svg, csv: HOSTILE.to_owned() }];
    let all = tables();
    let (page, data) = page(&runs, &PageSettings { tables: &all, figures, ..PageSettings::default() });
    let counts = ["<script", "</script", "<img", "<!--"].map(|text| page.matches(text).count());
    assert_eq!(counts, [2, 2, 0, 0], "data and script, and no other element or comment");
    let configurations = data["configurations"].as_array().unwrap();
    assert!(configurations.iter().any(|one| one["setup"]["model"] == HOSTILE), "{configurations:?}");
    assert_eq!((data["format"].as_str().unwrap(), data["synthetic"].as_bool().unwrap()), ("slopbench.page/1", true));
    let (trajectories, details) = (data["trajectories"].as_array().unwrap(), data["details"].as_array().unwrap());
    assert_eq!((trajectories.len(), details.len()), (16, 16));
    for (trajectory, detail) in trajectories.iter().zip(details) {
        let (rows, checkpoints) = (&trajectory["checkpoints"], detail["checkpoints"].as_array().unwrap());
        assert_eq!(rows.as_array().unwrap().len(), checkpoints.len());
        assert!(rows.as_array().unwrap().iter().all(|row| row.as_array().unwrap().len() == 6 + 20));
    }
    // Each of four configurations with each other.
    assert_eq!(data["comparisons"].as_array().unwrap().len(), 6);
    let names: Vec<&str> = data["tables"].as_array().unwrap().iter().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(names, ["runs", "table-1", "growth", "figure-5"], "the overview's first");
}

#[test]
fn ninety_three_checkpoints_without_sources_are_below_three_megabytes() {
    let (_dir, runs) = written(&SyntheticStudy { workspaces: true, ..SyntheticStudy::once(1) });
    let all = tables();
    let (page, data) = page(&runs, &PageSettings { tables: &all, ..PageSettings::default() });
    assert_eq!(data["population"]["planned"], 93);
    assert!(page.len() < 3_000_000, "{} bytes", page.len());
    assert!(!page.contains("items.append(item)"), "sources are left out");
}

#[test]
fn sources_are_marked_as_the_figures_count() {
    let study = SyntheticStudy { checkpoints: vec![3], hazards: false, workspaces: true, ..SyntheticStudy::small(1) };
    let (_dir, runs) = written(&SyntheticStudy { repeats: 1, ..study });
    let (_, data) = page(&runs[..1], &PageSettings { sources: true, ..PageSettings::default() });
    let checkpoint = &data["details"][0]["checkpoints"][1];
    let (code, sources) = (&checkpoint["code"], checkpoint["sources"].as_array().unwrap());
    let lines = |what: &str| -> u64 {
        let spans = sources.iter().flat_map(|file| file[what].as_array().unwrap());
        spans.map(|span| span[1].as_u64().unwrap() - span[0].as_u64().unwrap() + 1).sum()
    };
    assert_eq!(
        (Some(lines("flagged")), Some(lines("clones"))),
        (code["flagged_lines"].as_u64(), code["clone_lines"].as_u64())
    );
    assert!(lines("flagged") > 0 && lines("clones") > 0);
    let diff = checkpoint["diff"].as_str().unwrap();
    assert!(diff.contains("--- a/parts.py\n+++ b/parts.py") && diff.contains("\n+def part_4(value):"), "{diff}");
    assert_eq!(checkpoint["steps"]["steps"].as_array().unwrap().len(), 4);
}

#[test]
fn one_checkpoint_and_one_configuration_make_a_page() {
    let study = SyntheticStudy { checkpoints: vec![1], hazards: false, ..SyntheticStudy::once(1) };
    let (_dir, runs) = written(&study);
    let all = tables();
    let (_, data) = page(&runs, &PageSettings { tables: &all, ..PageSettings::default() });
    assert_eq!((data["trajectories"].as_array().unwrap().len(), data["comparisons"].as_array().unwrap().len()), (1, 0));
}

#[test]
fn many_configurations_are_compared_with_the_best_alone() {
    let models = (1..=9).map(|number| format!("synthetic-{number}")).collect();
    let prompts = vec!["just-solve".to_owned()];
    let study = SyntheticStudy { models, prompts, checkpoints: vec![3; 2], repeats: 1, ..SyntheticStudy::small(1) };
    let (_dir, runs) = written(&study);
    let (_, data) = page(&runs, &PageSettings::default());
    assert_eq!(data["comparisons"].as_array().unwrap().len(), 8);
}

#[test]
fn the_same_runs_make_the_same_bytes() {
    let (_dir, runs) = written(&SyntheticStudy { repeats: 1, ..SyntheticStudy::small(2) });
    assert_eq!(page(&runs, &PageSettings::default()).0, page(&runs, &PageSettings::default()).0);
}
