//! Judges are calibrated and compared with the real binary.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::fs;

use common::Bench;
use serde_json::{Value, json};

/// Sixty judged items of two tasks on a scale of three levels; the judge gives each level in turn, moved by `shift`.
fn judged(bench: &Bench, name: &str, model: &str, shift: usize) {
    let item = |index: usize| {
        json!({
            "id": format!("item-{index:02}"), "labels": {"task": format!("task-{}", index % 2)},
            "question": format!("Is component {index} there?"), "place": format!("runs/{index}"), "score": (index + shift) % 3,
        })
    };
    let settings =
        json!({"provider": "acme", "model": model, "temperature": 0.0, "seed": 0, "max_tokens": 100, "calls": 8});
    let level = |name: &str| json!({"name": name, "meaning": format!("It is {name}.")});
    let levels = ["absent", "partial", "whole"].map(level);
    let file = json!({
        "format": "slopbench.judgements/1",
        "judge": {"kind": "test/1", "prompt": format!("sha256:{}", "0".repeat(64)), "settings": settings},
        "scale": {"instructions": "Look.", "levels": levels},
        "items": (0..60).map(item).collect::<Vec<_>>(),
    });
    fs::write(bench.path(name), file.to_string()).unwrap();
}

fn said(bench: &Bench, args: &[&str]) -> String {
    let output = bench.slopbench(args);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_judge_is_calibrated_from_sample_to_table() {
    let bench = Bench::new();
    judged(&bench, "judgements.json", "m", 0);
    let sample = ["judge", "calibrate", "sample", "judgements.json", "--out", "sheet", "--pairs", "30", "--by", "task"];
    assert!(said(&bench, &sample).starts_with("drew 30 of 60 judged items (0 were not judged)\n"));
    let key: Value = serde_json::from_str(&fs::read_to_string(bench.path("sheet/key.json")).unwrap()).unwrap();
    let items = key["items"].as_array().unwrap();
    // Anna agrees throughout; Ben takes every third whole one for a partial one.
    let sheet = |name: &str, scored: &dyn Fn(usize, u64) -> u64| {
        let row = |(index, one): (usize, &Value)| {
            format!("{},{}\n", one["code"].as_str().unwrap(), scored(index, one["item"]["score"].as_u64().unwrap()))
        };
        let rows: String = items.iter().enumerate().map(row).collect();
        fs::write(bench.path(name), format!("item,score\n{rows}")).unwrap();
    };
    sheet("anna.csv", &|_, score| score);
    sheet("ben.csv", &|index, score| if score == 2 && index.is_multiple_of(3) { 1 } else { score });
    let table = said(&bench, &["judge", "calibrate", "read", "sheet", "anna.csv", "ben.csv"]);
    assert!(
        table.contains("This judge was compared with 2 people on 30 items: quadratic kappa at least 0."),
        "{table}"
    );
    assert!(
        table.contains("anna-judge") && table.contains("1.000 [1.000, 1.000]") && table.contains("boundary 1-2, %"),
        "{table}"
    );
    let report: Value =
        serde_json::from_str(&fs::read_to_string(bench.path("sheet/calibration.json")).unwrap()).unwrap();
    assert_eq!(report["format"], "slopbench.calibration/1");
    let ben = &report["agreements"][1];
    let moved = ben["confusion"][1][2].as_u64().unwrap();
    assert!(moved > 0);
    assert_eq!(ben["exact"]["value"].as_f64().unwrap(), (30 - moved) as f64 / 30.0);
    fs::write(bench.path("bad.csv"), "item,score\nabc,1\n").unwrap();
    let error = bench.error(&["judge", "calibrate", "read", "sheet", "bad.csv"], 2);
    assert!(error.contains("bad.csv:2: the sample has no item \"abc\""), "{error}");
}

#[test]
fn two_judges_are_compared() {
    let bench = Bench::new();
    judged(&bench, "one.json", "m", 0);
    judged(&bench, "two.json", "n", 1);
    let drift: Value =
        serde_json::from_str(&said(&bench, &["--json", "judge", "compare", "one.json", "two.json"])).unwrap();
    assert_eq!((&drift["format"], &drift["shift"]["value"]), (&json!("slopbench.judge-drift/1"), &json!(0.0)));
    assert_eq!(drift["agreement"]["confusion"], json!([[0, 20, 0], [0, 0, 20], [20, 0, 0]]));
    let table = said(&bench, &["judge", "compare", "one.json", "two.json"]);
    assert!(
        table.contains("first:  test/1 by m, prompt 000000000000") && table.contains("mean shift, levels"),
        "{table}"
    );
}

/// Two answers, told apart by a line that only one of both states shows.
const SCRIPT: &str = r#"
format = "slopbench.script/1"
finish = ""

[[answers]]
asked = "6+|         sys.exit(1)"
text = '''{"flags": [
    {"criterion": "function-of-many-duties", "first": 4, "last": 7, "why": "It reads, decides and writes."},
    {"criterion": "dead-definition", "first": 1, "last": 1, "why": "As the script says."}]}'''

[[answers]]
asked = "6+|     print(2 * int(word)"
text = '''{"flags": [
    {"criterion": "name-used-once", "first": 5, "last": 5, "why": "As the script says."},
    {"criterion": "dead-definition", "first": 1, "last": 1, "why": "That did not change."}]}'''
"#;

/// By hand: the first checkpoint's ten lines are new, and two flags with them. The second changes lines 5 to 7 into two: the
/// flag on lines 4 to 7 is gone, that on line 1 is carried, one is new, and one beside the change counts nowhere.
#[test]
fn a_run_is_judged_checkpoint_by_checkpoint_and_again_without_anybody() {
    let bench = Bench::new();
    fs::write(bench.path("script.toml"), SCRIPT).unwrap();
    bench.summary(&["run", "--agent", "reference", "--out", "out"], 0);
    let rubric = ["--json", "judge", "rubric", "out", "--model", "sonnet-4.5", "--out", "judged"];
    let dry: Value =
        serde_json::from_str(&said(&bench, &[&rubric[..], &["--script", "script.toml", "--dry-run"]].concat()))
            .unwrap();
    assert_eq!((&dry["questions"], &dry["cached"]), (&json!(2), &json!(0)));
    // The same without a key of the provider's: nobody is asked.
    let of_model: Value = serde_json::from_str(&said(&bench, &[&rubric[..], &["--dry-run"]].concat())).unwrap();
    assert_eq!(of_model, dry);
    assert!(dry["usd"].as_f64().unwrap() > 0.0 && !bench.path("judged").exists());
    let error = bench.error(&[&rubric[1..], &["--offline"]].concat(), 2);
    assert!(error.contains("rubric/1 is not in the cache"), "{error}");
    let error = bench.error(&[&rubric[1..], &["--script", "script.toml", "--budget-usd", "0.0001"]].concat(), 2);
    assert!(error.contains("judging stops") && error.contains("raise --budget-usd"), "{error}");

    let judged: Value =
        serde_json::from_str(&said(&bench, &[&rubric[..], &["--script", "script.toml"]].concat())).unwrap();
    assert!(judged["standing"].as_str().unwrap().contains("is not calibrated"));
    let checkpoints = judged["trajectories"][0]["checkpoints"].as_array().unwrap();
    let counts = |one: &Value| {
        let list = |name: &str| one["flags"][name].as_array().unwrap().len();
        let figure = |value: &Value| value.as_u64().unwrap();
        (
            figure(&one["verbosity"]),
            figure(&one["erosion"]),
            list("new"),
            list("carried"),
            list("beside"),
            figure(&one["flags"]["changed_lines"]),
        )
    };
    assert_eq!(counts(&checkpoints[0]), (1, 1, 2, 0, 0, 10));
    assert_eq!(counts(&checkpoints[1]), (2, 0, 1, 1, 1, 2));
    assert_eq!(checkpoints[1]["flags"]["carried"][0]["flag"]["first"], 1);
    assert!(checkpoints.iter().all(|one| one["attempts"]["total"] == 0), "{judged}");
    for (one, flags) in checkpoints.iter().zip([2.0, 2.0]) {
        let quality =
            format!("out/units/echo--reference--just-solve--1/checkpoint_{}/grade/quality.json", one["checkpoint"]);
        let quality: Value = serde_json::from_slice(&fs::read(bench.path(&quality)).unwrap()).unwrap();
        let total = &quality["measurement"]["total"];
        let number = |value: &Value| value.as_f64().unwrap();
        let expected =
            (number(&total["violations"]) + flags) / number(&total["loc"]) + number(&total["wrappers"]["ratio"]);
        assert!((number(&one["verbosity_v0"]) - expected).abs() < 1e-12, "{one}");
    }
    let kept = fs::read(bench.path("judged/rubric.json")).unwrap();
    let again: Value =
        serde_json::from_str(&said(&bench, &[&rubric[..], &["--offline", "--script", "script.toml"]].concat()))
            .unwrap();
    assert_eq!(again, judged);
    assert_eq!(fs::read(bench.path("judged/rubric.json")).unwrap(), kept);
    // What a script said is no word of the model's, nor of another script.
    let error = bench.error(&[&rubric[1..], &["--offline"]].concat(), 2);
    assert!(error.contains("rubric/1 is not in the cache"), "{error}");
    fs::write(bench.path("other.toml"), SCRIPT.to_owned() + "\n").unwrap();
    let error = bench.error(&[&rubric[1..], &["--offline", "--script", "other.toml"]].concat(), 2);
    assert!(error.contains("rubric/1 is not in the cache"), "{error}");
    let table = said(&bench, &[&rubric[1..], &["--offline", "--script", "script.toml"]].concat());
    assert!(table.contains("carried") && table.contains("This judge is not calibrated"), "{table}");

    // In the report, in every form: at the start two flags on ten changed lines, at the end one on two, one carried.
    let report = ["report", "out", "--rubric", "judged/rubric.json", "--table", "flags"];
    let tables: Value = serde_json::from_str(&said(&bench, &[&["--json"], &report[..]].concat())).unwrap();
    let table = &tables["tables"][0];
    let column =
        |key: &str| table["columns"].as_array().unwrap().iter().position(|column| column["key"] == key).unwrap();
    let value = |row: usize, key: &str| table["rows"][row][column(key)]["value"].as_f64().unwrap();
    let of = |row: usize| {
        ["new_verbosity", "new_erosion", "carried_verbosity", "new_per_changed_line"].map(|key| value(row, key))
    };
    assert_eq!((of(0), of(4)), ([1.0, 1.0, 0.0, 0.2], [1.0, 0.0, 1.0, 0.5]), "{table}");
    for form in ["text", "markdown", "latex", "csv", "html"] {
        let shown = said(&bench, &[&report[..], &["--format", form]].concat());
        assert!(shown.contains("carried, verbosity") || shown.contains("carried_verbosity"), "{form}: {shown}");
    }
    bench.summary(&["run", "--agent", "noop", "--out", "other"], 0);
    let error = bench.error(&["report", "other", "--rubric", "judged/rubric.json"], 2);
    assert!(error.contains("0 of these runs have the plan"), "{error}");
}
