//! Tasks made of a document by a model that follows a script.

use std::{fs, num::NonZeroU32, path::Path, sync::Arc};

use serde_json::{Value, json};
use slopbench_gateway::{
    api::Api,
    catalogue::Catalogue,
    client::Client,
    player::Player,
    script::{Script, ScriptedAnswer},
    server::Mode,
};
use slopbench_judge::JudgeBudget;
use slopbench_slump::{
    Error, SlumpTask, check,
    pipeline::{
        MadeTask, PipelineError, PipelineModel, PipelineRequest, PipelineSettings, PipelineStage, estimate_task,
        make_task,
    },
};

const PARTS: [&str; 12] =
    ["amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath", "inlet", "jetty", "kelp", "loam"];

/// A document of some 300 words.
fn document() -> String {
    let sentence =
        "The tide turns a wheel of twelve parts, each part passes its load on, and the load obeys $x_{t+1} = a x_t$. ";
    format!("# How a harbour mill keeps time\n\nWe call it Harbour Clock.\n\n{}", sentence.repeat(14))
}

fn specification() -> Value {
    json!({
        "document_title": "How a harbour mill keeps time", "method_name": "Harbour Clock", "hidden": ["tidal escapement"],
        "summary": "A wheel of twelve parts that the tide turns.", "packages": ["numpy"],
        "idea": "Each part takes a load and passes on $x_{t+1} = a x_t$. ".repeat(20),
        "evaluation": {"datasets": ["tides"], "metrics": ["drift"], "description": "Drift is the mean error."},
        "implementation": "Write the parts, then chain them.",
        "design_alternatives": [{"design_id": "load", "description": "How loads pass.", "options": ["linear", "square"]}],
    })
}

fn id(index: usize) -> String {
    format!("c{:02}", index + 1)
}

fn components() -> Value {
    let component = |(index, name): (usize, &&str)| {
        // Each names the next alone: the other way round follows.
        let next = if index + 1 < PARTS.len() { index + 1 } else { index - 1 };
        json!({
            "id": id(index), "name": format!("The {name} part"), "description": format!("Passes the load of {name} on."),
            "formula": "x_{t+1} = a x_t", "inputs": ["x"], "outputs": ["y"], "connections": [id(next)], "wiring": "",
        })
    };
    json!({"components": PARTS.iter().enumerate().map(component).collect::<Vec<_>>()})
}

/// Ten versions: nothing, then one or two components each; 48 requests.
fn trajectory() -> Value {
    let version = |number: usize| {
        let decides: Vec<_> = match number {
            1 => Vec::new(),
            2..=7 => vec![id(number - 2)],
            _ => vec![id(2 * number - 10), id(2 * number - 9)],
        };
        json!({
            "id": number, "summary": format!("Step {number}."), "decides": decides,
            "sketches": if number == 1 { vec!["c02"] } else { vec![] },
            "words": if number == 6 { vec!["sluice gate"] } else { vec![] },
            "requests": if number < 9 { 5 } else { 4 },
        })
    };
    let alternative = json!({
        "design": "load", "component": "c02", "description": "A load that is squared.", "why_dropped": "It bursts.",
        "tried": 1, "dropped": 3,
    });
    json!({"versions": (1..=10).map(version).collect::<Vec<_>>(), "alternatives": [alternative]})
}

fn requests(number: usize) -> Value {
    let plan = &trajectory()["versions"][number - 1];
    let request = |index: usize| {
        let levels = |key: &str, level: u8| {
            let ids = plan[key].as_array().unwrap().clone();
            ids.into_iter().map(move |id| json!({"component": id, "level": level}))
        };
        let reveals: Vec<_> = match index {
            0 => levels("decides", 4).chain(levels("sketches", 1)).collect(),
            _ => Vec::new(),
        };
        json!({"text": format!("Please work on piece {index} of step {number} as I described."), "reveals": reveals})
    };
    let count = plan["requests"].as_u64().unwrap() as usize;
    json!({"requests": (0..count).map(request).collect::<Vec<_>>()})
}

/// What the script answers to each step.
fn answers() -> Vec<(String, String)> {
    let stages = [("STAGE A:", specification()), ("STAGE B:", components()), ("STAGE C:", trajectory())];
    let stages = stages.into_iter().map(|(asked, answer)| (asked.to_owned(), answer.to_string()));
    stages.chain((1..=10).map(|number| (of_version(number), requests(number).to_string()))).collect()
}

fn of_version(number: usize) -> String {
    format!("STAGE D: the requests of version {number}.")
}

struct Workshop(tempfile::TempDir);

impl Workshop {
    fn new() -> Self {
        let workshop = Self(tempfile::tempdir().unwrap());
        fs::write(workshop.document(), document()).unwrap();
        workshop
    }

    fn document(&self) -> std::path::PathBuf {
        self.0.path().join("mill.md")
    }

    fn dir(&self) -> std::path::PathBuf {
        self.0.path().join("quiet_wheel")
    }

    /// Makes the task with these answers, the first that fits being given.
    fn make(&self, answers: &[(String, String)], redo: bool, until: Option<PipelineStage>) -> Result<MadeTask, Error> {
        let model = model(answers);
        let (document, dir) = (self.document(), self.dir());
        make_task(&PipelineRequest { document: &document, dir: &dir, model: &model, redo, until })
    }

    /// The flaws of the last answer to a step, where there was no usable one.
    fn refused(&self, answers: &[(String, String)]) -> (String, u32, Vec<String>) {
        match self.make(answers, false, None) {
            Err(Error::Pipeline(PipelineError::Answer { step, attempts, flaws })) => {
                (step.to_string(), attempts, flaws.iter().map(ToString::to_string).collect())
            }
            other => panic!("{other:?}"),
        }
    }
}

fn model(answers: &[(String, String)]) -> PipelineModel {
    let answer = |(asked, text): &(String, String)| ScriptedAnswer {
        asked: asked.clone(),
        text: text.clone(),
        calls: Vec::new(),
    };
    let script = Script { answers: answers.iter().map(answer).collect(), ..Script::of_actions([]) };
    let player = Player { script, workspace: "/workspace".into(), tools: Vec::new(), finish_command: None };
    let prices = Catalogue::built_in().unwrap().prices;
    let client = Client::new(Api::AnthropicMessages, Mode::Scripted(player), "acme", prices, "2026-11-22");
    let (provider, model) = ("acme".to_owned(), "m".to_owned());
    let settings = PipelineSettings { provider, model, temperature: Some(0.0), max_tokens: 1000 };
    PipelineModel::new(client, settings, Arc::new(JudgeBudget::default()), NonZeroU32::new(2).unwrap()).unwrap()
}

/// The same answers with one in place of another.
fn with(answers: &[(String, String)], asked: &str, text: &str) -> Vec<(String, String)> {
    let put = |(one, old): &(String, String)| (one.clone(), if one == asked { text.to_owned() } else { old.clone() });
    answers.iter().map(put).collect()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn a_document_becomes_a_task_that_keeps_all_rules() {
    let workshop = Workshop::new();
    let made = workshop.make(&answers(), false, None).unwrap();
    assert_eq!((made.stages.len(), made.next, made.versions), (13, None, Some(10)));
    let task = SlumpTask::load(&workshop.dir()).unwrap();
    assert_eq!(check(&task), []);
    assert_eq!((task.components.len(), task.versions.len(), task.requests.len()), (12, 10, 48));
    assert_eq!((task.manifest.title.as_str(), task.component("c02").unwrap().connections.len()), ("Harbour Clock", 2));
    assert_eq!((&task.versions[0].tries, &task.versions[2].drops), (&vec!["a01".to_owned()], &vec!["a01".to_owned()]));
    // Again: nothing is asked, and nothing changes.
    let before = read(&workshop.dir().join("provenance.toml"));
    let again = workshop.make(&[], false, None).unwrap();
    assert!(again.stages.iter().all(|stage| !stage.asked));
    assert_eq!(read(&workshop.dir().join("provenance.toml")), before);
    // What a person changed is not overwritten; a frozen asset that changes is noticed by `check`.
    fs::write(workshop.dir().join("requests.toml"), "").unwrap();
    let error = workshop.make(&[], false, None).unwrap_err().to_string();
    assert!(error.contains("requests.toml: it was changed by hand"), "{error}");
    workshop.make(&[], true, None).unwrap();
    let asset = workshop.dir().join("assets/b-components.json");
    fs::write(&asset, read(&asset) + " ").unwrap();
    assert!(check(&SlumpTask::load(&workshop.dir()).unwrap()).iter().any(|flaw| flaw.file == "provenance.toml"));
}

#[test]
fn every_stage_is_resumed_and_nothing_is_asked_twice() {
    let (workshop, all) = (Workshop::new(), answers());
    for done in 0..all.len() {
        // The script knows the next answer alone, and has none to what is frozen.
        let error = workshop.make(&all[done..=done], false, None);
        assert_eq!(error.is_err(), done + 1 < all.len(), "{done}: {error:?}");
        let model = model(&[]);
        let (document, dir) = (workshop.document(), workshop.dir());
        let request = PipelineRequest { document: &document, dir: &dir, model: &model, redo: false, until: None };
        assert_eq!(estimate_task(&request).unwrap().cached, done as u64 + 1);
    }
    assert_eq!(check(&SlumpTask::load(&workshop.dir()).unwrap()), []);
}

#[test]
fn a_stage_may_be_the_last_for_now_and_what_changed_is_refused_or_made_anew() {
    let (workshop, all) = (Workshop::new(), answers());
    let made = workshop.make(&all, false, Some(PipelineStage::Components)).unwrap();
    assert_eq!((made.stages.len(), made.next.unwrap().to_string()), (2, "stage C (trajectory)".to_owned()));
    fs::write(workshop.document(), document() + "One more sentence.\n").unwrap();
    let error = workshop.make(&all, false, None).unwrap_err().to_string();
    assert!(error.contains("document.json: it was made from another document; put that back"), "{error}");
    let made = workshop.make(&all, true, Some(PipelineStage::Components)).unwrap();
    assert!(made.stages.iter().all(|stage| stage.asked));
    let asset = workshop.dir().join("assets/a-specification.json");
    fs::write(&asset, read(&asset).replace("\"acme\"", "\"apex\"")).unwrap();
    let error = workshop.make(&all, false, None).unwrap_err().to_string();
    assert!(error.contains("a-specification.json: it was made by apex/m, and acme/m is asked for"), "{error}");
}

/// Each answer is asked for twice; the error says the stage, and the place in the JSON.
#[test]
fn an_answer_of_no_use_is_asked_for_again_and_then_an_error_with_its_place() {
    let all = answers();
    let whole = specification().to_string();
    let mut lacking = components();
    lacking["components"][3].as_object_mut().unwrap().remove("name");
    let mut early = requests(3);
    early["requests"][1]["text"] = json!("Put a SluiceGate behind the first piece.");
    let mut titled = requests(4);
    titled["requests"][2]["text"] = json!("Let the harbour_mill_keeps the hour, please.");
    let mut stated = requests(2);
    stated["requests"][1]["reveals"] = json!([{"component": "c09", "level": 4}]);
    let rows = [
        ("STAGE A:", "It is about mills.".to_owned(), "stage A (specification)", "$: no JSON in it"),
        ("STAGE A:", whole[..200].to_owned(), "stage A (specification)", "$: the JSON breaks off"),
        ("STAGE B:", lacking.to_string(), "stage B (components)", "$.components[3]: missing field `name`"),
        (
            "STAGE D: the requests of version 3.",
            early.to_string(),
            "stage D (requests), version 3",
            "$.requests[1]: request 12: says \"sluice gate\", which version 6 decides",
        ),
        (
            "STAGE D: the requests of version 4.",
            titled.to_string(),
            "stage D (requests), version 4",
            "$.requests[2]: request 18: says a part of the document's title \"harbour mill keeps\"",
        ),
        (
            "STAGE D: the requests of version 2.",
            stated.to_string(),
            "stage D (requests), version 2",
            "$.requests[1].reveals[0].level: is 4, and version 9 decides c09",
        ),
    ];
    for (asked, text, step, flaw) in rows {
        let workshop = Workshop::new();
        let (stopped, attempts, flaws) = workshop.refused(&with(&all, asked, &text));
        assert_eq!((stopped.as_str(), attempts), (step, 2), "{flaws:?}");
        assert!(flaws[0].starts_with(flaw), "{flaws:?}");
        // A better answer at the second time of asking will do, and the first one's flaw is kept.
        let mended = all.iter().find(|(one, _)| one == asked).unwrap().1.clone();
        let again = [(format!("That cannot be used:\n- {flaw}"), mended)];
        let made = workshop.make(&[&again[..], &with(&all, asked, &text)].concat(), false, None).unwrap();
        assert_eq!(made.stages.iter().map(|stage| stage.refused).sum::<usize>(), 1);
    }
}

#[test]
fn what_is_no_document_is_refused() {
    let workshop = Workshop::new();
    for (name, text, expected) in [
        ("mill.docx", "", "no kind of document is called so; expected one of .md, .markdown, .txt, .pdf"),
        ("mill.txt", "Too short.", "2 words; expected a method"),
    ] {
        let (path, dir, model) = (workshop.0.path().join(name), workshop.dir(), model(&[]));
        fs::write(&path, text).unwrap();
        let request = PipelineRequest { document: &path, dir: &dir, model: &model, redo: false, until: None };
        let error = make_task(&request).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}
