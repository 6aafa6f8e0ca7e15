//! Pages of made-up runs: what they hold, how large they are, and that nothing foreign in them is markup.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::PathBuf;

use serde_json::Value;
use slopbench_analysis::{
    Cell, Population, ResultTable, RunOrigin,
    table::{ResultColumn, Unit},
    tables::{self, ResultDocument, TableDefinition},
};
use slopbench_page::{PageDocument, PageFigure, PageSettings, PageStudy, StudyDocument, html, study_html};
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
    let data = data(&page);
    (page, data)
}

/// What the page's script reads.
fn data(page: &str) -> Value {
    let data = page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
    serde_json::from_str(data).unwrap()
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

/// A study of another sort: whatever its tasks, platforms and runs are called, they are text.
#[test]
fn the_page_of_a_study_holds_its_tables_and_figures_and_nothing_foreign_as_markup() {
    let columns = vec![ResultColumn::new("task", "task", Unit::Text), ResultColumn::new("mcf", "MCF", Unit::Fraction)];
    let rows = vec![vec![Cell::text(HOSTILE), Cell::Number(2.5)], vec![Cell::text("b"), Cell::absent(HOSTILE)]];
    let (name, title, source) = ("slump-table-3".to_owned(), "Faithfulness".to_owned(), "SLUMP, Table 3".to_owned());
    let population = Population { runs: 1, trajectories: 2, ..Population::default() };
    let notes = vec![HOSTILE.to_owned()];
    let table = ResultTable { name, title, source, synthetic: false, population, columns, rows, notes: notes.clone() };
    let run = RunOrigin {
        name: HOSTILE.to_owned(),
        plan: String::new(),
        synthetic: None,
        tool: None,
        linter: None,
        accepted_differences: Vec::new(),
    };
    let format = "slopbench.report/1".to_owned();
    let results = ResultDocument { format, synthetic: false, runs: vec![run], tables: vec![table] };
    let svg = "<svg xmlns='http://www.w3.org/2000/svg'><style>b{}</style></svg>".to_owned();
    let figure = PageFigure { name: "slump-figure-2".to_owned(), title: HOSTILE.to_owned(), svg, csv: String::new() };
    let page = study_html(&StudyDocument::of("A study", notes, &results, vec![figure]).unwrap()).unwrap();
    let counts = ["<script", "</script", "<img", "<!--"].map(|text| page.matches(text).count());
    assert_eq!(counts, [2, 2, 0, 0], "data and script, and no other element or comment");
    let data = data(&page);
    assert_eq!((&data["format"], &data["notes"][0]), (&"slopbench.study-page/1".into(), &HOSTILE.into()));
    let cells: Vec<_> = data["tables"][0]["rows"].as_array().unwrap().iter().map(|row| row[1]["t"].clone()).collect();
    assert_eq!((cells, &data["tables"][0]["rows"][0][0]["t"]), (vec!["2.500".into(), "–".into()], &HOSTILE.into()));
    let (policy, style) = (page.split_once("script-src").unwrap().1, "base-uri 'none'");
    let policy = policy.split_once(style).unwrap().0;
    assert_eq!(policy.matches("'sha256-").count(), 3, "the script, the style, and the figure's own style");
    assert!(policy.contains("connect-src 'none'"));
    // Each view that the script names is there: what runs of checkpoints alone have is not.
    let views = page.matches("show: ").count();
    assert_eq!(views, 3);
    assert!(["function study()", "function tablesView(", "function figures()"].iter().all(|one| page.contains(one)));
}
