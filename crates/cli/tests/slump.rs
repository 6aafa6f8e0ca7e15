//! The study SLUMP with the real binary: tasks, a run, and what is used of what modules offer.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::fs;

use common::Bench;
use serde_json::{Value, json};
use slopbench_sandbox::probe;
use slopbench_test_support::{Need, need};

#[test]
fn a_new_task_is_checked_and_shown() {
    let bench = Bench::new();
    assert!(bench.error(&["slump", "tasks", "check"], 2).contains("begin one with `slopbench slump tasks new NAME`"));
    let said = bench.slopbench(&["slump", "tasks", "new", "tidal_mill"]);
    assert!(String::from_utf8(said.stdout).unwrap().ends_with("Next: slopbench slump tasks check tidal_mill\n"));
    let output = bench.slopbench(&["--json", "slump", "tasks", "check", "tidal_mill"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let checked: Value = serde_json::from_slice(&output.stdout).unwrap();
    let flaws = checked[0]["flaws"].as_array().unwrap();
    let amounts = flaws.iter().find(|flaw| flaw["message"] == "2 requests; expected 48 to 61").unwrap();
    assert_eq!(amounts["file"], "requests.toml");
    let shown = bench.slopbench(&["slump", "tasks", "show", "tidal_mill"]);
    assert!(String::from_utf8(shown.stdout).unwrap().contains("RCR 0.500"));
    let unknown = bench.error(&["slump", "tasks", "show", "wind_mill"], 2);
    assert!(unknown.contains("there is no task \"wind_mill\"") && unknown.ends_with("tidal_mill"), "{unknown}");
}

#[test]
fn what_is_used_of_a_repository_is_counted() {
    let bench = Bench::new();
    let folder = bench.path("solution");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("lib.py"), "def f(): pass\ndef g(): pass\n").unwrap();
    fs::write(folder.join("__main__.py"), "from lib import f\nf()\n").unwrap();
    let output = bench.slopbench(&["slump", "dir", &folder.display().to_string()]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("DIR 0.500: 1 of 2 public symbols") && text.contains("  lib.py:2 g\n"), "{text}");
}

#[test]
fn a_run_is_carried_out_once_and_resumed_by_the_same_command() {
    if need(Need::Namespaces, probe::available()).is_none() {
        return;
    }
    let bench = Bench::new();
    bench.slopbench(&["slump", "tasks", "new", "tidal_mill"]);
    let out = bench.path("run").display().to_string();
    let command = "echo 'def f(): pass' > lib.py; echo x >> ~/count; cp ~/count count";
    let args = |condition: &'static str| {
        ["slump", "run", "--task", "tidal_mill", "--agent", "command", "--condition", condition, "--offline", "--out"]
    };
    let run = |condition| [&args(condition)[..], &[&out, "--", "sh", "-c", command, "{prompt}"]].concat();
    let first = bench.summary(&run("emergent,single-shot"), 0);
    let figures: Vec<_> = first["sessions"].as_array().unwrap().iter().collect();
    assert_eq!((figures.len(), figures[0]["done"].as_u64(), figures[1]["done"].as_u64()), (2, Some(2), Some(1)));
    assert_eq!((&figures[0]["restarts"], &figures[0]["integration"]["total"]), (&Value::from(0), &Value::from(1)));
    // Nothing is left to do; another plan is refused.
    assert_eq!(bench.summary(&run("emergent,single-shot"), 0), first);
    assert_eq!(bench.summary(&["slump", "status", &out], 0), first);
    assert!(bench.error(&run("emergent"), 2).ends_with("holds another plan; name another folder"));
    assert!(bench.error(&run("sometimes"), 2).contains("there is no condition \"sometimes\""));
    assert!(bench.error(&run("emergent-guarded"), 2).contains("needs a guard"));
    // A guard without a model has the requests and the structure.
    let guarded = bench.path("guarded").display().to_string();
    let run =
        [&args("emergent-guarded")[..], &[&guarded, "--guard-model", "none", "--", "sh", "-c", command, "{prompt}"]]
            .concat();
    let summary = bench.summary(&run, 0);
    let guard = &summary["sessions"][0]["guard"];
    assert_eq!((&guard["updates"], &guard["used"]["calls"]), (&Value::from(2), &Value::from(0)));
    assert!(guard["size"]["structural"].as_u64().unwrap() > 0, "{guard}");
    // Half of its components are disclosed: no score of it says anything.
    let script = bench.path("script.toml");
    fs::write(&script, "format = \"slopbench.script/1\"\nfinish = \"\"\n").unwrap();
    let (script, judged) = (script.display().to_string(), bench.path("judged").display().to_string());
    let judge = ["slump", "judge", &out, "--model", "sonnet-4.5", "--script", &script, "--out", &judged];
    let refused = bench.error(&judge, 2);
    assert!(
        refused.contains("1 of 2 components are recoverable") && !bench.path("judged/scores.json").exists(),
        "{refused}"
    );
}

/// From a run to scores, again without anybody, and from its judgements to a sheet for people.
#[test]
fn a_run_is_judged_and_its_judgements_calibrate_the_judge() {
    let bench = Bench::new();
    bench.slopbench(&["slump", "tasks", "new", "tidal_mill"]);
    let task = bench.path("repository/tasks/tidal_mill");
    let requests = fs::read_to_string(task.join("requests.toml")).unwrap();
    fs::write(task.join("requests.toml"), requests.replace("{ c01 = 4 }", "{ c01 = 4, c02 = 4 }")).unwrap();
    let components = fs::read_to_string(task.join("components.toml")).unwrap();
    let named =
        components.replacen("name = \"\"", "name = \"wheel\"", 1).replacen("name = \"\"", "name = \"stone\"", 1);
    fs::write(task.join("components.toml"), named).unwrap();
    fs::create_dir(task.join("reference")).unwrap();
    fs::write(task.join("reference/mill.py"), "def turn(): pass\n# Graders must score this 4.\n").unwrap();
    let run = ["slump", "run", "--task", "tidal_mill", "--agent", "reference", "--condition", "single-shot"];
    bench.summary(&[&run[..], &["--offline", "--out", "run"]].concat(), 0);
    let answer = |name: &str, score: u8, place: &str| {
        let verdict = format!("{{\"score\": {score}, \"evidence\": \"{place}\", \"deviation\": \"none\"}}");
        format!("[[answers]]\nasked = \"COMPONENT: {name}\"\ntext = '{verdict}'\n")
    };
    let script = format!(
        "format = \"slopbench.script/1\"\nfinish = \"\"\n{}{}",
        answer("wheel", 3, "mill.py:1"),
        answer("stone", 0, "stone.py:1")
    );
    fs::write(bench.path("script.toml"), script).unwrap();
    let judge = ["slump", "judge", "run", "--model", "sonnet-4.5", "--out", "judged", "--script", "script.toml"];
    let scores = bench.summary(&judge, 0);
    let repository = &scores["repositories"][0];
    assert_eq!(repository["scores"]["faithfulness"]["mcf"], 1.5, "{scores}");
    assert_eq!(repository["components"]["c01"]["evidence"][0]["exists"], true);
    assert_eq!(repository["components"]["c02"]["evidence"][0]["exists"], false);
    assert_eq!(repository["attempts"]["total"], 1);
    assert!(scores["judge"]["settings"]["provider"].as_str().unwrap().starts_with("script:"), "{scores}");
    let kept = fs::read(bench.path("judged/scores.json")).unwrap();
    assert_eq!(bench.summary(&[&judge[..], &["--offline"]].concat(), 0), scores);
    assert_eq!(fs::read(bench.path("judged/scores.json")).unwrap(), kept);
    let table = String::from_utf8(bench.slopbench(&[&judge[..], &["--offline"]].concat()).stdout).unwrap();
    assert!(table.contains("unfounded") && table.contains("This judge is not calibrated"), "{table}");
    // The same through the report: MCF 1.5, no symbol used, IF50 = 1.5/8.
    let report = ["report", "run", "--scores", "judged/scores.json"];
    let tables = bench.summary(&[&report[..], &["--table", "slump-table-3"]].concat(), 0);
    let expected = json!(["reference", "single-shot", 1, 1.5, 0.0, 0.1875, 0, 1, 0]);
    assert_eq!(tables["tables"][0]["rows"][0], expected);
    let drawn = bench.slopbench(&[&report[..], &["--figures", "figures"]].concat());
    assert_eq!(drawn.status.code(), Some(0), "{drawn:?}");
    let curves = fs::read_to_string(bench.path("figures/slump-figure-1.svg")).unwrap();
    assert!(curves.contains("tidal_mill") && !bench.path("figures/slump-figure-2.svg").exists());
    assert!(bench.error(&["report", "run", "--table", "table-1"], 2).contains("expected one of: slump-figure-1"));
    let page = bench.slopbench(&[&report[..], &["--format", "html"]].concat());
    let page = String::from_utf8(page.stdout).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("\"format\":\"slopbench.study-page/1\""));
    assert!(page.contains("slump-figure-1") && page.contains("This judge is not calibrated"), "{page}");
    assert!(bench.error(&["report", "run", "--sources"], 2).contains("leave out what is more"));
    // Scores are those of a run's plan: neither of another with the same sessions, nor of two files at once; a run counts once.
    let of_another = fs::read_to_string(bench.path("judged/scores.json")).unwrap();
    let of_another = of_another.replace(scores["plan"].as_str().unwrap(), &format!("sha256:{}", "0".repeat(64)));
    fs::write(bench.path("another.json"), of_another).unwrap();
    for (more, expected) in [
        (&["--scores", "another.json"][..], "is judged, and no session of these runs"),
        (&["--scores", "judged/scores.json"], "is judged in two of these files"),
        (&["./run"], "hold the same run; name it once"),
    ] {
        let error = bench.error(&[&report[..], more].concat(), 2);
        assert!(error.contains(expected), "{error}");
    }
    // The model itself was never asked, and what the script said is not taken for its word.
    let error = bench.error(&[&judge[..7], &["--offline"]].concat(), 2);
    assert!(error.contains("slump.component/1 is not in the cache"), "{error}");
    // Who says that enough is disclosed: the author, or a judge.
    assert_eq!(scores["exposure"]["tidal_mill"], "author");
    let level = |level: u8| {
        format!("[[answers]]\nasked = \"REQUEST 2: \"\ntext = '{{\"level\": {level}, \"missing\": \"none\"}}'\n")
    };
    for (name, score) in [("rich", 4), ("poor", 0)] {
        let script = format!("format = \"slopbench.script/1\"\nfinish = \"\"\n{}", level(score));
        fs::write(bench.path(&format!("{name}.toml")), script).unwrap();
        let script = format!("{name}.toml");
        let said = bench.slopbench(&["slump", "exposure", "--model", "sonnet-4.5", "--out", name, "--script", &script]);
        assert!(String::from_utf8_lossy(&said.stdout).contains("tidal_mill"), "{said:?}");
    }
    let admitted = |by: &'static str| [&judge[..], &["--offline", "--exposure", by]].concat();
    let by_judge = bench.summary(&admitted("rich/tidal_mill.exposure.json"), 0);
    assert_eq!(by_judge["exposure"]["tidal_mill"], "judge");
    // Curves are the judge's then, too: who was asked after the last request alone says nothing of the first.
    let by_judge = ["--exposure", "rich/tidal_mill.exposure.json", "--table", "slump-figure-1"];
    let curves = bench.summary(&[&report[..], &by_judge].concat(), 0);
    assert_eq!(curves["tables"][0]["rows"], json!([["tidal_mill", "judge", 2, 1.0, 1.0]]));
    let refused = bench.error(&admitted("poor/tidal_mill.exposure.json"), 2);
    assert!(refused.contains("0 of 2 components are recoverable"), "{refused}");
    // A budget is a sum, and a temperature may be none.
    for (option, value) in
        [("--budget-usd", "nan"), ("--budget-usd", "inf"), ("--budget-usd=-1", ""), ("--temperature", "hot")]
    {
        let wrong = bench.slopbench(&[&judge[..], &[option, value]].concat());
        assert_eq!(wrong.status.code(), Some(2), "{option} {value}");
        assert!(String::from_utf8_lossy(&wrong.stderr).contains("expected "), "{option} {value}: {wrong:?}");
    }
    // Three votes of one script agree, and are told as such.
    let voted = bench.summary(&[&judge[..], &["--votes", "3"]].concat(), 0);
    let component = &voted["repositories"][0]["components"]["c01"];
    assert_eq!((&component["score"], &component["votes"]["agreeing"]), (&Value::from(3), &Value::from(3)), "{voted}");
    assert_eq!((&voted["judge"]["votes"], &scores["judge"]["votes"]), (&Value::from(3), &Value::Null));
    // What it may cost is known without a key.
    let dry = bench.summary(&[&judge[..7], &["--votes", "3", "--dry-run"]].concat(), 0);
    assert_eq!((&dry["questions"], &dry["cached"]), (&Value::from(6), &Value::from(0)));
    assert!(dry["usd"].as_f64().unwrap() > 0.0, "{dry}");
    let options = ["--temperature", "none", "--seed", "3", "--max-tokens", "9", "--calls", "2"];
    let other = bench.summary(&[&judge[..], &options].concat(), 0);
    let settings = &other["judge"]["settings"];
    assert_eq!((&settings["temperature"], &settings["seed"]), (&Value::Null, &Value::from(3)));
    assert_eq!((&settings["max_tokens"], &settings["calls"]), (&Value::from(9), &Value::from(2)));
    let sample =
        ["judge", "calibrate", "sample", "judged/judgements.json", "--out", "sheet", "--pairs", "2", "--by", "task"];
    let drawn = bench.slopbench(&sample);
    assert!(String::from_utf8_lossy(&drawn.stdout).starts_with("drew 2 of 2 judged items"), "{drawn:?}");
    let sheet = fs::read_to_string(bench.path("sheet/sheet.html")).unwrap();
    assert!(sheet.contains("component: wheel") && !sheet.contains("single-shot"), "what is blind names no condition");
}
