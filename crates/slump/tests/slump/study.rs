//! Sessions of a small agent that goes on with conversations, against a scripted model.

use std::{
    collections::BTreeMap,
    env, fs,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use slopbench_agents::stage::{Answers, Worker};
use slopbench_gateway::script::Action;
use slopbench_guard::GuardSettings;
use slopbench_sandbox::probe;
use slopbench_slump::{
    Error, SlumpCondition, SlumpTask,
    study::{
        PlannedGuard, ScriptedTurn, SessionChoice, SessionLeft, SlumpDesign, SlumpDocument, SlumpFolder, SlumpSummary,
        TurnActions, left_after, reference_actions, turn_record,
    },
};
use slopbench_test_support::{Need, need};

use crate::{bench::Bench, fixture::TaskFixture};

/// Set in the process that is to be killed, with the folder that it works in.
const CHILD: &str = "SLOPBENCH_SLUMP_CHILD";

/// One line for each request, and a commit.
fn lines(&ScriptedTurn { request: number, .. }: &ScriptedTurn<'_>) -> Result<Vec<Action>, Error> {
    Ok(vec![Action::Run(format!(
        "echo {number} >> lines; mkdir -p .git; echo {number} >> .git/log; echo {number} >> ~/memory"
    ))])
}

/// What the agent was told in a conversation, and how often it acted, by the home that request `last` left.
fn conversation(folder: &SlumpFolder, unit: &str, last: usize) -> (Vec<String>, usize) {
    let (_, turn) = turn_record(&folder.store, unit, last).unwrap().unwrap();
    let state = folder.store.tree(turn.state.unwrap()).unwrap();
    let text = fs::read_to_string(state.join("home/.conversations/conversation-1.json")).unwrap();
    let messages: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
    let told = messages.iter().filter_map(|message| Some(message["content"].as_str()?.to_owned())).collect();
    let results = messages.iter().filter_map(|message| message["content"].as_array()).flatten();
    (told, results.filter(|block| block["type"] == "tool_result").count())
}

/// How many of the session's requests are kept.
fn kept(root: &Path, unit: &str) -> usize {
    fs::read_dir(root.join("run/units").join(unit)).into_iter().flatten().count()
}

#[test]
fn a_session_that_is_killed_at_request_31_of_60_goes_on_and_nothing_is_asked_twice() {
    if need(Need::Namespaces, probe::available()).is_none() {
        return;
    }
    let (task, folder) = (TaskFixture::with_requests(60), tempfile::tempdir().unwrap());
    let root = env::var_os(CHILD).map_or_else(|| folder.path().to_path_buf(), PathBuf::from);
    let bench = Bench::new(&root, [&task]);
    let run = bench.open(&[Bench::agent()], &[SlumpCondition::EMERGENT]);
    if env::var_os(CHILD).is_some() {
        return bench.run(&run, &lines, None);
    }
    let unit = run.plan.design.sessions[0].id.clone();
    // The same test in a process of its own.
    let name = "study::a_session_that_is_killed_at_request_31_of_60_goes_on_and_nothing_is_asked_twice";
    let mut child = Command::new(env::current_exe().unwrap());
    child.args(["--exact", name, "--nocapture"]).env(CHILD, &root).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = child.spawn().unwrap();
    let patience = Instant::now();
    while kept(&root, &unit) < 30 {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        assert!(patience.elapsed() < Duration::from_secs(600), "{} requests", kept(&root, &unit));
        thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().signal(), Some(9));
    let done = kept(&root, &unit);
    let seal = |request: usize| {
        fs::read(root.join("run/units").join(&unit).join(format!("request_{request:02}/seal.json"))).unwrap()
    };
    let session = |request: usize| {
        fs::read(root.join("run/units").join(&unit).join(format!("request_{request:02}/session.json"))).unwrap()
    };
    let before: Vec<_> = (1..=done).map(|request| (seal(request), session(request))).collect();
    bench.run(&run, &lines, None);
    // What was done before the kill is as it was, clocks and all.
    assert!((30..60).contains(&done), "{done}");
    assert_eq!((1..=done).map(|request| (seal(request), session(request))).collect::<Vec<_>>(), before);
    assert_eq!(kept(&root, &unit), 60);
    let (told, acted) = conversation(&run, &unit, 59);
    let asked: Vec<_> = bench.tasks["tidal_mill"].requests[..59].iter().map(|request| request.text.as_str()).collect();
    assert!(told[0].ends_with(asked[0]) && told[0].starts_with("Work in the current folder"), "{}", told[0]);
    assert_eq!(told[1..], asked[1..]);
    assert_eq!(acted, 59);
    let summary = SlumpSummary::read(&run).unwrap();
    let session = &summary.sessions[0];
    assert!(summary.complete && session.restarts == 0, "{summary:?}");
    assert_eq!(session.outcomes, BTreeMap::from([("done".to_owned(), 60)]));
    // An action and the end: two turns a request, in a conversation that grows.
    assert!(session.contexts.iter().all(|turns| turns.len() == 2), "{:?}", session.contexts);
    assert!(session.contexts.windows(2).all(|pair| pair[0][0] < pair[1][0]), "{:?}", session.contexts);
    // The small agent says so of every request from the twelfth on: 4 messages each, more than 40 before it.
    assert_eq!(session.compactions, Some(49));
    let left = run.store.tree(session.workspace.unwrap()).unwrap();
    let numbers: String = (1..=60).map(|number| format!("{number}\n")).collect();
    assert_eq!(fs::read_to_string(left.join("lines")).unwrap(), numbers);
    // Version control and home go on from request to request, and are no part of the snapshot.
    let (_, turn) = turn_record(&run.store, &unit, 59).unwrap().unwrap();
    let state = run.store.tree(turn.state.unwrap()).unwrap();
    let upto: String = (1..=59).map(|number| format!("{number}\n")).collect();
    for file in ["workspace/.git/log", "home/memory"] {
        assert_eq!(fs::read_to_string(state.join(file)).unwrap(), upto, "{file}");
    }
    assert!(!left.join(".git").exists());
}

/// What a model answered answers again, in a conversation that goes on, too.
#[test]
fn a_recorded_session_is_replayed_without_its_model() {
    if need(Need::Namespaces, probe::available()).is_none() {
        return;
    }
    let (task, folder) = (TaskFixture::with_requests(3), tempfile::tempdir().unwrap());
    let mut bench = Bench::new(folder.path(), [&task]);
    let mut session = |name: &str, answers: Answers, actions: &TurnActions<'_>| {
        bench.answers = answers;
        let run = bench.open_in(name, &[Bench::agent()], &[SlumpCondition::EMERGENT]);
        bench.run(&run, actions, None);
        (run.store.root.clone(), SlumpSummary::read(&run).unwrap())
    };
    let (run, recorded) = session("recorded", Answers::Recorded, &lines);
    assert!(recorded.complete && recorded.sessions[0].outcomes == BTreeMap::from([("done".to_owned(), 3)]));
    let nobody = |turn: &ScriptedTurn<'_>| Err(Error::NoReference(turn.task.name.clone()));
    let (_, replayed) = session("replayed", Answers::Replayed { run }, &nobody);
    assert_eq!(replayed.sessions, recorded.sessions);
}

/// Both conditions leave the reference: nothing is lost.
#[test]
fn a_scripted_model_builds_the_reference_under_both_conditions() {
    if need(Need::Namespaces, probe::available()).is_none() {
        return;
    }
    let (task, folder) = (TaskFixture::with_requests(4), tempfile::tempdir().unwrap());
    let files = [
        ("mill/__init__.py", ""),
        ("mill/stone.py", "def grind(corn):\n    return corn / 2\n"),
        ("mill/wheel.py", "def turn(moon):\n    return moon + 1\n\n\ndef stop():\n    pass\n"),
        (
            "run.py",
            "from mill.stone import grind\nfrom mill import wheel\n\nif __name__ == \"__main__\":\n    grind(wheel.turn(1))\n",
        ),
    ];
    for (path, text) in files {
        let path = task.dir().join("reference").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let bench = Bench::new(folder.path(), [&task]);
    let conditions = [SlumpCondition::EMERGENT, SlumpCondition::SINGLE_SHOT];
    // A program has no conversation but its home, and no model.
    let script = "echo $(cat ~/count)x > ~/count; cp ~/count count; echo \"$0\" | tail -n 1 >> told";
    let program = Worker::Command { words: ["sh", "-c", script, "{prompt}"].map(str::to_owned).into() };
    let run = bench.open(&[Bench::agent(), program], &conditions);
    bench.run(&run, &reference_actions, None);
    let summary = SlumpSummary::read(&run).unwrap();
    let figures: Vec<_> =
        summary.sessions.iter().map(|one| (one.done, one.integration.as_ref().unwrap().dir)).collect();
    assert_eq!(figures, [(4, 2.0 / 3.0), (1, 2.0 / 3.0), (4, 0.0), (1, 0.0)]);
    assert_eq!(summary.sessions[0].workspace, summary.sessions[1].workspace);
    let reference = slopbench_digest::tree_id(&task.dir().join("reference")).unwrap();
    assert_eq!(summary.sessions[0].workspace, Some(reference));
    let left = run.store.tree(summary.sessions[2].workspace.unwrap()).unwrap();
    assert_eq!(fs::read_to_string(left.join("count")).unwrap(), "xxxx\n");
    let asked: String = bench.tasks["tidal_mill"].requests.iter().map(|request| request.text.clone() + "\n").collect();
    assert_eq!(fs::read_to_string(left.join("told")).unwrap(), asked);
    assert_eq!((summary.sessions[2].restarts, summary.sessions[2].compactions), (0, None));
    let scores = summary.scores();
    assert_eq!(scores.len(), 4);
}

/// What cannot be kept is no empty repository: it has no figure, and the next request begins with what was kept last.
#[test]
fn an_end_that_is_too_large_to_be_kept_is_no_zero() {
    if need(Need::Namespaces, probe::available()).is_none() {
        return;
    }
    let (task, folder) = (TaskFixture::with_requests(2), tempfile::tempdir().unwrap());
    let bench = Bench::new(folder.path(), [&task]);
    let program = |script: &str| Worker::Command { words: ["sh", "-c", script].map(str::to_owned).into() };
    let run = bench.open(&[program("truncate -s 2G results.csv")], &[SlumpCondition::SINGLE_SHOT]);
    bench.run(&run, &reference_actions, None);
    let summary = SlumpSummary::read(&run).unwrap();
    let session = &summary.sessions[0];
    assert_eq!(session.outcomes, BTreeMap::from([("too-large".to_owned(), 1)]));
    assert!(summary.complete && session.not_kept && session.integration.is_none(), "{session:?}");
    assert_eq!((session.workspace, summary.scores().len()), (None, 0));
    assert_eq!(left_after(&run.store, &session.id, 1).unwrap(), Some(SessionLeft::NotKept));
}

#[test]
fn a_plan_is_refused_where_it_is_none() {
    let task = TaskFixture::new();
    let task = SlumpTask::load(&task.dir()).unwrap();
    let planned = PlannedGuard { settings: GuardSettings::default(), model: None };
    let design_with = |guard: Option<&PlannedGuard>, conditions: &[SlumpCondition], workers: &[Worker]| {
        let choice = SessionChoice {
            tasks: std::slice::from_ref(&task),
            conditions,
            workers,
            repeats: 1,
            document: SlumpDocument::Paper,
            limit_seconds: 1,
            answers: Answers::Model,
            offline: true,
            guard,
            own_tests: None,
        };
        SlumpDesign::new(&choice).map(|design| design.sessions.len()).map_err(|error| error.to_string())
    };
    let design = |conditions: &[SlumpCondition], workers: &[Worker]| design_with(None, conditions, workers);
    assert_eq!(design(&[SlumpCondition::EMERGENT], &[Worker::Noop]), Ok(1));
    assert_eq!(design_with(Some(&planned), &SlumpCondition::ALL, &[Worker::Noop]), Ok(4));
    let idle = design_with(Some(&planned), &[SlumpCondition::EMERGENT], &[Worker::Noop]).unwrap_err();
    assert!(idle.starts_with("no condition has a guard"), "{idle}");
    let guarded = design(&[SlumpCondition::EMERGENT_GUARDED], &[Worker::Noop]);
    assert_eq!(
        guarded,
        Err("the condition emergent-guarded needs a guard; name its model, or that it has none".to_owned())
    );
    let twice = design(&[SlumpCondition::EMERGENT, SlumpCondition::EMERGENT], &[Worker::Noop]).unwrap_err();
    assert!(twice.contains("is planned twice"), "{twice}");
    assert!(design(&[], &[Worker::Noop]).unwrap_err().contains("nothing is planned"));
}
