//! Reports and comparisons of made-up runs, with the real binary.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::{fs, path::PathBuf};

use common::Bench;
use serde_json::Value;
use slopbench_synthetic::SyntheticStudy;

/// A bench, and a study's runs in it by path.
fn study(study: &SyntheticStudy) -> (Bench, Vec<String>) {
    let bench = Bench::in_memory();
    let runs: Vec<PathBuf> = study.write(&bench.path("runs")).unwrap();
    let runs = runs.iter().map(|run| run.display().to_string()).collect();
    (bench, runs)
}

fn report(bench: &Bench, runs: &[String], args: &[&str]) -> String {
    let runs: Vec<&str> = runs.iter().map(String::as_str).collect();
    let output = bench.slopbench(&[&["report"], &runs[..], args].concat());
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_table_is_written_in_every_form() {
    let (bench, runs) = study(&SyntheticStudy::small(1));
    let all = ["runs", "table-1", "figure-2", "figure-6", "table-7", "variation", "paper-table-1", "reproduction"];
    for (form, extension) in [("text", "txt"), ("markdown", "md"), ("latex", "tex"), ("csv", "csv")] {
        report(&bench, &runs, &["--format", form, "--paper", "--output", form]);
        for name in all {
            let text = fs::read_to_string(bench.path(form).join(name).with_extension(extension)).unwrap();
            assert!(text.to_lowercase().contains("synthetic"), "{form} {name}: {text}");
            assert!(!text.contains("NaN") && !text.contains(" inf "), "{form} {name}: {text}");
        }
    }
    let rows = fs::read_to_string(bench.path("csv/observations.csv")).unwrap();
    assert_eq!(rows.lines().count(), 1 + 160);
    report(&bench, &runs, &["--format", "parquet", "--output", "parquet"]);
    let parquet = fs::read(bench.path("parquet/observations.parquet")).unwrap();
    assert!(parquet.starts_with(b"PAR1") && parquet.ends_with(b"PAR1"));
    let json: Value =
        serde_json::from_str(&report(&bench, &runs, &["--format", "json", "--table", "table-1"])).unwrap();
    assert_eq!((&json["format"], &json["synthetic"]), (&Value::from("slopbench.report/1"), &Value::from(true)));
    assert_eq!(json["tables"][0]["rows"].as_array().unwrap().len(), 4);
}

#[test]
fn figures_are_drawn_with_their_data_and_listed() {
    let (bench, runs) = study(&SyntheticStudy::small(1));
    let tables = report(&bench, &runs, &["--table", "table-1", "--figures", "figures"]);
    assert!(tables.contains("synthetic-a, anti_slop"), "{tables}");
    let names = ["overview", "figure-2", "figure-4", "figure-5-1", "figure-5-2", "sensitivity", "variation"];
    for name in names {
        let read = |ending: &str| fs::read_to_string(bench.path("figures").join(format!("{name}{ending}"))).unwrap();
        let svg = read(".svg");
        assert!(svg.starts_with("<svg ") && svg.contains("Synthetic: made up"), "{name}: {svg}");
        assert!(read(".data.csv").lines().skip(1).all(|row| row.ends_with(",true")), "{name}");
        let data: Value = serde_json::from_str(&read(".data.json")).unwrap();
        assert_eq!(data["format"], "slopbench.figure/1");
    }
    report(&bench, &runs, &["--table", "table-1", "--figures", "one", "--figure", "figure-6"]);
    assert_eq!(fs::read_dir(bench.path("one")).unwrap().count(), 3);
    let same = |folder: &str| fs::read(bench.path(folder).join("figure-6.svg")).unwrap();
    assert_eq!(same("one"), same("figures"));
    let list = bench.slopbench(&["report", "--list"]);
    let list = String::from_utf8(list.stdout).unwrap();
    assert!(list.contains("sensitivity") && list.contains("what it shows"), "{list}");
}

#[test]
fn a_page_is_one_file_and_says_what_it_lacks() {
    let (bench, runs) = study(&SyntheticStudy { repeats: 1, ..SyntheticStudy::small(1) });
    report(&bench, &runs, &["--format", "html", "--output", "page.html"]);
    let page = fs::read_to_string(bench.path("page.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("\"format\":\"slopbench.page/1\""));
    assert_eq!(page, report(&bench, &runs, &["--format", "html"]), "the same on standard output");
    let refused = bench.slopbench(&["report", &runs[0], "--sources"]);
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(refused.status.code() == Some(2) && message.contains("--format html"), "{message}");
    let refused = bench.slopbench(&["compare-runs", &runs[0], &runs[1], "--format", "html"]);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    let nothing = bench.slopbench(&["view", "nowhere"]);
    assert_eq!(nothing.status.code(), Some(2), "{nothing:?}");
}

#[test]
fn a_name_is_a_name_wherever_it_is_shown() {
    let name = "synthetic <script>|\\input{x}$&%_#~^\u{1b}[31m[a](b)`@c\n--";
    let models = vec![name.to_owned(), "synthetic-b".to_owned()];
    let (bench, runs) = study(&SyntheticStudy { models, ..SyntheticStudy::small(1) });
    let of = |form: &str| report(&bench, &runs, &["--table", "table-1", "--format", form]);
    let text = of("text");
    assert!(!text.contains('\u{1b}') && text.lines().filter(|line| line.contains("<script>")).count() == 2, "{text}");
    let markdown = of("markdown");
    assert!(markdown.contains("\\<script\\>\\|") && markdown.contains("\\[a\\](b)\\`&#64;c"), "{markdown}");
    let columns = |line: &str| line.replace("\\|", "").matches('|').count();
    let table: Vec<usize> = markdown.lines().filter(|line| line.starts_with('|')).map(columns).collect();
    assert!(table.len() == 6 && table.iter().all(|count| *count == table[0]), "{table:?}: {markdown}");
    let latex = of("latex");
    assert!(latex.contains("\\textbackslash{}input\\{x\\}\\$\\&\\%\\_\\#\\textasciitilde{}"), "{latex}");
    let json: Value = serde_json::from_str(&of("json")).unwrap();
    assert!(json["tables"][0]["rows"].as_array().unwrap().iter().any(|row| row[1] == name));
    let csv = of("csv");
    assert!(csv.contains(name), "{csv}");
}

#[test]
fn what_cannot_be_given_is_said() {
    let (bench, runs) = study(&SyntheticStudy::small(1));
    let run = runs[0].as_str();
    let rows = [
        (vec!["report", "nowhere"], "nowhere is no run's folder"),
        (vec!["report", run, "--table", "table-9"], "there is no table `table-9`"),
        (vec!["report", run, "--format", "csv"], "CSV is one table a file"),
        (vec!["report", run, "--format", "parquet"], "name a folder with --output DIR"),
        (vec!["report", run, "--table", "observations"], "given as --format csv or parquet"),
        (vec!["report", run, run], "hold the same run"),
        (vec!["report", run, "--figures", "f", "--figure", "figure-9"], "there is no figure `figure-9`"),
        (vec!["compare-runs", run, run], "choose one with --select-a FIELD=VALUE"),
    ];
    for (args, said) in rows {
        let error = bench.error(&args, 2);
        assert!(error.contains(said), "{args:?}: {error}");
    }
    let output = bench.slopbench(&["report", run, "--figure", "figure-2"]);
    assert!(output.status.code() == Some(2) && String::from_utf8_lossy(&output.stderr).contains("--figures <DIR>"));
}

#[test]
fn two_runs_are_compared_in_every_form() {
    let (bench, runs) = study(&SyntheticStudy { prompts: vec!["just-solve".to_owned()], ..SyntheticStudy::small(1) });
    let compare = |args: &[&str]| {
        let output = bench.slopbench(&[&["compare-runs", &runs[0], &runs[1]], args].concat());
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(compare(&[]).contains("There are too few problems in common to say anything."));
    assert!(compare(&["--format", "latex"]).contains("\\toprule"));
    assert!(compare(&["--format", "markdown"]).contains("| measure |"));
    assert!(compare(&["--format", "csv"]).starts_with("measure,problems,pairs"));
    let json: Value = serde_json::from_str(&compare(&["--format", "json"])).unwrap();
    assert_eq!(json["format"], "slopbench.run-comparison/1");
}
