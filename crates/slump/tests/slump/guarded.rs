//! What a guard's agent is told, and what is recorded of a guard's model.

use std::{
    collections::BTreeMap,
    fs,
    io::{Read, Write},
    net::TcpListener,
    path::Path,
    thread,
};

use serde_json::{Value, json};
use slopbench_agents::stage::{ProviderAccess, Worker};
use slopbench_gateway::{
    api::Api,
    cassette::Cassette,
    provider::{Provider, Secret},
    request_key::SessionPaths,
};
use slopbench_guard::{Guard, GuardSettings, RestartPolicy, RestartReason};
use slopbench_sandbox::probe;
use slopbench_slump::{
    SlumpCondition,
    study::{
        GuardAccess, GuardAnswers, GuardModelChoice, PlannedGuard, SlumpFolder, SlumpSummary, guard_brief,
        guard_update, reference_actions,
    },
};
use slopbench_test_support::{Need, need};

use crate::{bench::Bench, fixture::TaskFixture};

/// A program that writes a module a request, keeps version control and a memory, and says what it was told.
fn program() -> Worker {
    let script = "echo x >> ~/memory; echo x >> .git-log; mkdir -p .git; echo x >> .git/log; cp ~/memory memory\n\
                  echo \"def part$(wc -l < .git-log)(x): return x\" > part$(wc -l < .git-log).py";
    Worker::Command { words: ["sh", "-c", script, "{prompt}"].map(str::to_owned).into() }
}

fn prompt(folder: &SlumpFolder, unit: &str, request: usize) -> String {
    fs::read_to_string(folder.store.root.join("units").join(unit).join(format!("request_{request:02}/prompt.md")))
        .unwrap()
}

/// Without a model, a guard keeps the requests and the code's structure, and begins conversations anew all the same.
#[test]
fn an_agent_is_told_the_brief_and_begins_anew_in_the_same_workspace() {
    if need(Need::Namespaces, probe::available()).is_none() {
        return;
    }
    let (task, root) = (TaskFixture::disclosed("tidal_mill", 3), tempfile::tempdir().unwrap());
    let restart = RestartPolicy { after_turns: Some(2), ..RestartPolicy::default() };
    let settings = GuardSettings { restart, ..GuardSettings::default() };
    let guard = Some(PlannedGuard { settings, model: None });
    let bench = Bench { guard, ..Bench::new(root.path(), [&task]) };
    let folder = bench.open(&[program()], &[SlumpCondition::EMERGENT_GUARDED]);
    bench.run(&folder, &reference_actions, None);
    let summary = SlumpSummary::read(&folder).unwrap();
    let session = &summary.sessions[0];
    let unit = &session.id;
    // The first is told what there is to work with, then the brief, then what is asked.
    let first = prompt(&folder, unit, 1);
    assert!(first.starts_with("Work in the current folder, which is empty at first, in Python."), "{first}");
    assert!(first.ends_with("\n# Request\n\nPlease write part 1 of the mill.\n"), "{first}");
    let second = prompt(&folder, unit, 2);
    assert!(second.starts_with("# Project brief\n") && second.contains("part1.py"), "{second}");
    assert!(second.contains("### Turn 1\n\nPlease write part 1 of the mill."), "{second}");
    let third = prompt(&folder, unit, 3);
    assert!(third.starts_with("Work in the current folder, in Python."), "{third}");
    assert!(third.contains("the conversation before is not here any more") && third.contains("part2.py"), "{third}");
    let brief = guard_brief(&folder.store, unit, 3).unwrap().unwrap();
    assert_eq!(brief.restart, Some(RestartReason::Turns { turns: 2 }));
    // Its home is new, version control goes on.
    let left = folder.store.tree(session.workspace.unwrap()).unwrap();
    assert_eq!(fs::read_to_string(left.join("memory")).unwrap(), "x\n");
    assert!(left.join("part3.py").is_file(), "the third request goes on in the workspace of the second");
    let state = guard_update(&folder.store, unit, 3).unwrap().unwrap();
    assert_eq!(state.report.structure.paths().collect::<Vec<_>>(), ["part3.py"]);
    let guarded = session.guard.as_ref().unwrap();
    assert_eq!((session.restarts, guarded.restarts, guarded.updates, guarded.used.calls), (1, 1, 3, 0));
    let state = Guard::open(&folder.store.tree(state.state).unwrap()).unwrap();
    assert_eq!((state.turns().len(), state.unread_turns().len(), state.structural().files.len()), (3, 3, 3));
}

/// A provider that gives these answers, one a connection, and ends.
fn provider(answers: Vec<Value>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for answer in answers {
            let mut stream = listener.accept().unwrap().0;
            read_request(&mut stream);
            let body = json!({
                "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn",
                "content": [{"type": "text", "text": answer.to_string()}],
                "usage": {"input_tokens": 800, "output_tokens": 50},
            });
            let (body, kind) = (body.to_string(), "content-type: application/json");
            let head = format!("HTTP/1.1 200 OK\r\n{kind}\r\ncontent-length: {}\r\nconnection: close", body.len());
            stream.write_all(format!("{head}\r\n\r\n{body}").as_bytes()).unwrap();
        }
    });
    url
}

fn read_request(stream: &mut impl Read) {
    let (mut request, mut buffer) = (String::new(), [0; 4096]);
    loop {
        let read = stream.read(&mut buffer).unwrap();
        request.push_str(std::str::from_utf8(&buffer[..read]).unwrap());
        let Some((head, body)) = request.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
        if body.len() >= length.parse().unwrap() {
            return;
        }
    }
}

/// The documents and cassettes of a guard's stages, by stage.
fn documents(folder: &SlumpFolder, unit: &str) -> BTreeMap<String, Vec<u8>> {
    let files = [
        ("brief_01", "brief.json"),
        ("update_01", "update.json"),
        ("brief_02", "brief.json"),
        ("update_02", "update.json"),
    ];
    let read = |(stage, file): (&str, &str)| {
        let path = Path::new("units").join(unit).join(stage).join(file);
        (path.display().to_string(), fs::read(folder.store.root.join(&path)).unwrap())
    };
    files.map(read).into()
}

/// A provider that answers to the first brief alone; then one that answers to all that is left; then what was recorded of both, which
/// needs no provider.
#[test]
fn what_a_guards_model_answers_is_recorded_kept_and_replayed() {
    if need(Need::Namespaces, probe::available()).is_none() {
        return;
    }
    let (task, root) = (TaskFixture::disclosed("tidal_mill", 2), tempfile::tempdir().unwrap());
    let model = GuardModelChoice { id: "m".to_owned(), provider: "acme".to_owned() };
    let guard = Some(PlannedGuard { settings: GuardSettings::default(), model: Some(model) });
    let mut bench = Bench { guard, ..Bench::new(root.path(), [&task]) };
    let asked = |bench: &mut Bench, answers: Vec<Value>| {
        let provider = Provider::keyed(Api::AnthropicMessages, provider(answers), "x-api-key", &Secret::new("key"));
        bench.access =
            ProviderAccess { providers: [("acme".to_owned(), provider)].into(), ..ProviderAccess::default() };
    };
    let forecast = json!({
        "purpose": "It adds a part.", "approach": "add", "reason": "There is none yet.", "records": [], "modules": [],
        "constraints": [], "context_tokens": 0,
    });
    let (nothing, refused) = (json!({"commitments": []}), json!("no JSON of this schema"));
    let access = GuardAccess { api: Api::AnthropicMessages, answers: GuardAnswers::Provider };
    let folder = bench.open(&[program()], &[SlumpCondition::EMERGENT_GUARDED]);
    let unit = folder.plan.design.sessions[0].id.clone();
    asked(&mut bench, vec![forecast.clone(), nothing.clone(), refused, nothing]);
    bench.run(&folder, &reference_actions, Some(&access));
    let summary = SlumpSummary::read(&folder).unwrap();
    let guarded = summary.sessions[0].guard.as_ref().unwrap();
    // The second forecast came to nothing: it is counted and paid for, and the request is carried out without it.
    assert_eq!((guarded.updates, guarded.failures, guarded.used.calls, guarded.used.tokens.input), (2, 1, 4, 3200));
    assert!(
        prompt(&folder, &unit, 1).contains("It adds a part.") && !prompt(&folder, &unit, 2).contains("It adds a part.")
    );

    let access = GuardAccess { answers: GuardAnswers::Replayed(folder.store.root.clone()), ..access };
    let again = bench.open_in("again", &[program()], &[SlumpCondition::EMERGENT_GUARDED]);
    bench.access = ProviderAccess::default();
    bench.run(&again, &reference_actions, Some(&access));
    assert_eq!(SlumpSummary::read(&again).unwrap(), summary);
    assert_eq!(documents(&again, &unit), documents(&folder, &unit));
}

/// A provider that is not there says nothing of the guard: the brief is an attempt, and done again by whoever resumes.
#[test]
fn a_brief_that_nobody_answers_is_done_again() {
    if need(Need::Namespaces, probe::available()).is_none() {
        return;
    }
    let (task, root) = (TaskFixture::disclosed("tidal_mill", 1), tempfile::tempdir().unwrap());
    let model = GuardModelChoice { id: "m".to_owned(), provider: "acme".to_owned() };
    let guard = Some(PlannedGuard { settings: GuardSettings::default(), model: Some(model) });
    let bench = Bench { guard, ..Bench::new(root.path(), [&task]) };
    let folder = bench.open(&[program()], &[SlumpCondition::EMERGENT_GUARDED]);
    let unit = folder.plan.design.sessions[0].id.clone();
    let recorded = root.path().join("recorded/units").join(&unit).join("brief_01");
    fs::create_dir_all(&recorded).unwrap();
    Cassette::empty("guard", SessionPaths::new(Path::new(""), Path::new("")))
        .save(&recorded.join("cassette.jsonl"))
        .unwrap();
    let answers = GuardAnswers::Replayed(root.path().join("recorded"));
    let access = GuardAccess { api: Api::AnthropicMessages, answers };
    let end = bench.carry_out(&folder, &reference_actions, Some(&access));
    assert_eq!(folder.store.attempts(&unit, "brief_01").unwrap().len(), 1, "{end:?}");
    assert!(guard_brief(&folder.store, &unit, 1).unwrap().is_none());
    assert!(!SlumpSummary::read(&folder).unwrap().complete);
}
