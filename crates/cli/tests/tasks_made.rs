//! Tasks of SLUMP that the real binary makes of documents, with a provider on this machine.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::{env, fs, os::unix::fs::PermissionsExt as _, process::Command};

use common::{Bench, provider::Provider};
use serde_json::{Value, json};

const KEY: (&str, &str) = ("ACME_KEY", "canary-key");

/// What one answer is said to have used, and US dollars for a million tokens: $0.0036 an answer.
const USED: (u64, u64) = (1000, 200);
const PRICE: (f64, f64) = (2.0, 8.0);

const PARTS: [&str; 12] =
    ["amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath", "inlet", "jetty", "kelp", "loam"];

/// A document of some 300 words.
fn document() -> String {
    let sentence = "A tide turns twelve wheels, each wheel gives its load to the next, and a load obeys $y = a x$. ";
    format!("# Wheels that a harbour turns\n\nWe call it Harbour Train.\n\n{}", sentence.repeat(15))
}

fn specification() -> Value {
    json!({
        "document_title": "Wheels that a harbour turns", "method_name": "Harbour Train", "hidden": ["tidal escapement"],
        "summary": "Twelve wheels that the tide turns.", "packages": ["numpy"],
        "idea": "Each wheel takes a load and gives on $y = a x$. ".repeat(20),
        "evaluation": {"datasets": ["tides"], "metrics": ["drift"], "description": "Drift is the mean error."},
        "implementation": "Write the wheels, then chain them.",
        "design_alternatives": [{"design_id": "load", "description": "How loads pass.", "options": ["linear", "square"]}],
    })
}

fn components() -> Value {
    let component = |(index, name): (usize, &&str)| {
        let next = if index + 1 < PARTS.len() { index + 2 } else { index };
        json!({
            "id": format!("c{:02}", index + 1), "name": format!("The {name} wheel"),
            "description": format!("Gives the load of {name} on."), "formula": "y = a x", "inputs": ["x"], "outputs": ["y"],
            "connections": [format!("c{next:02}")], "wiring": "",
        })
    };
    json!({"components": PARTS.iter().enumerate().map(component).collect::<Vec<_>>()})
}

fn says(request: &str) -> Value {
    let answer = if request.contains("STAGE B:") { components() } else { specification() };
    json!({
        "choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": answer.to_string()}}],
        "usage": {"prompt_tokens": USED.0, "completion_tokens": USED.1},
    })
}

/// A document, and a catalogue with a model of this provider.
fn bench(url: &str) -> Bench {
    let bench = Bench::new();
    fs::write(bench.path("train.md"), document()).unwrap();
    let catalogue = format!(
        "format = \"slopbench.catalogue/1\"\n[[provider]]\nname = \"acme\"\napis = [\"openai-chat\"]\nbase = \"{url}\"\n\
         key_variable = \"{}\"\n[[price]]\nmodels = [\"acme-1\"]\nfrom = \"2026-01-01\"\ninput = {:?}\noutput = {:?}\n",
        KEY.0, PRICE.0, PRICE.1
    );
    fs::write(bench.path("acme.toml"), catalogue).unwrap();
    bench
}

/// The command that makes `out` of `document` up to its components.
fn make(bench: &Bench, document: &str, out: &str, more: &[&str]) -> Command {
    let model = ["--model", "acme:acme-1", "--catalogue", "acme.toml", "--until", "components", "--out", out];
    let mut command = bench.command(&[&["--json", "slump", "tasks", "make", document][..], &model, more].concat());
    command.env(KEY.0, KEY.1);
    command
}

fn told(mut command: Command) -> Value {
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn assets(bench: &Bench, task: &str) -> Vec<Vec<u8>> {
    ["a-specification.json", "b-components.json"]
        .map(|name| fs::read(bench.path(task).join("assets").join(name)).unwrap())
        .into()
}

#[test]
fn what_a_task_costs_is_known_before_it_is_bounded_and_paid_once() {
    let provider = Provider::new(says);
    let bench = bench(&provider.url);
    // Two answers, each asked for three times at most: nobody is asked, and no key is needed.
    let dry = told({
        let mut dry = make(&bench, "train.md", "tide", &["--dry-run", "--max-tokens", "1000"]);
        dry.env_remove(KEY.0);
        dry
    });
    assert_eq!((&dry["questions"], &dry["cached"], &dry["requests"]), (&json!(2), &json!(0), &json!(6)), "{dry}");
    let (input, output) = (dry["input_tokens"].as_f64().unwrap(), dry["output_tokens"].as_f64().unwrap());
    let dollars = (input * PRICE.0 + output * PRICE.1) / 1e6;
    assert!(output == 6000.0 && (dry["usd"].as_f64().unwrap() - dollars).abs() < 1e-12, "{dry}");
    assert!(provider.asked().is_empty() && !bench.path("tide").exists());

    let poor = make(&bench, "train.md", "tide", &["--budget-usd", "0.001"]).output().unwrap();
    assert_ne!(poor.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&poor.stderr).contains("raise --budget-usd"), "{poor:?}");
    assert!(provider.asked().is_empty(), "what there is no money for is not asked");

    let made = told(make(&bench, "train.md", "tide", &["--record", "answers.json", "--budget-usd", "9"]));
    let asked: Vec<_> = made["stages"].as_array().unwrap().iter().map(|stage| stage["asked"].clone()).collect();
    assert_eq!((asked, provider.asked().len()), (vec![json!(true); 2], 2), "{made}");
    assert!(provider.asked().iter().all(|request| request.contains("authorization: Bearer canary-key")));
    // What is frozen is not asked again, and costs nothing.
    let again = told(make(&bench, "train.md", "tide", &[]));
    assert!(again["stages"].as_array().unwrap().iter().all(|stage| stage["asked"] == false), "{again}");
    let dry = told(make(&bench, "train.md", "tide", &["--dry-run"]));
    assert_eq!((&dry["cached"], &dry["requests"], &dry["usd"]), (&json!(2), &json!(0), &json!(0.0)));

    // What was recorded makes the same task elsewhere, with nobody asked and no key.
    let replayed = told({
        let mut replay = make(&bench, "train.md", "ebb", &["--replay", "answers.json"]);
        replay.env_remove(KEY.0);
        replay
    });
    assert_eq!((replayed["stages"].as_array().unwrap().len(), provider.asked().len()), (2, 2));
    assert_eq!(assets(&bench, "ebb"), assets(&bench, "tide"));
    let recorded = fs::read_to_string(bench.path("answers.json")).unwrap();
    assert!(recorded.contains("The amber wheel"), "{recorded}");
    assert!(!recorded.contains("canary"), "a key does not belong there");
    let over = make(&bench, "train.md", "flow", &["--record", "answers.json"]).output().unwrap();
    assert_eq!(over.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&over.stderr).contains("what it holds was paid for; name another file"));
}

/// Stands in for Poppler's program: the test is about how it is called and what its failure says.
#[test]
fn a_pdf_is_read_by_popplers_program() {
    let provider = Provider::new(says);
    let bench = bench(&provider.url);
    fs::write(bench.path("train.pdf"), "%PDF-1.7\n").unwrap();
    let programs = bench.path("programs");
    fs::create_dir(&programs).unwrap();
    let path = |first: &std::path::Path| {
        let path = env::var_os("PATH").unwrap();
        env::join_paths([first.to_path_buf()].into_iter().chain(env::split_paths(&path))).unwrap()
    };
    let mut without = make(&bench, "train.pdf", "tide", &[]);
    let without = without.env("PATH", &programs).output().unwrap();
    assert!(String::from_utf8_lossy(&without.stderr).contains("install poppler"), "{without:?}");

    let reader = |body: &str| {
        let program = programs.join("pdftotext");
        fs::write(&program, format!("#!/bin/sh\n{body}\n")).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    };
    reader("echo 'Syntax Error: no trailer' >&2; exit 1");
    let mut broken = make(&bench, "train.pdf", "tide", &[]);
    let broken = broken.env("PATH", path(&programs)).output().unwrap();
    assert!(String::from_utf8_lossy(&broken.stderr).contains("no trailer"), "{broken:?}");
    reader(&format!(
        "case \"$*\" in *-enc\\ UTF-8*train.pdf\\ -) cat '{}';; *) exit 9;; esac",
        bench.path("train.md").display()
    ));
    let mut made = make(&bench, "train.pdf", "tide", &[]);
    made.env("PATH", path(&programs));
    assert_eq!(told(made)["stages"].as_array().unwrap().len(), 2);
    assert_eq!(provider.asked().len(), 2, "a document that cannot be read is not sent");
    assert!(provider.asked()[0].contains("A tide turns twelve wheels"));
}
