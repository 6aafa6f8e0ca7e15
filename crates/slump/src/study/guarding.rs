//! What a guard does in a session: a brief before each request, and its state brought up to date after it.
//!
//! Each is a stage of its own, `brief_NN` and `update_NN` around `request_NN`, so that what a guard's model answered is kept before anything
//! is made of it. The state lies in the run's trees: a brief reads what the last update left, and writes nothing of it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use slopbench_agents::{
    stage::{CASSETTE, Equipment, StageError},
    trajectory::{AtifTrajectory, StepSource},
};
use slopbench_digest::{TreeId, canonical};
use slopbench_gateway::server::Recorder;
use slopbench_guard::{
    Brief, FinishedTurn, Guard, ModelFailure, ModelFailureKind, ModelUse, SemanticOutcome, SessionLoad, SourceTree,
    TurnReport,
};
use slopbench_runner::{Assignment, EndedStage, RunStore, SettledStage, Spent, read_json, write};
use slopbench_sandbox::snapshot::{CopyRules, Snapshot};

use super::{
    guard_choice::{GuardAccess, PlannedGuard},
    stages::SessionStage,
};
use crate::Error;

/// The name of a [`Brief`] among the files of its stage.
pub const BRIEF: &str = "brief.json";
/// The name of a [`GuardUpdate`] among the files of its stage.
pub const GUARD_UPDATE: &str = "update.json";
/// What a guard says of its update, before it is settled.
const REPORT: &str = "report.json";
const UPDATE_FORMAT: &str = "slopbench.slump-guard-update/1";

/// The guard's state, in scratch and among what a stage left.
const STATE: &str = "state";

const WHOLE: CopyRules = CopyRules { whole: true, entries: 100_000, bytes: 1 << 30 };

/// A guard's state after a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GuardUpdate {
    /// `slopbench.slump-guard-update/1`.
    pub format: String,
    /// From 1.
    pub request: usize,
    /// The state.
    pub state: TreeId,
    /// What the guard found and did.
    pub report: TurnReport,
}

/// A guard at work in a stage.
pub(super) struct Guarding<'a> {
    pub(super) planned: &'a PlannedGuard,
    pub(super) access: Option<&'a GuardAccess>,
    pub(super) equipment: &'a Equipment,
    pub(super) assignment: &'a Assignment<'a>,
    pub(super) request: usize,
}

impl Guarding<'_> {
    /// Says what the agent is told before what is `asked` in a conversation with `load`.
    pub(super) fn brief(&self, asked: &str, load: SessionLoad) -> Result<EndedStage, Error> {
        let (mut guard, recorder) = self.guard()?;
        let brief = guard.before(asked, load)?;
        self.ended(BRIEF, &brief, brief.used, &guard, recorder.as_ref())
    }

    /// Brings the state up to date after a turn that left `code`.
    pub(super) fn update(&self, asked: &str, answer: &str, code: &Path) -> Result<EndedStage, Error> {
        let (mut guard, recorder) = self.guard()?;
        let turn = FinishedTurn { request: asked, answer };
        let report = guard.after(&turn, &SourceTree::Folder(code.to_owned()))?;
        let ended = self.ended(REPORT, &report, report.used, &guard, recorder.as_ref())?;
        let place = ended.folder.join(STATE);
        fs::rename(self.state(), &place).map_err(|source| Error::Write { path: place, source })?;
        Ok(ended)
    }

    /// The guard as the last update left it, in scratch.
    fn guard(&self) -> Result<(Guard, Option<Recorder>), Error> {
        let Assignment { store, unit, stage, .. } = *self.assignment;
        let state = self.state();
        let guard = match guard_update(store, unit, self.request - 1)? {
            Some(last) => {
                Snapshot::take(&store.tree(last.state)?, &state, &WHOLE).map_err(StageError::from)?;
                Guard::open(&state)?
            }
            None => Guard::create(&state, &self.planned.settings)?,
        };
        let Some(choice) = &self.planned.model else { return Ok((guard, None)) };
        let unanswered = || Error::Design(format!("nobody answers the guard's model {}; name who does", choice.id));
        let access = self.access.ok_or_else(unanswered)?;
        let (model, recorder) = access.model(choice, self.equipment, &Path::new(unit).join(stage))?;
        Ok((guard.with_model(Some(model)), recorder))
    }

    fn state(&self) -> PathBuf {
        self.assignment.scratch.join(STATE)
    }

    /// Prepares what a stage left: its document, and what was recorded.
    fn ended(
        &self,
        name: &str,
        document: &impl Serialize,
        used: ModelUse,
        guard: &Guard,
        recorder: Option<&Recorder>,
    ) -> Result<EndedStage, Error> {
        let folder = self.assignment.scratch.join("ended");
        let session = folder.join("session");
        write(&session.join(name), &canonical::to_vec(document)?)?;
        if let (Some(recorder), Some(model)) = (recorder, guard.model()) {
            model.save(recorder, &session.join(CASSETTE))?;
        }
        let spent = Spent { usd: used.cost_usd, tokens: used.tokens.input + used.tokens.output };
        Ok(EndedStage { folder, spent })
    }
}

/// Settles a brief. Where its provider gave no answer, it is done again.
pub(super) fn settle_brief(ended: &Path) -> Result<SettledStage, Error> {
    let files = ended.join("session");
    let brief: Brief = read_json(&files.join(BRIEF))?;
    let unanswered = brief.failure.as_ref().and_then(unanswered);
    let outcome = brief.failure.map_or_else(|| "done".to_owned(), |failure| failure.message);
    Ok(SettledStage { files, trees: Default::default(), unanswered, outcome })
}

/// Settles an update: keeps the state.
pub(super) fn settle_update(assignment: &Assignment<'_>, ended: &Path, request: usize) -> Result<SettledStage, Error> {
    let files = ended.join("session");
    let report: TurnReport = read_json(&files.join(REPORT))?;
    let copy = assignment.scratch.join(STATE);
    Snapshot::take(&ended.join(STATE), &copy, &WHOLE).map_err(StageError::from)?;
    let state = assignment.store.keep_tree(&copy)?;
    let failure = match &report.records {
        SemanticOutcome::Failed { failure, .. } => Some(failure.clone()),
        _ => None,
    };
    let unanswered = failure.as_ref().and_then(unanswered);
    let outcome = failure.map_or_else(|| "done".to_owned(), |failure| failure.message);
    let update = GuardUpdate { format: UPDATE_FORMAT.to_owned(), request, state, report };
    write(&files.join(GUARD_UPDATE), &canonical::to_vec(&update)?)?;
    Ok(SettledStage { files, trees: [state].into(), unanswered, outcome })
}

/// Why a guard's stage says nothing of it: nobody answered.
fn unanswered(failure: &ModelFailure) -> Option<String> {
    let is_of_others = matches!(failure.kind, ModelFailureKind::Provider | ModelFailureKind::NotRecorded);
    is_of_others.then(|| failure.message.clone())
}

/// What a guard said before a request; nothing where it has not.
///
/// # Errors
///
/// [`Error::Run`] if it is not as it was kept.
pub fn guard_brief(store: &RunStore, unit: &str, request: usize) -> Result<Option<Brief>, Error> {
    let Some(folder) = store.stage(unit, &SessionStage::Brief(request).name())? else { return Ok(None) };
    Ok(Some(read_json(&folder.join(BRIEF))?))
}

/// The state that a guard had after a request; nothing before the first.
///
/// # Errors
///
/// [`Error::Run`] if it is not as it was kept.
pub fn guard_update(store: &RunStore, unit: &str, request: usize) -> Result<Option<GuardUpdate>, Error> {
    let Some(folder) = store.stage(unit, &SessionStage::Update(request).name())? else { return Ok(None) };
    Ok(Some(read_json(&folder.join(GUARD_UPDATE))?))
}

/// What an agent said at the end of a request; empty where it told of nothing.
pub(super) fn last_words(store: &RunStore, unit: &str, request: usize) -> Result<String, Error> {
    let Some(folder) = store.stage(unit, &SessionStage::Request(request).name())? else { return Ok(String::new()) };
    let path = folder.join("trajectory.json");
    if !path.is_file() {
        return Ok(String::new());
    }
    let trajectory: AtifTrajectory = read_json(&path)?;
    let mut said = trajectory.steps.into_iter().rev().filter(|step| step.source == StepSource::Agent);
    Ok(said.find(|step| !step.message.is_empty()).map(|step| step.message).unwrap_or_default())
}
