//! A worker, a workspace and a prompt become a workspace, a record and what the worker told.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    net::TcpListener,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use slopbench_digest::{Sha256, TreeId, canonical};
use slopbench_gateway::{packages::PackageMirror, script::Script, server::PackageUse};
use slopbench_runner::{Assignment, EndedStage};
use slopbench_sandbox::{
    session::{SessionJob, SessionSpec},
    snapshot::{CopyRules, Skips, Snapshot},
};

use super::{
    Answers, CASSETTE, DeclaredPackages, Equipment, Footprint, ModelChoice, SESSION, StageError, StageOutcome,
    StageRecord, Worker,
    activation::activate,
    equipment::{Equipped, now},
    gateway::{GatewaySettings, KEY, Served},
    record::SESSION_FORMAT,
};
use crate::{
    definition::{AgentTask, FileTools, InstallSource},
    events::{SessionEnd, SessionReport},
    install::Installed,
    launch::{AgentSandbox, package_variables, session_in},
    session::EndedSession,
};

/// Whether a worker remembers anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conversation<'a> {
    /// Its home is new, and its earlier conversations are gone.
    New,
    /// It goes on where an earlier stage ended.
    Continued {
        /// What its agent calls the conversation: that stage's [`StageRecord::conversation`].
        id: &'a str,
        /// The home that it left.
        home: &'a Path,
        /// The workspace that it left, as it was: with version control, caches and environments, which [`WorkerStage::before`] is
        /// without.
        workspace: &'a Path,
    },
    /// It begins anew where an earlier stage ended: its home is new, and the workspace is that stage's, as it was.
    Anew {
        /// As in [`Conversation::Continued`].
        workspace: &'a Path,
    },
}

/// A stage that is about to begin.
#[derive(Debug)]
pub struct WorkerStage<'a> {
    /// Agents, providers and prices.
    pub equipment: &'a Equipment,
    /// Who works.
    pub worker: &'a Worker,
    /// What it is told.
    pub prompt: &'a str,
    /// The workspace that it begins with, as the store keeps it; an empty one without.
    pub before: Option<TreeId>,
    /// What it remembers.
    pub conversation: Conversation<'a>,
    /// Whether a later stage may go on with the conversation: its home is kept then.
    pub keeps_home: bool,
    /// The workspace that a reference leaves: [`Worker::Reference`] puts it in place, and a scripted model writes it.
    pub reference: Option<&'a Path>,
    /// Files that it may read beside its workspace, where it finds them as the solution will.
    pub assets: Option<&'a Path>,
    /// What its process finds in its environment beside.
    pub variables: &'a BTreeMap<String, String>,
    /// What its workspace declares: active, in a virtual environment that the worker may install more into and that is part of
    /// its home.
    pub declared: Option<DeclaredPackages<'a>>,
    /// The package indexes, if it may read them.
    pub packages: Option<&'a PackageMirror>,
    /// Where its model's answers come from.
    pub answers: &'a Answers,
    /// What its model does where it has no provider; the reference without. In a conversation that goes on, it begins with what was
    /// done in it before.
    pub script: Option<Script>,
    /// Which hosts it reaches beside its model, each with its port.
    pub allowed_hosts: &'a BTreeSet<String>,
    /// Of wall-clock time.
    pub limit: Duration,
    /// Where it is done.
    pub assignment: &'a Assignment<'a>,
    /// What no worker may see.
    pub hide: &'a [PathBuf],
}

/// What a worker left behind, beside its workspace.
struct Left {
    outcome: StageOutcome,
    report: SessionReport,
    packages: PackageUse,
    /// By name among the stage's files.
    files: BTreeMap<&'static str, Vec<u8>>,
}

const DONE: StageOutcome = StageOutcome::Ended(SessionEnd::Done);

/// Where programs lie that every sandbox shows.
const SYSTEM: &[&str] = &["/bin", "/sbin", "/usr"];

/// What is copied where a conversation goes on.
const WHOLE: CopyRules = CopyRules { whole: true, entries: 100_000, bytes: 1 << 30 };

impl Left {
    fn quiet(outcome: StageOutcome) -> Self {
        let (report, packages) = (SessionReport::default(), PackageUse::default());
        Self { outcome, report, packages, files: BTreeMap::new() }
    }
}

impl WorkerStage<'_> {
    /// Does it, and prepares a folder with all that it left. Nothing that may fail comes between the worker's end and that
    /// folder; its [`StageRecord`] lacks what the workspace says.
    ///
    /// # Errors
    ///
    /// Failures of the infrastructure and of what was asked for: how a worker fails is in the record.
    pub fn carry_out(&self) -> Result<EndedStage, StageError> {
        let (began, clock) = (now(), Instant::now());
        match (self.conversation, self.before_tree()?) {
            (Conversation::Continued { workspace, .. } | Conversation::Anew { workspace }, _) => {
                drop(Snapshot::take(workspace, &self.workspace(), &WHOLE)?)
            }
            (Conversation::New, Some(tree)) => drop(Snapshot::take(&tree, &self.workspace(), &CopyRules::default())?),
            (Conversation::New, None) => drop(self.make("workspace")?),
        }
        let Left { outcome, report, packages, files } = self.work()?;
        let record = StageRecord {
            format: SESSION_FORMAT.to_owned(),
            outcome,
            before: self.before,
            workspace: None,
            not_kept: Skips::default(),
            prompt: Sha256::of(self.prompt.as_bytes()),
            cost_usd: self.cost(&report),
            reported_cost_usd: report.reported_cost_usd,
            footprint: Footprint::of(&report.steps, &self.file_tools()),
            began,
            seconds: clock.elapsed().as_secs_f64(),
            usage: report.usage,
            counted_by: report.counted_by,
            conversation: report.session_id,
            packages,
        };
        let ended = self.make("ended/session")?;
        let file =
            |name: &str, bytes: &[u8]| fs::write(ended.join(name), bytes).map_err(StageError::write(ended.join(name)));
        files.iter().try_for_each(|(name, bytes)| file(name, bytes))?;
        file("prompt.md", self.prompt.as_bytes())?;
        file(SESSION, &canonical::to_vec(&record)?)?;
        let ended = ended.with_file_name("");
        let kept = ["workspace", "home"].into_iter().take(1 + usize::from(self.keeps_home));
        for folder in kept.filter(|folder| self.assignment.scratch.join(folder).is_dir()) {
            let place = ended.join(folder);
            fs::rename(self.assignment.scratch.join(folder), &place).map_err(StageError::write(place))?;
        }
        Ok(EndedStage { folder: ended, spent: record.spent() })
    }

    /// Of workers that are no agents, nothing is told.
    fn file_tools(&self) -> FileTools {
        let Worker::Agent { name, version, .. } = self.worker else { return FileTools::default() };
        self.equipment.agent(name, version).map(|equipped| equipped.agent.file_tools.clone()).unwrap_or_default()
    }

    fn work(&self) -> Result<Left, StageError> {
        match self.worker {
            Worker::Noop => Ok(Left::quiet(DONE)),
            Worker::Reference => {
                let workspace = self.workspace();
                slopbench_walk::remove(&workspace).map_err(StageError::write(&workspace))?;
                Snapshot::take(self.reference()?, &workspace, &CopyRules::default())?;
                Ok(Left::quiet(DONE))
            }
            Worker::Command { words } => self.in_runtime(self.command(words)),
            Worker::Agent { name, version, model } => {
                let installed = self.equipment.agent(name, version)?;
                let goes_on = matches!(self.conversation, Conversation::Continued { .. });
                if goes_on && installed.agent.continue_arguments.is_none() {
                    return Err(StageError::NoConversation(name.clone()));
                }
                self.in_runtime(self.agent(installed, version, model))
            }
        }
    }

    fn before_tree(&self) -> Result<Option<PathBuf>, StageError> {
        Ok(self.before.map(|id| self.assignment.store.tree(id)).transpose()?)
    }

    fn reference(&self) -> Result<&Path, StageError> {
        self.reference.ok_or(StageError::NoReference)
    }

    /// A runtime of its own for each session: what is left running in it ends with it.
    fn in_runtime(&self, session: impl Future<Output = Result<Left, StageError>>) -> Result<Left, StageError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.map_err(StageError::write(self.assignment.scratch))?.block_on(session)
    }

    async fn command(&self, words: &[String]) -> Result<Left, StageError> {
        let mut words = words.iter().map(|word| word.replace("{prompt}", self.prompt));
        let program: PathBuf = words.next().unwrap_or_default().into();
        let installation = self.installation(&program)?;
        let (sandbox, listener) = self.sandbox(installation)?;
        let served =
            Served::without_model(listener, self.allowed_hosts, self.packages, &self.equipment.provider_access)?;
        let argv = std::iter::once(program.to_string_lossy().into_owned()).chain(words).collect();
        let ended = sandbox.run(&SessionJob::new(argv, self.limit)).await.map_err(StageError::write(&program))?;
        let files = BTreeMap::from([
            ("events", ended.stdout.clone()),
            ("stderr", ended.stderr.clone()),
            ("gateway.jsonl", served.gateway.log().to_json_lines().into_bytes()),
        ]);
        // It has no events to tell of its end in: its exit code says all.
        let report = SessionReport { ended: true, ..SessionReport::default() };
        let outcome = StageOutcome::Ended(report.ending(&EndedSession { ended, events: Vec::new() }));
        let packages = served.gateway.log().packages();
        Ok(Left { outcome, report, packages, files })
    }

    /// What comes with a program: all that lies beside it, unless it is the system's.
    fn installation(&self, program: &Path) -> Result<PathBuf, StageError> {
        if !program.is_absolute() || SYSTEM.iter().any(|folder| program.starts_with(folder)) {
            return self.make("installation");
        }
        let folder = program.parent().unwrap_or(program);
        self.apart(program, folder)
    }

    /// The folder of `program`, as long as nothing hidden would be shown with it.
    fn apart(&self, program: &Path, folder: &Path) -> Result<PathBuf, StageError> {
        let folder = folder.canonicalize().map_err(StageError::write(folder))?;
        let hidden = self.hide.iter().filter_map(|path| path.canonicalize().ok());
        match hidden.into_iter().find(|hidden| hidden.starts_with(&folder) || folder.starts_with(hidden)) {
            None => Ok(folder),
            Some(hidden) => Err(StageError::ShownTogether { program: program.to_path_buf(), hidden }),
        }
    }

    async fn agent(&self, installed: &Equipped, version: &str, model: &ModelChoice) -> Result<Left, StageError> {
        let Equipped { agent, installed: Installed { program, folder } } = installed;
        let (workspace, home) = (AgentSandbox::workspace(), AgentSandbox::home());
        let folder = match agent.install {
            InstallSource::Folder { .. } => self.apart(program, folder)?,
            _ => folder.clone(),
        };
        let (sandbox, listener) = self.sandbox(folder)?;
        let settings = GatewaySettings {
            agent,
            version,
            model,
            cassette: self.answers.cassette(self.assignment),
            records: *self.answers == Answers::Recorded,
            allowed_hosts: self.allowed_hosts,
            packages: self.packages,
            provider_access: &self.equipment.provider_access,
            workspace,
            home,
        };
        let before = self.before_tree()?;
        let script = || match &self.script {
            Some(script) => Ok(script.clone()),
            None => Ok(Script::of_solution(before.as_deref(), self.reference()?)?),
        };
        let served = settings.open(listener, script).await?;
        let gateway = served.gateway.url();
        let (reasoning, key) = (model.reasoning.as_str(), KEY);
        let small_model = agent.small_model(model.provider.as_deref(), &model.id);
        let prompt = self.prompt;
        let conversation = match self.conversation {
            Conversation::New | Conversation::Anew { .. } => None,
            Conversation::Continued { id, .. } => Some(id),
        };
        let task = AgentTask {
            prompt,
            conversation,
            model: &model.id,
            small_model,
            reasoning,
            gateway: &gateway,
            key,
            workspace,
            home,
        };
        let session = agent.run(program, &task, &sandbox, self.limit).await?;

        let mut report = SessionReport::of(agent, &model.id, self.prompt, &session.events);
        report.count(served.gateway.log().usage());
        let ending = report.ending(&session);
        let outcome = match served.trouble(&ending) {
            Some(reason) => StageOutcome::Unanswered { reason },
            None => StageOutcome::Ended(ending),
        };
        let trajectory = report.trajectory(agent, version, &model.id, self.cost(&report));
        let EndedSession { ended, events } = session;
        let mut files = BTreeMap::from([
            ("events", events),
            ("stderr", ended.stderr),
            ("gateway.jsonl", served.gateway.log().to_json_lines().into_bytes()),
            ("trajectory.json", canonical::to_vec(&trajectory)?),
        ]);
        if let Some(recorder) = &served.recorder {
            let path = self.assignment.scratch.join(CASSETTE);
            recorder.save(&path).await?;
            files.insert(CASSETTE, fs::read(&path).map_err(StageError::write(&path))?);
        }
        let packages = served.gateway.log().packages();
        Ok(Left { outcome, report, packages, files })
    }

    /// Neither a price nor a usage is guessed.
    fn cost(&self, report: &SessionReport) -> Option<f64> {
        let told = !report.usage.is_empty();
        let provider = match self.worker {
            Worker::Agent { model, .. } => model.provider.as_deref().unwrap_or_default(),
            _ => "",
        };
        let prices = self.equipment.prices.of(provider);
        told.then(|| report.cost_usd(&prices, &self.equipment.today).ok()).flatten()
    }

    fn workspace(&self) -> PathBuf {
        self.assignment.scratch.join("workspace")
    }

    /// The worker's home: a new one, or as the conversation that goes on left it.
    fn home(&self) -> Result<PathBuf, StageError> {
        let Conversation::Continued { home, .. } = self.conversation else { return self.make("home") };
        let copy = self.assignment.scratch.join("home");
        Snapshot::take(home, &copy, &WHOLE)?;
        Ok(copy)
    }

    /// A new folder in the stage's scratch.
    fn make(&self, name: &str) -> Result<PathBuf, StageError> {
        let path = self.assignment.scratch.join(name);
        fs::create_dir_all(&path).map_err(StageError::write(&path))?;
        Ok(path)
    }

    fn sandbox(&self, installation: PathBuf) -> Result<(AgentSandbox, TcpListener), StageError> {
        let (home, _streams) = (self.home()?, self.make("streams")?);
        let (system, hide) = (self.equipment.systems.of(self.worker)?, self.hide.to_vec());
        let place = self.assignment.scratch.join("activation");
        let active = self.declared.map(|packages| activate(packages, &home, (system.clone(), hide.clone()), &place));
        let mut variables = self.variables.clone();
        variables.extend(active.transpose()?.into_iter().flatten());
        variables.extend(self.packages.iter().flat_map(|_| package_variables()));
        let spec = session_in(self.assignment.scratch, installation, system, hide);
        let environment = self.declared.map(|packages| packages.environment);
        let [assets, environment] = [self.assets, environment].map(|folder| folder.map(Path::to_path_buf));
        let (sandbox, listener) = AgentSandbox::open(SessionSpec { assets, environment, ..spec })?;
        Ok((sandbox.with_variables(variables), listener))
    }
}
