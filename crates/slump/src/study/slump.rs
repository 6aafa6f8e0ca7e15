//! The study's units and stages.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use slopbench_agents::stage::{AnswerSource, Conversation, Equipment, Settlement, StageRecord, Worker, WorkerStage};
use slopbench_digest::{TreeId, canonical};
use slopbench_gateway::script::Action;
use slopbench_runner::{Assignment, EndedStage, RunStore, SettledStage, Stage, Study, write};
use slopbench_sandbox::snapshot::{CopyRules, Snapshot, SnapshotError};

use super::{
    design::{SlumpDesign, SlumpSession},
    left::{SessionLeft, left_after},
    prompt::prompt,
    script::script,
    turn::{TURN, TURN_FORMAT, TurnRecord, context_sizes, request_of, stage_name, told_compactions, turn_record},
};
use crate::{Error, task::SlumpTask};

/// The name of this study in plans.
pub const SLUMP_STUDY: &str = "slump";

/// A plan of this study.
pub type SlumpPlan = slopbench_runner::Plan<SlumpDesign>;

/// A run of this study on the disk.
pub type SlumpFolder = slopbench_runner::RunFolder<SlumpDesign>;

/// What a scripted model does in request `number` of so many of a task, as [`super::reference_actions`] has it.
pub type TurnActions<'a> = dyn Fn(&SlumpTask, usize, usize) -> Result<Vec<Action>, Error> + Sync + 'a;

/// SLUMP: sessions of tasks under conditions.
pub struct Slump<'a> {
    /// What is to be done.
    pub design: &'a SlumpDesign,
    /// Its tasks, by name.
    pub tasks: &'a BTreeMap<String, SlumpTask>,
    /// What its workers need.
    pub equipment: &'a Equipment,
    /// What scripted models do.
    pub actions: &'a TurnActions<'a>,
    /// What no worker may see: tasks, the repository, and the run's own folder.
    pub hide: Vec<PathBuf>,
}

/// A session's state in its store: what the next request begins with.
const HOME: &str = "home";
const WORKSPACE: &str = "workspace";
/// It names the stage, so that no two states are taken for one whose files differ in version control alone.
const OF_STAGE: &str = "stage";

const WHOLE: CopyRules = CopyRules { whole: true, entries: 100_000, bytes: 1 << 30 };

impl Study for Slump<'_> {
    type Error = Error;

    fn units(&self) -> Vec<String> {
        self.design.sessions.iter().map(|session| session.id.clone()).collect()
    }

    /// A request that failed is followed by the next, as a researcher would go on.
    fn next(&self, store: &RunStore, unit: &str) -> Result<Option<Stage>, Error> {
        let session = self.session(unit)?;
        for request in 1..=self.design.turns(session) {
            let name = stage_name(request);
            if store.stage(unit, &name)?.is_none() {
                return Ok(Some(Stage::paid(name)));
            }
        }
        Ok(None)
    }

    fn carry_out(&self, assignment: &Assignment<'_>) -> Result<EndedStage, Error> {
        let (session, task, request) = self.asked(assignment)?;
        let (store, turns) = (assignment.store, self.design.turns(session));
        let before = request.checked_sub(1).map(|last| turn_record(store, &session.id, last)).transpose()?.flatten();
        let state = before.as_ref().and_then(|(_, turn)| turn.state).map(|id| store.tree(id)).transpose()?;
        let (home, workspace) = state.map(|state| (state.join(HOME), state.join(WORKSPACE))).unwrap_or_default();
        let conversation = match before.as_ref().and_then(|(record, turn)| self.goes_on(session, record, turn)) {
            Some(id) => Conversation::Continued { id, home: &home, workspace: &workspace },
            None => Conversation::New,
        };
        let begins = matches!(conversation, Conversation::New);
        let prompt = prompt(task, session.condition.disclosure, self.design.document, request, begins);
        let reference = task.reference();
        let stage = WorkerStage {
            equipment: self.equipment,
            worker: &session.worker,
            prompt: &prompt.ok_or_else(|| unknown(assignment))?,
            before: last_workspace(store, &session.id, request)?,
            conversation,
            keeps_home: request < turns,
            reference: reference.as_deref(),
            assets: None,
            variables: &BTreeMap::new(),
            declared: None,
            packages: self.equipment.packages.as_ref().filter(|_| self.design.package_indexes),
            answers: self.answers(session, task, request)?,
            allowed_hosts: &BTreeSet::new(),
            limit: Duration::from_secs(self.design.limit_seconds),
            assignment,
            hide: &self.hide,
        };
        Ok(stage.carry_out()?)
    }

    fn settle(&self, assignment: &Assignment<'_>, ended: &Path) -> Result<SettledStage, Error> {
        let (session, _, request) = self.asked(assignment)?;
        let (_, mut settled) = Settlement { assignment, ended, extension: Some(OsStr::new("py")) }.carry_out()?;
        let before = request.checked_sub(1).map(|last| turn_record(assignment.store, &session.id, last)).transpose()?;
        let before = before.flatten();
        let goes_on = request < self.design.turns(session) && settled.unanswered.is_none();
        let turn = TurnRecord {
            format: TURN_FORMAT.to_owned(),
            request,
            continued: before.is_some_and(|(record, turn)| self.goes_on(session, &record, &turn).is_some()),
            state: if goes_on { keep_state(assignment, ended)? } else { None },
            compactions: told_compactions(&session.worker, &settled.files),
            contexts: context_sizes(&settled.files),
        };
        settled.trees.extend(turn.state);
        write(&settled.files.join(TURN), &canonical::to_vec(&turn)?)?;
        Ok(settled)
    }
}

impl Slump<'_> {
    fn session(&self, unit: &str) -> Result<&SlumpSession, Error> {
        let found = self.design.session(unit);
        found.ok_or_else(|| slopbench_runner::Error::NoUnit(unit.to_owned()).into())
    }

    /// The session, the task and the request that a stage is of.
    fn asked(&self, assignment: &Assignment<'_>) -> Result<(&SlumpSession, &SlumpTask, usize), Error> {
        let session = self.session(assignment.unit)?;
        let task = self.tasks.get(&session.task);
        let task =
            task.ok_or_else(|| Error::Design(format!("the planned task {} is not there; restore it", session.task)))?;
        Ok((session, task, request_of(assignment.stage).ok_or_else(|| unknown(assignment))?))
    }

    /// By what name the conversation goes on after a request; `None` where it cannot, and begins anew.
    fn goes_on<'r>(&self, session: &SlumpSession, record: &'r StageRecord, turn: &TurnRecord) -> Option<&'r str> {
        turn.state?;
        match session.worker {
            Worker::Agent { .. } => record.conversation.as_deref(),
            // What a program remembers lies in its home.
            Worker::Command { .. } => Some(""),
            Worker::Reference | Worker::Noop => None,
        }
    }

    fn answers(&self, session: &SlumpSession, task: &SlumpTask, request: usize) -> Result<AnswerSource, Error> {
        match &session.worker {
            Worker::Agent { model, .. } if model.provider.is_none() => {
                let turns = self.design.turns(session);
                Ok(AnswerSource::Scripted(script(request, |number| (self.actions)(task, number, turns))?))
            }
            _ => Ok(AnswerSource::Model),
        }
    }
}

/// The workspace that the last request before `request` left whose workspace could be kept.
fn last_workspace(store: &RunStore, unit: &str, request: usize) -> Result<Option<TreeId>, Error> {
    for last in (1..request).rev() {
        match left_after(store, unit, last)? {
            Some(SessionLeft::Workspace(id)) => return Ok(Some(id)),
            Some(SessionLeft::Nothing) | None => return Ok(None),
            Some(SessionLeft::NotKept) => {}
        }
    }
    Ok(None)
}

/// Keeps what the next request begins with; nothing where an agent left more than can be kept.
fn keep_state(assignment: &Assignment<'_>, ended: &Path) -> Result<Option<TreeId>, Error> {
    let folder = assignment.scratch.join("state");
    let failed = |source| Error::Write { path: folder.clone(), source };
    fs::create_dir(&folder).map_err(failed)?;
    for name in [HOME, WORKSPACE] {
        if !ended.join(name).is_dir() {
            fs::create_dir(folder.join(name)).map_err(failed)?;
            continue;
        }
        match Snapshot::take(&ended.join(name), &folder.join(name), &WHOLE) {
            Ok(_) => {}
            Err(SnapshotError::TooMuch { .. }) => return Ok(None),
            Err(error) => return Err(slopbench_agents::stage::StageError::from(error).into()),
        }
    }
    write(&folder.join(OF_STAGE), format!("{} {}\n", assignment.unit, assignment.stage).as_bytes())?;
    Ok(Some(assignment.store.keep_tree(&folder)?))
}

fn unknown(assignment: &Assignment<'_>) -> Error {
    Error::Design(format!("{} has no stage {}", assignment.unit, assignment.stage))
}
