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
    let settings = json!({"model": model, "temperature": 0.0, "seed": 0, "max_tokens": 100, "calls": 8});
    let level = |name: &str| json!({"name": name, "meaning": format!("It is {name}.")});
    let file = json!({
        "format": "slopbench.judgements/1",
        "judge": {"kind": "test/1", "prompt": format!("sha256:{}", "0".repeat(64)), "settings": settings},
        "scale": {"instructions": "Look.", "levels": ["absent", "partial", "whole"].map(level)},
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
