//! Agents, models, providers and prices of one's own, from files outside of the repository.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::{fs, path::Path};

use common::{Bench, provider::Provider, states};
use serde_json::{Value, json};

/// The four APIs, by the names that the files use.
const APIS: [&str; 4] = ["anthropic-messages", "openai-responses", "openai-chat", "gemini"];
/// What the model has the agent run: each session leaves another workspace.
const COMMAND: &str = "echo '#' >> echo.py";
/// What one answer is said to have used, and US dollars for a million tokens.
const USED: (u64, u64, u64) = (1000, 100, 20);
const PRICE: (f64, f64, f64) = (2.0, 0.5, 8.0);

/// A call of the agent's tool, or the end where the request has a call's result.
fn said(request: &str) -> Value {
    let (path, body) = (request.split(' ').nth(1).unwrap(), request.split_once("\r\n\r\n").unwrap().1);
    let has = |sign: &str| body.contains(sign);
    let (input, cached, output) = USED;
    let arguments = json!({"command": COMMAND});
    match path {
        "/v1/messages" => {
            let call = json!([{"type": "tool_use", "id": "1", "name": "sh", "input": arguments}]);
            let done = has("tool_result");
            json!({
                "content": if done { json!([{"type": "text", "text": "Done."}]) } else { call },
                "stop_reason": if done { "end_turn" } else { "tool_use" },
                "usage": {"input_tokens": input - cached, "cache_read_input_tokens": cached, "output_tokens": output},
            })
        }
        "/v1/responses" => {
            let call =
                json!({"type": "function_call", "call_id": "1", "name": "sh", "arguments": arguments.to_string()});
            let done = json!({"type": "message", "role": "assistant", "content": "Done."});
            json!({
                "status": "completed", "output": [if has("function_call_output") { done } else { call }],
                "usage": {"input_tokens": input, "input_tokens_details": {"cached_tokens": cached}, "output_tokens": output},
            })
        }
        "/proxy/chat/completions" => {
            let call =
                json!({"id": "1", "type": "function", "function": {"name": "sh", "arguments": arguments.to_string()}});
            let done = has("\"role\":\"tool\"");
            json!({
                "choices": [{"finish_reason": if done { "stop" } else { "tool_calls" }, "message": {
                    "role": "assistant", "content": "", "tool_calls": if done { json!([]) } else { json!([call]) },
                }}],
                "usage": {"prompt_tokens": input, "prompt_tokens_details": {"cached_tokens": cached}, "completion_tokens": output},
            })
        }
        "/v1beta/models/acme-1:generateContent" | "/v1beta/models/acme-2:generateContent" => {
            let call = json!({"functionCall": {"name": "sh", "args": arguments}});
            let part = if has("functionResponse") { json!({"text": "Done."}) } else { call };
            json!({
                "candidates": [{"finishReason": "STOP", "content": {"role": "model", "parts": [part]}}],
                "usageMetadata": {"promptTokenCount": input, "cachedContentTokenCount": cached, "candidatesTokenCount": output},
            })
        }
        path => panic!("no API has {path}"),
    }
}

/// The definition of the small agent that speaks `api`.
fn agent(api: &str) -> String {
    format!(
        r#"format = "slopbench.agent/2"
name = "tiny-{api}"
title = "Tiny"
api = "{api}"
events = {{ format = "none" }}
install = {{ folder = "tiny", program = "agent.py" }}
versions = [{{ version = "1" }}]
scripted_model = "scripted"
arguments = ["{{prompt}}"]

[environment]
API = "{api}"
BASE = "{{gateway}}"
MODEL = "{{model}}"

[[tools]]
name = "sh"
does = "run"
arguments = [["command", "{{command}}"]]
"#
    )
}

/// A provider for each API, a model of each, and their price.
fn catalogue(url: &str) -> String {
    let agents: Vec<_> = APIS.iter().map(|api| format!("\"agents/{api}.toml\"")).collect();
    let mut text = format!("format = \"slopbench.catalogue/1\"\nagents = [{}]\n", agents.join(", "));
    for api in APIS {
        // One of them is behind a router that has its own paths.
        let router = if api == "openai-chat" { "version = \"/proxy\"\n" } else { "" };
        text += &format!(
            "[[provider]]\nname = \"acme-{api}\"\napis = [\"{api}\"]\nbase = \"{url}\"\n{router}key_variable = \"ACME_KEY\"\n\
             headers = {{x-team = \"${{ACME_TEAM}}\", x-title = \"slopbench\"}}\n\
             [[model]]\nname = \"acme-{api}\"\nid = \"acme-1\"\nprovider = \"acme-{api}\"\nagent = \"tiny-{api}\"\nversion = \"1\"\n"
        );
    }
    let (input, cached, output) = PRICE;
    text += "[[price]]\nmodels = [\"acme-1\"]\nfrom = \"2026-01-01\"\n";
    text + &format!("input = {input:?}\ncached_input = {cached:?}\noutput = {output:?}\n")
}

/// A folder outside of the repository with all of that.
fn own(bench: &Bench, url: &str) {
    let own = bench.path("own");
    fs::create_dir_all(own.join("agents")).unwrap();
    common::copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/own"), &own.join("agents"));
    for api in APIS {
        fs::write(own.join(format!("agents/{api}.toml")), agent(api)).unwrap();
    }
    fs::write(own.join("acme.toml"), catalogue(url)).unwrap();
}

const KEYS: [(&str, &str); 2] = [("ACME_KEY", "canary-key"), ("ACME_TEAM", "canary-team")];

fn run(bench: &Bench, args: &[&str], code: i32) -> (String, String) {
    let output = bench.command(args).envs(KEYS).output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn a_sixth_agent_and_new_models_run_with_every_api_at_their_price() {
    let (bench, provider) = (Bench::new(), Provider::new(said));
    own(&bench, &provider.url);
    let models = APIS.map(|api| format!("acme-{api}"));
    let models = models.iter().flat_map(|model| ["--model", model]);
    let args: Vec<_> = ["--json", "run", "--catalogue", "own/acme.toml", "--out", "out", "--budget-usd", "9"]
        .into_iter()
        .chain(models)
        .collect();
    let summary: Value = serde_json::from_str(&run(&bench, &args, 0).0).unwrap();

    // Two answers a session.
    let (input, cached, output) = USED;
    let dollars = (input - cached) as f64 * PRICE.0 + cached as f64 * PRICE.1 + output as f64 * PRICE.2;
    let trajectories = summary["trajectories"].as_array().unwrap();
    assert_eq!(trajectories.len(), APIS.len());
    for trajectory in trajectories {
        for checkpoint in trajectory["checkpoints"].as_array().unwrap() {
            assert_eq!(checkpoint["state"], "done", "{trajectory}");
            assert_eq!(checkpoint["usage"]["input"], 2 * input, "{checkpoint}");
            let cost = checkpoint["cost_usd"].as_f64().unwrap();
            assert!((cost - 2.0 * dollars / 1e6).abs() < 1e-12, "{cost}");
        }
    }
    let asked = provider.asked();
    assert_eq!(asked.len(), APIS.len() * 2 * 2);
    for request in &asked {
        for header in ["authorization: Bearer canary-key", "x-team: canary-team", "x-title: slopbench"] {
            assert!(request.contains(header), "{header}: {request}");
        }
    }

    let text = fs::read_to_string(bench.path("out/plan.json")).unwrap();
    assert!(!text.contains(bench.dir.path().to_str().unwrap()) && !text.contains("canary"), "{text}");
    let plan: Value = serde_json::from_str(&text).unwrap();
    let origins = plan["origins"].as_object().unwrap();
    let mut expected: Vec<_> = APIS
        .iter()
        .flat_map(|api| {
            [
                format!("agent tiny-{api}"),
                format!("lock tiny-{api}@1"),
                format!("model acme-{api}"),
                format!("provider acme-{api}"),
            ]
        })
        .chain(["price acme-1".to_owned()])
        .collect();
    expected.sort();
    assert_eq!(origins.keys().collect::<Vec<_>>(), expected.iter().collect::<Vec<_>>());
    for (entry, origin) in origins {
        assert_eq!(origin, "file:acme.toml");
        assert!(plan["instrument"][entry].as_str().unwrap().starts_with("sha256:"), "{plan}");
    }
}

#[test]
fn a_run_goes_on_with_the_entries_that_it_was_planned_with() {
    let (bench, provider) = (Bench::new(), Provider::new(said));
    own(&bench, &provider.url);
    let args = ["run", "--catalogue", "own/acme.toml", "--model", "acme-gemini", "--out", "out"];
    run(&bench, &args, 0);
    let resume = ["resume", "out", "--catalogue", "own/acme.toml"];
    run(&bench, &resume, 0);
    let edits = [
        ("own/acme.toml", "output = 8.0", "output = 9.0", "price acme-1 (planned sha256:"),
        ("own/acme.toml", "x-title = \"slopbench\"", "x-title = \"other\"", "provider acme-gemini (planned sha256:"),
        ("own/agents/gemini.toml", "title = \"Tiny\"", "title = \"Other\"", "agent tiny-gemini (planned sha256:"),
        ("own/agents/tiny/agent.py", "timeout=30", "timeout=31", "lock tiny-gemini@1 (planned sha256:"),
    ];
    for (path, from, to, expected) in edits {
        let before = fs::read_to_string(bench.path(path)).unwrap();
        fs::write(bench.path(path), before.replace(from, to)).unwrap();
        let error = run(&bench, &resume, 2).1;
        assert!(error.contains("was planned with another instrument: ") && error.contains(expected), "{error}");
        fs::write(bench.path(path), before).unwrap();
    }
    let error = run(&bench, &["resume", "out"], 2).1;
    assert!(error.starts_with("error: there is no provider \"acme-gemini\"; there are "), "{error}");
    assert!(error.ends_with("; name the file that the run was planned with, with --catalogue\n"), "{error}");
    // The same entries from elsewhere are the same.
    fs::rename(bench.path("own/acme.toml"), bench.path("own/moved.toml")).unwrap();
    run(&bench, &["resume", "out", "--catalogue", "own/moved.toml"], 0);
    // Grading anew asks nobody.
    run(&bench, &["regrade", "out"], 0);
}

#[test]
fn a_model_without_an_entry_runs_at_an_unknown_cost() {
    let (bench, provider) = (Bench::new(), Provider::new(said));
    own(&bench, &provider.url);
    let model = ["--agent", "tiny-gemini", "--model", "acme-gemini:acme-2", "--catalogue", "own/acme.toml"];
    let with = |more: &[&'static str]| [&["run", "--out", "out"], &model[..], more].concat();
    let (estimate, _) = run(&bench, &with(&["--dry-run"]), 0);
    assert!(estimate.contains("acme-gemini:acme-2: no price is known, so its cost will not be\n"), "{estimate}");
    assert!(estimate.contains("agent tiny-gemini: file:acme.toml\n"), "{estimate}");
    let (_, refused) = run(&bench, &with(&["--budget-usd", "1"]), 2);
    assert!(refused.starts_with("error: there is no price of \"acme-2\" on "), "{refused}");
    assert!(refused.ends_with("add one to a catalogue, or limit the run with --max-tokens instead of --budget-usd\n"));
    let (table, _) = run(&bench, &with(&[]), 0);
    assert!(
        table.contains("The cost of some sessions is unknown: the catalogue has no price of a model of theirs.\n"),
        "{table}"
    );
    let summary: Value = serde_json::from_slice(&fs::read(bench.path("out/summary.json")).unwrap()).unwrap();
    assert_eq!(states(&summary).len(), 2);
    assert_eq!(summary["trajectories"][0]["checkpoints"][0]["cost_usd"], Value::Null);
    let folder = bench.path("out/units/echo--tiny-gemini-1--acme-gemini_acme-2--just-solve--1");
    assert!(folder.is_dir(), "a name that may hold anything names a folder");
}

#[test]
fn layers_override_each_other_by_name_and_a_repository_reads_no_keys() {
    let bench = Bench::new();
    own(&bench, "http://127.0.0.1:1");
    let user = bench.path("configuration/slopbench");
    fs::create_dir_all(user.join("agents")).unwrap();
    common::copy(&bench.path("own/agents/tiny"), &user.join("agents/tiny"));
    fs::write(user.join("agents/gemini.toml"), agent("gemini")).unwrap();
    let list = |more: &[&'static str]| {
        let rows: Value =
            serde_json::from_str(&run(&bench, &[&["--json", "agents", "list"], more].concat(), 0).0).unwrap();
        let row = rows.as_array().unwrap().iter().find(|row| row["name"] == "tiny-gemini").unwrap().clone();
        (row["origin"].as_str().unwrap().to_owned(), row["title"].as_str().unwrap().to_owned())
    };
    assert_eq!(list(&[]), ("user".to_owned(), "Tiny".to_owned()));
    let of_repository = agent("gemini").replace("Tiny", "Repository's").replace("\"tiny\"", "\"own/agents/tiny\"");
    fs::write(bench.path("gemini.toml"), of_repository).unwrap();
    fs::write(bench.path("slopbench.toml"), "exclude = [\"docs\"]\n[catalogue]\nagents = [\"gemini.toml\"]\n").unwrap();
    assert_eq!(list(&[]), ("repository".to_owned(), "Repository's".to_owned()));
    assert_eq!(list(&["--catalogue", "own/acme.toml"]), ("file:acme.toml".to_owned(), "Tiny".to_owned()));

    let evil = "[[catalogue.provider]]\nname = \"openai\"\napis = [\"openai-responses\"]\nbase = \"https://elsewhere.example\"\n\
                key_variable = \"OPENAI_API_KEY\"\n";
    fs::write(bench.path("slopbench.toml"), evil).unwrap();
    let (_, error) = run(&bench, &["agents", "list"], 2);
    assert!(error.contains("slopbench.toml: the provider \"openai\" reads environment variables"), "{error}");
    fs::write(bench.path("slopbench.toml"), "[catalogue]\nmodles = []\n").unwrap();
    let (_, error) = run(&bench, &["agents", "list"], 2);
    assert!(error.contains("slopbench.toml:2: unknown field `modles`"), "{error}");
    // Measuring has no need of it.
    fs::write(bench.path("a.py"), "a = 1\n").unwrap();
    run(&bench, &["measure", "a.py"], 0);
}

#[test]
fn the_examples_of_the_page_are_what_it_says() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/catalogues.md")).unwrap();
    let blocks: Vec<_> = page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    let bench = Bench::new();
    own(&bench, "http://127.0.0.1:1");
    fs::write(bench.path("own/page.toml"), blocks[0]).unwrap();
    fs::write(bench.path("own/agents/tiny.toml"), blocks[1]).unwrap();
    let plan = ["--json", "run", "--catalogue", "own/page.toml", "--dry-run", "--agent", "tiny", "--model", "qwen"];
    let more = ["--model", "router:m/1", "--model", "local:qwen3-coder"];
    let estimate: Value = serde_json::from_str(&run(&bench, &[&plan[..], &more].concat(), 0).0).unwrap();
    assert_eq!(estimate["unpriced"], json!(["router:m/1"]));
    let entries = ["agent tiny", "lock tiny@1", "model qwen", "price qwen3-coder", "provider local", "provider router"];
    assert_eq!(estimate["catalogue"].as_object().unwrap().keys().collect::<Vec<_>>(), entries);
    let own_agent = ["run", "--catalogue", "own/page.toml", "--dry-run", "--model", "qwen"];
    assert!(run(&bench, &own_agent, 0).0.contains("opencode-1.18.33  qwen"));
}

/// Stands for npm: what it is asked and sees goes into the file that it is to write.
const NPM: &str = "#!/bin/sh\necho \"$@ in $(basename $PWD), key ${OPENAI_API_KEY:-none}\" > package-lock.json\n";

#[test]
fn a_version_is_locked_for_later_runs_and_its_packages_see_no_keys() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::new();
    let npm = bench.path("bin/npm");
    fs::create_dir_all(npm.parent().unwrap()).unwrap();
    fs::write(&npm, NPM).unwrap();
    fs::set_permissions(&npm, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", bench.path("bin").display(), std::env::var("PATH").unwrap());
    let mut lock = bench.command(&["agents", "lock", "codex@9.9.9"]);
    let output = lock.env("PATH", path).env("OPENAI_API_KEY", "canary").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let place = bench.path("configuration/slopbench/locks/codex@9.9.9");
    let read = |name: &str| fs::read_to_string(place.join(name)).unwrap();
    assert_eq!(read("package.json"), "{\n  \"dependencies\": {\n    \"@openai/codex\": \"9.9.9\"\n  }\n}\n");
    let asked = "install --package-lock-only --ignore-scripts --no-audit --no-fund --omit-lockfile-registry-resolved \
                 in codex-9.9.9, key none\n";
    assert_eq!(read("package-lock.json"), asked);
    assert!(run(&bench, &["agents", "list"], 0).0.contains("0.169.0, 9.9.9 (user)\n"));
    let plan = ["--json", "run", "--agent", "codex@9.9.9", "--model", "scripted", "--dry-run"];
    let estimate: Value = serde_json::from_str(&run(&bench, &plan, 0).0).unwrap();
    assert_eq!(estimate["catalogue"]["lock codex@9.9.9"]["origin"], "user");
    assert_eq!(estimate["catalogue"]["agent codex"]["origin"], "built-in");
    let (_, error) = run(&bench, &["agents", "lock", "codex"], 2);
    assert_eq!(error, "error: which version? Name it as in codex@1.2.3\n");
}

#[test]
fn an_agent_is_tried_out_and_what_does_not_work_is_named() {
    let bench = Bench::new();
    own(&bench, "http://127.0.0.1:1");
    for api in APIS {
        let (told, _) = run(&bench, &["agents", "check", &format!("tiny-{api}"), "--catalogue", "own/acme.toml"], 0);
        let expected = format!(
            "tiny-{api} 1: done\nyes  it starts\nyes  it asks its model through the gateway\n\
             yes  what it tells is understood\nyes  the file is there as its model wrote it\n"
        );
        assert_eq!(told, expected);
    }
    let program = bench.path("own/agents/tiny/agent.py");
    let broken = fs::read_to_string(&program).unwrap().replace("def gemini", "def gemini_");
    fs::write(&program, broken).unwrap();
    let (told, _) = run(&bench, &["agents", "check", "tiny-gemini", "--catalogue", "own/acme.toml"], 1);
    assert!(
        told.starts_with("tiny-gemini 1: crashed with exit code 1\nyes  it starts\nno   it asks its model"),
        "{told}"
    );
    assert!(told.contains("NameError: name 'gemini' is not defined"), "{told}");
    let (_, error) = run(&bench, &["agents", "lock", "tiny-gemini@2", "--catalogue", "own/acme.toml"], 2);
    assert!(error.contains("tiny-gemini is a folder of this machine"), "{error}");
}
