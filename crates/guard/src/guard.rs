//! A guard: the state of one project, brought up to date after each turn and told before each request.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::Error;
use crate::asking::forecast::{Forecast, ForecastContext, forecast};
use crate::asking::merge::MergeCounts;
use crate::asking::model::GuardModel;
use crate::asking::{ModelFailure, ModelFailureKind, ModelUse};
use crate::brief::{BriefParts, unread_section};
use crate::files::{self, FileWrite};
use crate::forecasts;
use crate::lock::{lock, lock_while};
use crate::reading::Reading;
use crate::report::{Brief, BriefFormat, FinishedTurn, StateSize, TurnReport, TurnReportFormat};
use crate::restart::{RestartReason, SessionLoad};
use crate::semantic::SemanticState;
use crate::settings::{GuardSettings, SETTINGS_FILE};
use crate::structural::{SourceTree, StructuralChange, StructuralState};
use crate::turns::{self, GuardStage, LoggedTurn, SemanticOutcome, TURNS_FILE};
use crate::writes::{self, PENDING};

/// The structural state's file.
const STRUCTURE_FILE: &str = "structure.jsonl";

/// What a model is shown of the state for a forecast, in bytes.
const FORECAST_BYTES: usize = 96_000;

/// The state of one project, and who is asked about it.
#[derive(Debug)]
pub struct Guard {
    folder: PathBuf,
    settings: GuardSettings,
    semantic: SemanticState,
    structural: StructuralState,
    turns: Vec<LoggedTurn>,
    /// What their file holds.
    log: String,
    model: Option<GuardModel>,
}

impl Guard {
    /// Begins the state of a project in `folder`, which must hold none.
    ///
    /// # Errors
    ///
    /// [`Error::Present`] if there is one, [`Error::File`] if the folder cannot be written.
    pub fn create(folder: &Path, settings: &GuardSettings) -> Result<Self, Error> {
        if folder.join(SETTINGS_FILE).exists() {
            return Err(Error::Present { path: folder.to_owned() });
        }
        fs::create_dir_all(folder).map_err(Error::file("create", folder))?;
        let _lock = lock(folder)?;
        let semantic = SemanticState::load(folder)?;
        let write = |path: &str, after| FileWrite { path: path.to_owned(), before: None, after, otherwise: None };
        let mut new = semantic.writes(&SemanticState::default());
        new.retain(|write| !folder.join(&write.path).exists());
        new.push(write(TURNS_FILE, turns::content(&[])?));
        // Last: with it, there is a state.
        new.push(write(SETTINGS_FILE, settings.content()?));
        match writes::write_all(folder, &new)?.is_empty() {
            true => Self::open(folder),
            false => Err(Error::Present { path: folder.to_owned() }),
        }
    }

    /// The state in `folder`, without a model. What a killed process has left half written is finished first.
    ///
    /// # Errors
    ///
    /// [`Error::Absent`] if there is none; [`Error::Format`] names file and line of what is wrong in it.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let path = folder.join(SETTINGS_FILE);
        // Whoever writes has the lock, and is done in a moment; who was killed has it no more.
        let is_pending = || folder.join(PENDING).exists();
        if let Some(_lock) = lock_while(folder, is_pending)? {
            writes::finish(folder)?;
        }
        if !path.exists() {
            return Err(Error::Absent { path: folder.to_owned() });
        }
        let settings = GuardSettings::parse(&path, &read(&path)?)?;
        let (semantic, structural) = (SemanticState::load(folder)?, StructuralState::default());
        let (folder, turns, log) = (folder.to_owned(), Vec::new(), String::new());
        let mut guard = Self { folder, settings, semantic, structural, turns, log, model: None };
        guard.read_log_and_structure()?;
        Ok(guard)
    }

    fn read_log_and_structure(&mut self) -> Result<(), Error> {
        let (turns, structure) = (self.folder.join(TURNS_FILE), self.folder.join(STRUCTURE_FILE));
        self.structural = match structure.exists() {
            true => StructuralState::parse(&structure, &read(&structure)?)?,
            false => StructuralState::default(),
        };
        self.log = read(&turns)?;
        self.turns = turns::parse(&turns, &self.log)?;
        Ok(())
    }

    /// The same with a model, which extracts, merges and forecasts.
    #[must_use]
    pub fn with_model(self, model: Option<GuardModel>) -> Self {
        Self { model, ..self }
    }

    /// Who is asked.
    pub fn model(&self) -> Option<&GuardModel> {
        self.model.as_ref()
    }

    /// What a person has set.
    pub fn settings(&self) -> &GuardSettings {
        &self.settings
    }

    /// What the project has committed to.
    pub fn semantic(&self) -> &SemanticState {
        &self.semantic
    }

    /// How its code is organised.
    pub fn structural(&self) -> &StructuralState {
        &self.structural
    }

    /// The turns so far.
    pub fn turns(&self) -> &[LoggedTurn] {
        &self.turns
    }

    /// The turns whose commitments the records do not have; the next update with a model reads them.
    pub fn unread_turns(&self) -> &[LoggedTurn] {
        turns::split(&self.turns).1
    }

    fn next_turn(&self) -> u32 {
        self.turns.last().map_or(1, |last| last.turn + 1)
    }

    /// What models' calls took so far, before turns and after them.
    ///
    /// # Errors
    ///
    /// [`Error::File`] or [`Error::Format`] if the log of forecasts cannot be read.
    pub fn spent(&self) -> Result<ModelUse, Error> {
        let mut sum = forecasts::spent(&self.folder)?;
        self.turns.iter().for_each(|turn| sum += turn.used);
        Ok(sum)
    }

    /// How large the state is.
    ///
    /// # Errors
    ///
    /// [`Error::Internal`] if it cannot be represented.
    pub fn size(&self) -> Result<StateSize, Error> {
        self.size_with(self.structural.content()?.len() as u64)
    }

    fn size_with(&self, structural: u64) -> Result<StateSize, Error> {
        Ok(StateSize { semantic: self.semantic.bytes(), structural, log: self.log.len() as u64 })
    }

    /// Reads the code without a turn: at the beginning, or after people have worked on it.
    ///
    /// # Errors
    ///
    /// As [`StructuralState::update`]; [`Error::File`] if the state cannot be written.
    pub fn read_code(&mut self, tree: &SourceTree) -> Result<StructuralChange, Error> {
        let _lock = lock(&self.folder)?;
        self.read_log_and_structure()?;
        let change = self.structural.update(tree)?;
        self.write_structure()?;
        Ok(change)
    }

    /// Reads the code for what is told next, and writes nothing: what changed since the last turn is the next report's.
    ///
    /// # Errors
    ///
    /// As [`StructuralState::update`].
    pub fn look_at(&mut self, tree: &SourceTree) -> Result<StructuralChange, Error> {
        self.structural.update(tree)
    }

    /// What an agent whose session has had `load` is to be told before `request`: a forecast where there is a model, and the state. Where
    /// the session is to begin anew, it is what the fresh one begins with.
    ///
    /// # Errors
    ///
    /// As [`SemanticState::load`]: people may have edited the records. A model's failure is in the brief.
    pub fn before(&mut self, request: &str, load: SessionLoad) -> Result<Brief, Error> {
        self.semantic = SemanticState::load(&self.folder)?;
        let (mut used, mut unknown, mut failure, mut expected) = (ModelUse::default(), Vec::new(), None, None);
        if let Some(model) = &self.model {
            let context = ForecastContext {
                requests: self.turns.iter().map(|turn| turn.request.as_str()).collect(),
                state: self.parts(None, request).render(FORECAST_BYTES),
                semantic: &self.semantic,
                structural: &self.structural,
            };
            match forecast(model, request, &context, &mut used) {
                Ok((forecast, names)) => (expected, unknown) = (Some(forecast), names),
                Err(error) => failure = Some(error),
            }
            forecasts::log(&self.folder, self.next_turn(), failure.as_ref(), used)?;
        }
        let restart = self.restart_due(load, expected.as_ref());
        let (beginning, most) = match restart {
            Some(_) => (FRESH, self.settings.restart_bytes),
            None => (BEFORE, self.settings.brief_bytes),
        };
        let text = self.text(beginning, expected.as_ref(), request, most);
        Ok(Brief { format: BriefFormat::V1, text, restart, forecast: expected, unknown, failure, used })
    }

    /// What begins a fresh session: the whole state, as far as there is room.
    ///
    /// # Errors
    ///
    /// As [`SemanticState::load`].
    pub fn restart_brief(&mut self) -> Result<String, Error> {
        self.semantic = SemanticState::load(&self.folder)?;
        Ok(self.text(FRESH, None, "", self.settings.restart_bytes))
    }

    /// A brief of at most `most` bytes, as [`BriefParts::render`] has them.
    fn text(&self, beginning: &str, forecast: Option<&Forecast>, request: &str, most: usize) -> String {
        let unread = unread_section(self.unread_turns(), most / SHARE_OF_UNREAD);
        let body = self.parts(forecast, request).render(most.saturating_sub(unread.len()));
        format!("# Project brief\n\n{beginning}\n\n{unread}{body}")
    }

    /// Why a session with this load is to begin anew before a request of which this is expected, if it is.
    pub fn restart_due(&self, load: SessionLoad, forecast: Option<&Forecast>) -> Option<RestartReason> {
        self.settings.restart.due(load, forecast.map(|forecast| forecast.context_tokens))
    }

    /// Brings the state up to date after a turn that left `tree`. Whatever becomes of a model's call, code and log are up to date
    /// then; records change as a whole or not at all.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`] if another process is at it; otherwise as [`StructuralState::update`] and [`SemanticState::load`].
    pub fn after(&mut self, turn: &FinishedTurn<'_>, tree: &SourceTree) -> Result<TurnReport, Error> {
        let _lock = lock(&self.folder)?;
        writes::finish(&self.folder)?;
        self.semantic = SemanticState::load(&self.folder)?;
        self.read_log_and_structure()?;
        let structure = self.structural.update(tree)?;
        let mut logged = LoggedTurn {
            turn: self.next_turn(),
            request: turn.request.to_owned(),
            answer: LoggedTurn::kept(turn.answer),
            changed: structure.paths().map(str::to_owned).collect(),
            outcome: SemanticOutcome::NotAsked,
            read_to: None,
            used: ModelUse::default(),
        };
        let next = self.read_turns(&mut logged);
        self.keep(&mut logged, next)?;
        let structural = self.write_structure()?;
        let (records, used) = (logged.outcome.clone(), logged.used);
        let report = TurnReport {
            format: TurnReportFormat::V1,
            turn: logged.turn,
            structure,
            records,
            used,
            unread_turns: 0,
            size: StateSize::default(),
        };
        self.turns.push(logged);
        let (size, unread_turns) = (self.size_with(structural)?, self.unread_turns().len());
        Ok(TurnReport { size, unread_turns, ..report })
    }

    /// Reads this turn and those that are not read yet; gives the records as they are to be, if they are to change.
    fn read_turns(&self, logged: &mut LoggedTurn) -> Option<SemanticState> {
        let mut reading = Reading::new(self.model.as_ref()?, self.settings.most_records, &self.semantic);
        let (read, unread) = turns::split(&self.turns);
        let unread = [unread, std::slice::from_ref(logged)].concat();
        logged.outcome = reading.read(read.last(), &unread);
        logged.read_to = reading.read_to.filter(|last| *last < logged.turn);
        logged.used = reading.used;
        reading.state
    }

    /// Writes the records and the log together; where a person has changed a record meanwhile, the log alone, which says so.
    fn keep(&mut self, logged: &mut LoggedTurn, mut next: Option<SemanticState>) -> Result<(), Error> {
        if let Some(problem) = next.as_ref().and_then(|next| self.conflict(next)) {
            *logged = Self::changed_meanwhile(logged, &problem);
            next = None;
        }
        let records = next.as_ref().map(|next| next.writes(&self.semantic)).unwrap_or_default();
        let after = turns::appended(&self.log, logged)?;
        let failed = Self::changed_meanwhile(logged, "a person changed records while the model was asked");
        let otherwise = turns::appended(&self.log, &failed)?;
        let (path, before) = (TURNS_FILE.to_owned(), Some(self.log.clone()));
        let log = FileWrite { path, before, after: after.clone(), otherwise: Some(otherwise.clone()) };
        let changed = writes::write_all(&self.folder, &[records.clone(), vec![log]].concat())?;
        if changed.iter().any(|path| path == TURNS_FILE) {
            return Err(Error::Changed { path: self.folder.join(TURNS_FILE) });
        }
        match next {
            _ if !changed.is_empty() => (self.log, *logged) = (otherwise, failed),
            Some(next) => (self.log, self.semantic) = (after, next.written(&records)),
            None => self.log = after,
        }
        Ok(())
    }

    /// What a person has done since the records were read that these do not go with.
    fn conflict(&self, next: &SemanticState) -> Option<String> {
        match SemanticState::load(&self.folder) {
            Ok(now) => next.conflict(&self.semantic, &now),
            Err(error) => Some(error.to_string()),
        }
    }

    fn changed_meanwhile(logged: &LoggedTurn, problem: &str) -> LoggedTurn {
        let failure = ModelFailure::new(ModelFailureKind::ChangedMeanwhile, problem);
        let outcome = SemanticOutcome::Failed { stage: GuardStage::Merger, failure, changes: MergeCounts::default() };
        LoggedTurn { outcome, read_to: None, ..logged.clone() }
    }

    /// Gives how many bytes it takes.
    fn write_structure(&self) -> Result<u64, Error> {
        let content = self.structural.content()?;
        files::put(&self.folder.join(STRUCTURE_FILE), &content)?;
        Ok(content.len() as u64)
    }

    fn parts<'a>(&'a self, forecast: Option<&'a Forecast>, request: &'a str) -> BriefParts<'a> {
        let is_named = |path: &&str| {
            let name = path.rsplit('/').next().unwrap_or_default();
            !name.is_empty() && request.contains(name)
        };
        let mentioned = self.structural.files.keys().map(String::as_str).filter(is_named).collect();
        let words: BTreeSet<_> = request.split(|sign: char| !sign.is_alphanumeric() && sign != '_').collect();
        BriefParts { semantic: &self.semantic, structural: &self.structural, forecast, mentioned, words }
    }
}

/// What part of a brief requests may take that the records do not have: one of so many.
const SHARE_OF_UNREAD: usize = 4;

/// What a brief before a request begins with.
const BEFORE: &str = "What follows is kept beside the conversation: what this project is committed to, and how its code is \
                      organised now. Where it and your memory of the conversation differ, it is right, but for what \
                      it says not to have yet. The request comes after it.";

/// What a brief that begins a session begins with.
const FRESH: &str = "You continue a project that is under way; the conversation before is not here any more. What follows is kept \
                     beside it: what the project is committed to, and how its code is organised now.";

fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(Error::file("read", path))
}
