//! The study's units and stages.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use slopbench_agents::stage::{
    Answers, Conversation, Equipment, Settlement, StageError, StageRecord, Worker, WorkerStage,
};
use slopbench_digest::{TreeId, canonical};
use slopbench_environments::Environments;
use slopbench_gateway::script::{Action, Script};
use slopbench_guard::SessionLoad;
use slopbench_runner::{Assignment, EndedStage, RunStore, SettledStage, Stage, Study, write};
use slopbench_sandbox::snapshot::{CopyRules, Snapshot, SnapshotError};

use super::{
    design::{SlumpDesign, SlumpSession},
    guard_choice::GuardAccess,
    guarding::{Guarding, guard_brief, last_words, settle_brief, settle_update},
    left::{SessionLeft, left_after},
    prompt::{asked, told},
    script::{ScriptedTurn, script},
    stages::SessionStage,
    testing::{OwnTesting, settle_tests},
    turn::{TURN, TURN_FORMAT, TurnRecord, context_sizes, told_compactions, turn_record},
};
use crate::{Error, task::SlumpTask};

/// The name of this study in plans.
pub const SLUMP_STUDY: &str = "slump";

/// A plan of this study.
pub type SlumpPlan = slopbench_runner::Plan<SlumpDesign>;

/// A run of this study on the disk.
pub type SlumpFolder = slopbench_runner::RunFolder<SlumpDesign>;

/// What a scripted model does in a request, as [`super::reference_actions`] has it.
pub type TurnActions<'a> = dyn Fn(&ScriptedTurn<'_>) -> Result<Vec<Action>, Error> + Sync + 'a;

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
    /// Who answers the guard's model, where the design has one.
    pub guard: Option<&'a GuardAccess>,
    /// Where agents' own tests have their packages from, where the design has them run.
    pub environments: Option<&'a Environments<'a>>,
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
        let asks = |stage: SessionStage| match stage {
            SessionStage::Request(_) => true,
            SessionStage::Tests => false,
            SessionStage::Brief(_) | SessionStage::Update(_) => {
                self.design.guard.as_ref().is_some_and(|guard| guard.model.is_some())
            }
        };
        for stage in self.design.stages(self.session(unit)?) {
            let name = stage.name();
            if store.stage(unit, &name)?.is_none() {
                return Ok(Some(Stage { name, is_paid: asks(stage), is_exclusive: false }));
            }
        }
        Ok(None)
    }

    fn carry_out(&self, assignment: &Assignment<'_>) -> Result<EndedStage, Error> {
        let part = self.part(assignment)?;
        match part.stage {
            SessionStage::Request(request) => self.work(&part, request),
            SessionStage::Brief(request) => {
                let load = self.turn_before(assignment.store, part.session, request)?.load(request);
                part.guarding(self, request)?.brief(&part.text(self, request)?, load)
            }
            SessionStage::Update(request) => {
                let answer = last_words(assignment.store, assignment.unit, request)?;
                part.guarding(self, request)?.update(&part.text(self, request)?, &answer, &part.code(request)?)
            }
            SessionStage::Tests => self.test(&part),
        }
    }

    fn settle(&self, assignment: &Assignment<'_>, ended: &Path) -> Result<SettledStage, Error> {
        let part = self.part(assignment)?;
        let request = match part.stage {
            SessionStage::Request(request) => request,
            SessionStage::Brief(_) => return settle_brief(ended),
            SessionStage::Update(request) => return settle_update(assignment, ended, request),
            SessionStage::Tests => return settle_tests(ended),
        };
        let (_, mut settled) = Settlement { assignment, ended, extension: Some(OsStr::new("py")) }.carry_out()?;
        let before = self.turn_before(assignment.store, part.session, request)?;
        let goes_on = request < self.design.turns(part.session) && settled.unanswered.is_none();
        let turn = TurnRecord {
            format: TURN_FORMAT.to_owned(),
            request,
            continued: before.conversation.is_some(),
            state: if goes_on { keep_state(assignment, ended)? } else { None },
            compactions: told_compactions(self.equipment.event_format(&part.session.worker), &settled.files),
            contexts: context_sizes(&settled.files),
        };
        settled.trees.extend(turn.state);
        write(&settled.files.join(TURN), &canonical::to_vec(&turn)?)?;
        Ok(settled)
    }
}

/// A stage, and what it is of.
struct SessionPart<'a> {
    assignment: &'a Assignment<'a>,
    session: &'a SlumpSession,
    task: &'a SlumpTask,
    stage: SessionStage,
}

/// What a request finds: the state that the last one left, and the conversation that goes on, if one does.
#[derive(Default)]
struct TurnBefore {
    state: Option<TreeId>,
    /// By what name it goes on.
    conversation: Option<String>,
    /// The request that it began with; where none goes on, it is the request itself.
    first: usize,
    /// What its model read last.
    context_tokens: Option<u64>,
}

impl TurnBefore {
    /// What the conversation of a request holds already.
    fn load(&self, request: usize) -> SessionLoad {
        let turns = u32::try_from(request - self.first).unwrap_or(u32::MAX);
        SessionLoad { turns, context_tokens: self.context_tokens }
    }
}

impl SessionPart<'_> {
    /// What is asked in a request.
    fn text(&self, study: &Slump<'_>, request: usize) -> Result<String, Error> {
        let text = asked(self.task, self.session.condition.disclosure, study.design.document, request);
        text.ok_or_else(|| unknown(self.assignment))
    }

    /// What a request left to be read.
    fn code(&self, request: usize) -> Result<PathBuf, Error> {
        let store = self.assignment.store;
        if let Some(left) = last_workspace(store, &self.session.id, request + 1)? {
            return Ok(store.tree(left)?);
        }
        let nothing = self.assignment.scratch.join("nothing");
        fs::create_dir_all(&nothing).map_err(|source| Error::Write { path: nothing.clone(), source })?;
        Ok(nothing)
    }

    fn guarding<'s>(&'s self, study: &Slump<'s>, request: usize) -> Result<Guarding<'s>, Error> {
        Ok(Guarding {
            planned: study.design.guard.as_ref().ok_or_else(|| unknown(self.assignment))?,
            access: study.guard,
            equipment: study.equipment,
            assignment: self.assignment,
            request,
        })
    }
}

impl Slump<'_> {
    fn session(&self, unit: &str) -> Result<&SlumpSession, Error> {
        let found = self.design.session(unit);
        found.ok_or_else(|| slopbench_runner::Error::NoUnit(unit.to_owned()).into())
    }

    /// What a stage is of.
    fn part<'s>(&'s self, assignment: &'s Assignment<'s>) -> Result<SessionPart<'s>, Error> {
        let session = self.session(assignment.unit)?;
        let task = self.tasks.get(&session.task);
        let task =
            task.ok_or_else(|| Error::Design(format!("the planned task {} is not there; restore it", session.task)))?;
        let stage = SessionStage::parse(assignment.stage).ok_or_else(|| unknown(assignment))?;
        Ok(SessionPart { assignment, session, task, stage })
    }

    /// Has the agent carry a request out.
    fn work(&self, part: &SessionPart<'_>, request: usize) -> Result<EndedStage, Error> {
        let SessionPart { assignment, session, task, .. } = *part;
        let store = assignment.store;
        let before = self.turn_before(store, session, request)?;
        let state = before.state.map(|id| store.tree(id)).transpose()?;
        let (home, workspace) = state.map(|state| (state.join(HOME), state.join(WORKSPACE))).unzip();
        let conversation = match (&before.conversation, &home, &workspace) {
            (Some(id), Some(home), Some(workspace)) => Conversation::Continued { id, home, workspace },
            (_, _, Some(workspace)) => Conversation::Anew { workspace },
            _ => Conversation::New,
        };
        let brief = guard_brief(store, &session.id, request)?;
        let begins = before.conversation.is_none();
        let reference = task.reference();
        let stage = WorkerStage {
            equipment: self.equipment,
            worker: &session.worker,
            prompt: &told(task, request, &part.text(self, request)?, brief.as_ref(), begins),
            before: last_workspace(store, &session.id, request)?,
            conversation,
            keeps_home: request < self.design.turns(session),
            reference: reference.as_deref(),
            assets: None,
            variables: &BTreeMap::new(),
            declared: None,
            packages: self.equipment.packages.as_ref().filter(|_| self.design.package_indexes),
            answers: &self.design.answers,
            script: self.script(session, task, before.first, request)?,
            allowed_hosts: &BTreeSet::new(),
            limit: Duration::from_secs(self.design.limit_seconds),
            assignment,
            hide: &self.hide,
        };
        Ok(stage.carry_out()?)
    }

    /// Runs the tests that the agent wrote, in what it left in the end.
    fn test(&self, part: &SessionPart<'_>) -> Result<EndedStage, Error> {
        let SessionPart { assignment, session, .. } = *part;
        let (Some(seconds), Some(environments)) = (self.design.own_tests, self.environments) else {
            return Err(Error::Design("nobody said where agents' own tests have their packages from".to_owned()));
        };
        let testing = OwnTesting {
            environments,
            system: self.equipment.systems.of(&session.worker)?,
            hide: &self.hide,
            limit: Duration::from_secs(seconds),
            answers: &self.design.answers,
            assignment,
        };
        testing.carry_out(left_after(assignment.store, assignment.unit, self.design.turns(session))?)
    }

    /// What a request finds. A conversation does not go on where its guard begins it anew.
    fn turn_before(&self, store: &RunStore, session: &SlumpSession, request: usize) -> Result<TurnBefore, Error> {
        let mut found = TurnBefore { first: request, ..TurnBefore::default() };
        let Some((record, turn)) = turn_record(store, &session.id, request - 1)? else { return Ok(found) };
        found.state = turn.state;
        let restarts = guard_brief(store, &session.id, request)?.is_some_and(|brief| brief.restart.is_some());
        found.conversation = self.goes_on(session, &record, &turn).filter(|_| !restarts).map(str::to_owned);
        if found.conversation.is_some() {
            found.context_tokens = turn.contexts.last().copied();
            let (mut continued, mut first) = (turn.continued, request - 1);
            while continued && first > 1 {
                first -= 1;
                continued = turn_record(store, &session.id, first)?.is_some_and(|(_, turn)| turn.continued);
            }
            found.first = first;
        }
        Ok(found)
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

    /// What a model without a provider does where no recording answers; `first` is the request with which the conversation begins.
    fn script(
        &self,
        session: &SlumpSession,
        task: &SlumpTask,
        first: usize,
        request: usize,
    ) -> Result<Option<Script>, Error> {
        match (&session.worker, &self.design.answers) {
            (_, Answers::Replayed { .. }) => Ok(None),
            (Worker::Agent { model, .. }, _) if model.provider.is_none() => {
                let (condition, requests) = (session.condition, self.design.turns(session));
                let actions = |request| (self.actions)(&ScriptedTurn { task, condition, request, requests });
                Ok(Some(script(first, request, actions)?))
            }
            _ => Ok(None),
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
            Err(error) => return Err(StageError::from(error).into()),
        }
    }
    write(&folder.join(OF_STAGE), format!("{} {}\n", assignment.unit, assignment.stage).as_bytes())?;
    Ok(Some(assignment.store.keep_tree(&folder)?))
}

fn unknown(assignment: &Assignment<'_>) -> Error {
    Error::Design(format!("{} has no stage {}", assignment.unit, assignment.stage))
}
