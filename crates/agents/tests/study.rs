//! A study of two agents in a loop of unknown length: an architect says what comes next, a programmer does it, until the
//! architect has no more to say. Both remember nothing but the workspace.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    num::NonZeroUsize,
    path::Path,
    time::Duration,
};

use slopbench_agents::stage::{
    Answers, Conversation, Equipment, SESSION, Settlement, StageError, StageRecord, Worker, WorkerStage,
};
use slopbench_runner::{
    Assignment, Budget, EndedStage, Instrument, Plan, Run, RunFolder, RunStore, SettledStage, Stage, Study, Threads,
    read_json,
};
use slopbench_sandbox::probe;
use slopbench_test_support::{Need, need};

/// Asks for one more line until the file has as many as the unit's name says.
const ARCHITECT: &str = "rm -f request; test $(wc -l < lines) -ge ${1#lines-} || echo 'one more' > request";
const PROGRAMMER: &str = "cat request >> lines";

struct Loop {
    equipment: Equipment,
}

impl Study for Loop {
    type Error = StageError;

    fn units(&self) -> Vec<String> {
        ["lines-0", "lines-1", "lines-3"].map(str::to_owned).into()
    }

    fn next(&self, store: &RunStore, unit: &str) -> Result<Option<Stage>, StageError> {
        for epoch in 1.. {
            for role in ["architect", "programmer"] {
                let name = format!("epoch_{epoch}/{role}");
                let Some(folder) = store.stage(unit, &name)? else { return Ok(Some(Stage::paid(name))) };
                let record: StageRecord = read_json(&folder.join(SESSION))?;
                let workspace = record.workspace.map(|id| store.tree(id)).transpose()?;
                let asks = workspace.is_some_and(|workspace| workspace.join("request").exists());
                if !record.outcome.is_done() || (role == "architect" && !asks) {
                    return Ok(None);
                }
            }
        }
        Ok(None)
    }

    fn carry_out(&self, assignment: &Assignment<'_>) -> Result<EndedStage, StageError> {
        let script = if assignment.stage.ends_with("architect") { ARCHITECT } else { PROGRAMMER };
        let script = format!("touch lines; {script}");
        let session = WorkerStage {
            equipment: &self.equipment,
            worker: &Worker::Command { words: ["sh", "-c", &script, "sh", "{prompt}"].map(str::to_owned).into() },
            prompt: assignment.unit,
            before: last(assignment.store, assignment.unit)?.and_then(|record| record.workspace),
            conversation: Conversation::New,
            keeps_home: false,
            reference: None,
            assets: None,
            variables: &BTreeMap::new(),
            declared: None,
            packages: None,
            answers: &Answers::Model,
            script: None,
            allowed_hosts: &BTreeSet::new(),
            limit: Duration::from_secs(60),
            assignment,
            hide: &[],
        };
        session.carry_out()
    }

    fn settle(&self, assignment: &Assignment<'_>, ended: &Path) -> Result<SettledStage, StageError> {
        Ok(Settlement { assignment, ended, extension: None }.carry_out()?.1)
    }
}

/// The record of a unit's last stage.
fn last(store: &RunStore, unit: &str) -> Result<Option<StageRecord>, StageError> {
    let names = (1..).flat_map(|epoch| ["architect", "programmer"].map(|role| format!("epoch_{epoch}/{role}")));
    let mut last = None;
    for name in names {
        let Some(folder) = store.stage(unit, &name)? else { break };
        last = Some(read_json(&folder.join(SESSION))?);
    }
    Ok(last)
}

#[test]
fn a_loop_ends_when_the_architect_has_no_more_to_say() {
    if need(Need::Namespaces, probe::available()).is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let folder = RunFolder::create(&dir.path().join("run"), Plan::new("loop", "three loops".to_owned())).unwrap();
    let study = Loop { equipment: Equipment::none() };
    let instrument = Instrument::default();
    let run = || Run {
        study: &study,
        store: &folder.store,
        instrument: &instrument,
        accept_difference: false,
        budget: Budget::default(),
        watch: &(),
    };
    // One unit by itself, as on another machine; then all, of which it is done.
    run().carry_out_unit("lines-1").unwrap();
    let coordinator = folder.store.coordinate().unwrap();
    let end = run().carry_out(&coordinator, &Threads(NonZeroUsize::new(2).unwrap())).unwrap();
    assert!(end.broken.is_empty() && end.stopped.is_none(), "{end:?}");
    for (unit, lines, stages) in [("lines-0", 0, 1), ("lines-1", 1, 3), ("lines-3", 3, 7)] {
        let store = &folder.store;
        let left = store.tree(last(store, unit).unwrap().unwrap().workspace.unwrap()).unwrap();
        assert_eq!(fs::read_to_string(left.join("lines")).unwrap().lines().count(), lines, "{unit}");
        let epochs = fs::read_dir(store.root.join("units").join(unit)).unwrap().flatten();
        let kept: usize = epochs.map(|epoch| fs::read_dir(epoch.path()).unwrap().count()).sum();
        assert_eq!(kept, stages, "{unit}");
    }
}
