//! What a run of the study is to do.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Not,
};

use serde::{Deserialize, Serialize};
use slopbench_agents::stage::{Answers, Worker};
use slopbench_digest::{Listing, Sha256};

use super::{guard_choice::PlannedGuard, stages::SessionStage};
use crate::{
    Error,
    condition::{Disclosure, SlumpCondition},
    task::SlumpTask,
};

/// The limit of a request, in seconds of wall-clock time.
pub const DEFAULT_REQUEST_SECONDS: u64 = 2 * 60 * 60;

/// Tasks × conditions × workers × repeats.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlumpDesign {
    /// What is to be built, by name.
    pub tasks: BTreeMap<String, PlannedTask>,
    /// What the single shot is given.
    pub document: SlumpDocument,
    /// Wall-clock time for one request, in seconds.
    pub limit_seconds: u64,
    /// Where the answers of workers' models come from.
    #[serde(default, skip_serializing_if = "Answers::is_model")]
    pub answers: Answers,
    /// Whether workers read the package indexes of Python and npm.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub package_indexes: bool,
    /// Who guards sessions under guarded conditions; absent where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guard: Option<PlannedGuard>,
    /// The limit of the tests that agents wrote, in seconds of wall-clock time; absent where they are not run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_tests: Option<u64>,
    /// In the order in which they begin.
    pub sessions: Vec<SlumpSession>,
}

/// A task as it was when the run was planned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedTask {
    /// See [`SlumpTask::digest`].
    pub digest: Sha256,
    /// How many requests it has.
    pub requests: usize,
    /// The digest of its reference, where a worker of the run plays that; absent in plans of before, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<Sha256>,
}

/// What the single shot is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SlumpDocument {
    /// The canonical specification (section 2.2).
    #[default]
    Specification,
    /// The document that it was taken from (section 4.1).
    Paper,
}

/// One agent on one task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlumpSession {
    /// Unique in the plan; also the name of its folder.
    pub id: String,
    /// The task.
    pub task: String,
    /// How it is disclosed.
    pub condition: SlumpCondition,
    /// Who works.
    pub worker: Worker,
    /// From 1.
    pub repeat: u32,
}

/// What makes up a design.
#[derive(Debug)]
pub struct SessionChoice<'a> {
    /// The tasks.
    pub tasks: &'a [SlumpTask],
    /// The conditions.
    pub conditions: &'a [SlumpCondition],
    /// Who works on each.
    pub workers: &'a [Worker],
    /// How often each is done.
    pub repeats: u32,
    /// See [`SlumpDesign::document`].
    pub document: SlumpDocument,
    /// See [`SlumpDesign::limit_seconds`].
    pub limit_seconds: u64,
    /// See [`SlumpDesign::answers`].
    pub answers: Answers,
    /// Whether workers are cut off from package indexes. They are in any case where answers are recorded or replayed: a replay
    /// could not have the same packages.
    pub offline: bool,
    /// See [`SlumpDesign::guard`].
    pub guard: Option<&'a PlannedGuard>,
    /// See [`SlumpDesign::own_tests`].
    pub own_tests: Option<u64>,
}

impl SlumpDesign {
    /// Every session of a choice.
    ///
    /// # Errors
    ///
    /// [`Error::Design`] if there is none, two have one id, or there is a guarded condition without a guard or a guard without one;
    /// [`Error::Read`] if a task cannot be read.
    pub fn new(choice: &SessionChoice<'_>) -> Result<Self, Error> {
        match (choice.conditions.iter().find(|condition| condition.guarded), choice.guard) {
            (Some(guarded), None) => {
                let message = format!("the condition {guarded} needs a guard; name its model, or that it has none");
                return Err(Error::Design(message));
            }
            (None, Some(_)) => {
                return Err(Error::Design("no condition has a guard; leave it out, or name a guarded one".to_owned()));
            }
            _ => {}
        }
        let mut sessions: Vec<SlumpSession> = Vec::new();
        for repeat in 1..=choice.repeats {
            for task in choice.tasks {
                for worker in choice.workers {
                    let of = |condition: &SlumpCondition| SlumpSession::new(task, *condition, worker, repeat);
                    sessions.extend(choice.conditions.iter().map(of));
                }
            }
        }
        let mut ids = BTreeSet::new();
        if let Some(twice) = sessions.iter().find(|session| !ids.insert(&session.id)) {
            return Err(Error::Design(format!(
                "{} is planned twice; name each task, condition and worker once",
                twice.id
            )));
        }
        if sessions.is_empty() {
            return Err(Error::Design("nothing is planned; name a task, a condition and a worker".to_owned()));
        }
        let plays_reference = choice.workers.iter().any(|worker| match worker {
            Worker::Reference => true,
            // A scripted model writes it.
            Worker::Agent { model, .. } => model.provider.is_none(),
            Worker::Noop | Worker::Command { .. } => false,
        });
        let planned = |task: &SlumpTask| Ok((task.name.clone(), PlannedTask::of(task, plays_reference)?));
        Ok(Self {
            tasks: choice.tasks.iter().map(planned).collect::<Result<_, Error>>()?,
            document: choice.document,
            limit_seconds: choice.limit_seconds,
            answers: choice.answers.clone(),
            package_indexes: !choice.offline && choice.answers.is_model(),
            guard: choice.guard.cloned(),
            own_tests: choice.own_tests,
            sessions,
        })
    }

    /// The session with this id.
    pub fn session(&self, id: &str) -> Option<&SlumpSession> {
        self.sessions.iter().find(|session| session.id == id)
    }

    /// Who works in the run.
    pub fn workers(&self) -> impl Iterator<Item = &Worker> + Clone {
        self.sessions.iter().map(|session| &session.worker)
    }

    /// How many requests a session has.
    pub fn turns(&self, session: &SlumpSession) -> usize {
        match session.condition.disclosure {
            Disclosure::SingleShot => 1,
            Disclosure::Emergent => self.tasks.get(&session.task).map_or(0, |task| task.requests),
        }
    }

    /// The stages of a session, in order.
    pub(super) fn stages(&self, session: &SlumpSession) -> impl Iterator<Item = SessionStage> {
        let guarded = session.condition.guarded;
        let of_requests = (1..=self.turns(session)).flat_map(move |request| SessionStage::of_request(request, guarded));
        of_requests.chain(self.own_tests.map(|_| SessionStage::Tests))
    }

    /// How many stages a session has.
    pub fn stage_count(&self, session: &SlumpSession) -> usize {
        self.stages(session).count()
    }

    /// Whether `tasks` are those that were planned.
    ///
    /// # Errors
    ///
    /// [`Error::Design`] if one is missing or another one now.
    pub fn admit(&self, tasks: &BTreeMap<String, SlumpTask>) -> Result<(), Error> {
        for (name, planned) in &self.tasks {
            let now = tasks.get(name).map(|task| PlannedTask::of(task, planned.reference.is_some())).transpose()?;
            if now.as_ref() != Some(planned) {
                return Err(Error::Design(format!("the task {name} is not the one that was planned; restore it")));
            }
        }
        Ok(())
    }
}

impl PlannedTask {
    /// The task as it is now, with its reference where that is played.
    ///
    /// # Errors
    ///
    /// [`Error::Read`] if a file of it cannot be read.
    pub fn of(task: &SlumpTask, plays_reference: bool) -> Result<Self, Error> {
        let reference = task.reference().filter(|_| plays_reference);
        let reference = reference.map(|folder| Ok::<_, Error>(Listing::of_dir(&folder, "")?.digest())).transpose()?;
        Ok(Self { digest: task.digest()?, requests: task.requests.len(), reference })
    }
}

impl SlumpSession {
    fn new(task: &SlumpTask, condition: SlumpCondition, worker: &Worker, repeat: u32) -> Self {
        let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "-_.".contains(sign);
        let parts = [task.name.clone(), condition.name().to_owned(), worker.label()];
        // It names a folder, and a provider's own name of a model may hold anything.
        let model = worker.model().map(|model| model.replace(|sign: char| !is_plain(sign), "_"));
        let parts = parts.into_iter().chain(model).chain([repeat.to_string()]);
        let id = parts.collect::<Vec<_>>().join("--");
        Self { id, task: task.name.clone(), condition, worker: worker.clone(), repeat }
    }

    /// Who works, as tables call it: an agent in a version, its model, and how hard that is asked to think. Two efforts are two
    /// platforms.
    pub fn platform(&self) -> String {
        match &self.worker {
            Worker::Agent { model, .. } => format!("{} {} ({})", self.worker.label(), model.name, model.reasoning),
            worker => worker.label(),
        }
    }
}
