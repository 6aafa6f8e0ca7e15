//! What a plan says of tasks and workers, and what it is asked of those that a user brought.

use std::{collections::BTreeMap, fs};

use slopbench_agents::{
    catalogue::AgentCatalogue,
    stage::{Answers, Equipment, ModelChoice, ProviderAccess, Worker},
};
use slopbench_slump::{
    SlumpCondition, SlumpTask,
    study::{SessionChoice, SlumpDesign, SlumpDocument},
};

use crate::{bench::Bench, fixture::TaskFixture};

fn design(task: &SlumpTask, worker: Worker) -> SlumpDesign {
    let choice = SessionChoice {
        tasks: std::slice::from_ref(task),
        conditions: &[SlumpCondition::EMERGENT],
        workers: &[worker],
        repeats: 1,
        document: SlumpDocument::default(),
        limit_seconds: 1,
        answers: Answers::Model,
        offline: true,
        guard: None,
        own_tests: None,
    };
    SlumpDesign::new(&choice).unwrap()
}

#[test]
fn a_reference_that_is_played_is_a_part_of_the_plan_and_no_other_is() {
    let fixture = TaskFixture::new();
    fs::create_dir_all(fixture.dir().join("reference")).unwrap();
    let write = |text: &str| fs::write(fixture.dir().join("reference/mill.py"), text).unwrap();
    write("x = 1\n");
    let task = SlumpTask::load(&fixture.dir()).unwrap();
    let designs = [Worker::Reference, Bench::agent(), Worker::Noop].map(|worker| design(&task, worker));
    let tasks = BTreeMap::from([(task.name.clone(), task)]);
    let admitted = || designs.each_ref().map(|design| design.admit(&tasks).is_ok());
    assert_eq!(admitted(), [true; 3]);
    write("x = 2\n");
    assert_eq!(admitted(), [false, false, true], "a scripted model writes the reference, too");
    let plan = serde_json::to_value(&designs[2]).unwrap();
    assert!(plan["tasks"][tasks.keys().next().unwrap()].get("reference").is_none(), "{plan}");
}

#[test]
fn two_efforts_of_one_model_are_two_platforms() {
    let fixture = TaskFixture::new();
    let task = SlumpTask::load(&fixture.dir()).unwrap();
    let of = |effort: &str| {
        let Worker::Agent { name, version, model } = Bench::agent() else { unreachable!() };
        let model = ModelChoice { reasoning: effort.to_owned(), ..model };
        design(&task, Worker::Agent { name, version, model }).sessions[0].platform()
    };
    assert_eq!(
        [of("low"), of("high")],
        ["low", "high"].map(|effort| format!("claude-code-2.1.329 scripted ({effort})"))
    );
    assert_eq!(design(&task, Worker::Noop).sessions[0].platform(), "noop");
}

/// Compactions are read in this format.
#[test]
fn the_events_of_a_users_own_agent_are_read_in_its_own_format() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("agents/own")).unwrap();
    fs::write(folder.path().join("agents/own/run.sh"), "#!/bin/sh\n").unwrap();
    let text = "format = \"slopbench.agent/2\"\nname = \"own\"\ntitle = \"Own\"\napi = \"anthropic-messages\"\n\
                events = {format = \"claude-code\", from = \"stdout\"}\ninstall = {folder = \"own\", program = \"run.sh\"}\n\
                versions = [{version = \"1\"}]\nscripted_model = \"s\"\narguments = [\"{prompt}\"]\n";
    fs::write(folder.path().join("agents/own.toml"), text).unwrap();
    let mut catalogue = AgentCatalogue::built_in().unwrap();
    catalogue.add_user(folder.path()).unwrap();
    let Worker::Agent { model, .. } = Bench::agent() else { unreachable!() };
    let own = Worker::Agent { name: "own".to_owned(), version: "1".to_owned(), model };
    let workers = [own.clone(), Worker::Noop];
    let access = ProviderAccess::default();
    let equipment = Equipment::for_workers(workers.iter(), &catalogue, access, folder.path(), false, &|_, _| ());
    let equipment = equipment.unwrap();
    assert_eq!(workers.each_ref().map(|worker| equipment.event_format(worker)), [Some("claude-code"), None]);
}
