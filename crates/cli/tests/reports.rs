//! Reports and comparisons of made-up runs, with the real binary.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::{fs, path::PathBuf};

use common::Bench;
use serde_json::Value;
use slopbench_synthetic::{Fate, SyntheticStudy};

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

/// Every form of everything that there is.
fn assert_is_shown_whole(bench: &Bench, runs: &[String]) {
    for form in ["text", "markdown", "latex", "csv", "json", "html"] {
        let output = format!("{form}-of-all");
        report(bench, runs, &["--format", form, "--paper", "--output", &output, "--figures", "figures"]);
        let path = bench.path(&output);
        let files = if path.is_dir() {
            fs::read_dir(path).unwrap().map(|file| file.unwrap().path()).collect()
        } else {
            vec![path]
        };
        assert!(!files.is_empty());
        for file in files.iter().map(|file| fs::read_to_string(file).unwrap()) {
            let numbers = file.split(|character: char| !character.is_alphanumeric() && character != '.');
            let odd: Vec<_> =
                numbers.filter(|word| ["nan", "inf", "infinity"].contains(&word.to_lowercase().as_str())).collect();
            // Scripts may ask whether something is one.
            assert!(odd.is_empty() || form == "html" && odd.iter().all(|word| *word == "Infinity"), "{form}: {odd:?}");
        }
    }
}

#[test]
fn where_everything_fails_nothing_is_guessed() {
    for fate in [Fate::Fails, Fate::Unanswered] {
        let small = SyntheticStudy { models: vec!["synthetic".to_owned()], ..SyntheticStudy::small(1) };
        let (bench, runs) =
            study(&SyntheticStudy { fate: Some(fate), checkpoints: vec![2, 3], repeats: 1, hazards: false, ..small });
        assert_is_shown_whole(&bench, &runs);
        let json: Value = serde_json::from_str(&report(&bench, &runs, &["--json", "--table", "table-1"])).unwrap();
        let (table, population) = (&json["tables"][0], &json["tables"][0]["population"]);
        let strict = table["columns"].as_array().unwrap().iter().position(|column| column["key"] == "strict").unwrap();
        let cell = &table["rows"][0][strict];
        match fate {
            // One checkpoint of each trajectory left something, and that passes nothing.
            Fate::Fails => {
                assert_eq!((&cell["value"], &cell["n"], &population["graded"]), (&0.0.into(), &2.into(), &10.into()))
            }
            Fate::Unanswered => {
                assert!(cell["absent"].is_string(), "{cell}");
                assert_eq!((&population["graded"], &population["infrastructure"]), (&0.into(), &4.into()));
            }
        }
        let select = ["--select-a", "prompt=just-solve", "--select-b", "prompt=anti_slop"];
        let compared = bench.slopbench(&[&["compare-runs", &runs[0], &runs[0]], &select[..]].concat());
        let text = String::from_utf8_lossy(&[compared.stdout, compared.stderr].concat()).into_owned();
        let said = match fate {
            Fate::Fails => "too few problems",
            Fate::Unanswered => "no graded checkpoint of a problem in common",
        };
        assert!(text.contains(said) && !text.contains("NaN"), "{text}");
        let status = bench.slopbench(&["status", &runs[0]]);
        assert!(status.status.success() && !String::from_utf8_lossy(&status.stdout).contains("NaN"), "{status:?}");
    }
}

#[test]
fn one_checkpoint_is_shown_whole() {
    let one = SyntheticStudy { checkpoints: vec![1], ..SyntheticStudy::once(1) };
    let (bench, runs) = study(&one);
    assert_is_shown_whole(&bench, &runs);
}

#[test]
fn what_is_not_whole_or_newer_is_refused_wherever_it_would_be_shown() {
    let (bench, runs) = study(&SyntheticStudy { hazards: false, repeats: 1, ..SyntheticStudy::small(1) });
    let (run, other) = (runs[0].as_str(), runs[1].as_str());
    let refused = |said: &str| {
        for args in
            [&["report", run][..], &["report", run, "--format", "html"], &["compare-runs", run, other], &["view", run]]
        {
            let output = bench.slopbench(args);
            let error = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(
                !output.status.success() && output.stdout.is_empty() && error.contains(said),
                "{args:?}: {output:?}"
            );
        }
    };
    fs::create_dir(bench.path("empty")).unwrap();
    bench.error(&["report", bench.path("empty").to_str().unwrap()], 2);
    let changed = |path: &str, change: &dyn Fn(&str) -> String, said: &str| {
        let path = PathBuf::from(run).join(path);
        let whole = fs::read_to_string(&path).unwrap();
        fs::write(&path, change(&whole)).unwrap();
        refused(said);
        fs::write(&path, whole).unwrap();
    };
    let half = |text: &str| text[..text.len() / 2].to_owned();
    let unit = "units/synthetic_01--synthetic-0--model-0--prompt-0--1/checkpoint_1";
    changed(&format!("{unit}/grade/verdicts.json"), &half, "checkpoint_1/grade/verdicts.json: the file was changed");
    changed("plan.json", &half, "plan.json");
    changed("plan.json", &|text| text.replace("slopbench.plan/3", "slopbench.plan/99"), "slopbench.plan/99");
}
