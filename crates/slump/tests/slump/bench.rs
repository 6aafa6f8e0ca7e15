//! A small agent that goes on with conversations, installed beside runs of some tasks.

use std::{
    collections::BTreeMap,
    fs,
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use slopbench_agents::{
    catalogue::AgentCatalogue,
    stage::{Answers, Equipment, ModelChoice, ProviderAccess, Worker},
};
use slopbench_runner::{Budget, Instrument, Run, RunEnd, Threads};
use slopbench_slump::{
    Error, SlumpCondition, SlumpTask,
    study::{
        GuardAccess, PlannedGuard, SLUMP_STUDY, SessionChoice, Slump, SlumpDesign, SlumpDocument, SlumpFolder,
        SlumpPlan, TurnActions,
    },
};

use crate::fixture::TaskFixture;

/// A folder with a run, an installed agent and tasks.
pub(crate) struct Bench {
    pub(crate) root: PathBuf,
    pub(crate) tasks: BTreeMap<String, SlumpTask>,
    /// Who guards guarded sessions.
    pub(crate) guard: Option<PlannedGuard>,
    /// The limit of agents' own tests, where they are run.
    pub(crate) own_tests: Option<u64>,
    pub(crate) access: ProviderAccess,
    /// Where the answers of its runs' models come from.
    pub(crate) answers: Answers,
    pub(crate) jobs: NonZeroUsize,
}

impl Bench {
    pub(crate) fn new<'f>(root: &Path, tasks: impl IntoIterator<Item = &'f TaskFixture>) -> Self {
        let place = root.join("agents/claude-code-2.1.329");
        let programs = place.join("node_modules/.bin");
        fs::create_dir_all(&programs).unwrap();
        let agent = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/agent/claude");
        fs::copy(agent, programs.join("claude")).unwrap();
        fs::write(place.join("complete"), "").unwrap();
        let tasks = tasks.into_iter().map(|task| SlumpTask::load(&task.dir()).unwrap());
        Self {
            root: root.to_path_buf(),
            tasks: tasks.map(|task| (task.name.clone(), task)).collect(),
            guard: None,
            own_tests: None,
            access: ProviderAccess::default(),
            answers: Answers::Model,
            jobs: NonZeroUsize::MIN,
        }
    }

    pub(crate) fn agent() -> Worker {
        let model = ModelChoice {
            name: "scripted".to_owned(),
            id: "claude-sonnet-4-5-20250929".to_owned(),
            provider: None,
            reasoning: "medium".to_owned(),
        };
        Worker::Agent { name: "claude-code".to_owned(), version: "2.1.329".to_owned(), model }
    }

    pub(crate) fn open(&self, workers: &[Worker], conditions: &[SlumpCondition]) -> SlumpFolder {
        self.open_in("run", workers, conditions)
    }

    pub(crate) fn open_in(&self, name: &str, workers: &[Worker], conditions: &[SlumpCondition]) -> SlumpFolder {
        let tasks: Vec<_> = self.tasks.values().cloned().collect();
        let choice = SessionChoice {
            tasks: &tasks,
            conditions,
            workers,
            repeats: 1,
            document: SlumpDocument::default(),
            limit_seconds: 60,
            answers: self.answers.clone(),
            offline: true,
            guard: self.guard.as_ref(),
            own_tests: self.own_tests,
        };
        let plan = SlumpPlan::new(SLUMP_STUDY, SlumpDesign::new(&choice).unwrap());
        SlumpFolder::create(&self.root.join(name), plan).unwrap()
    }

    /// Does what is missing.
    pub(crate) fn run(&self, folder: &SlumpFolder, actions: &TurnActions<'_>, guard: Option<&GuardAccess>) {
        let end = self.carry_out(folder, actions, guard);
        assert!(end.broken.is_empty() && end.stopped.is_none(), "{end:?}");
    }

    /// The same, which may come to no good end.
    pub(crate) fn carry_out(
        &self,
        folder: &SlumpFolder,
        actions: &TurnActions<'_>,
        guard: Option<&GuardAccess>,
    ) -> RunEnd<Error> {
        let catalogue = AgentCatalogue::built_in().unwrap();
        let design = &folder.plan.design;
        let (cache, access) = (self.root.join("agents"), self.access.clone());
        let equipment =
            Equipment::for_workers(design.workers(), &catalogue, access, &cache, false, &|_, _| panic!("installed"));
        let (equipment, tasks, hide) = (equipment.unwrap(), &self.tasks, vec![folder.store.root.clone()]);
        let study = Slump { design, tasks, equipment: &equipment, actions, guard, environments: None, hide };
        let run = Run {
            study: &study,
            store: &folder.store,
            instrument: &Instrument::default(),
            accept_difference: false,
            budget: Budget::default(),
            watch: &(),
        };
        run.carry_out(&folder.store.coordinate().unwrap(), &Threads(self.jobs)).unwrap()
    }
}
