//! One session: a worker, a workspace and a prompt become a workspace, a record and what the worker told.

use std::{
    collections::BTreeMap,
    fs, io,
    net::TcpListener,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use slopbench_agents::{
    definition::{Source, Task},
    events::{Ending, Report},
    install::Installed,
    launch::{Command, Launcher, Room, Sandbox},
    session::Session,
};
use slopbench_digest::{Sha256, canonical};
use slopbench_gateway::script::Script;
use slopbench_sandbox::snapshot::{Rules, Skips, Snapshot};
use slopbench_tests::Problem;

use super::{
    SESSION,
    equipment::{Equipment, Equipped, now},
    folder::{RunFolder, remove, rename, write},
    footprint::Footprint,
    gateway::{GatewaySettings, KEY, Served},
    instrument::Instrument,
    plan::{ModelChoice, Trajectory, Worker},
    prompt,
    record::{Outcome, Record, SESSION_FORMAT},
};
use crate::Error;

/// A session that is about to begin.
pub(crate) struct Assignment<'a> {
    pub(crate) folder: &'a RunFolder,
    pub(crate) equipment: &'a Equipment,
    pub(crate) instrument: &'a Instrument,
    pub(crate) problem: &'a Problem,
    pub(crate) trajectory: &'a Trajectory,
    pub(crate) checkpoint: u32,
    /// The record of the checkpoint before.
    pub(crate) before: Option<&'a Record>,
    /// An empty folder.
    pub(crate) scratch: PathBuf,
    /// What no worker may see.
    pub(crate) hide: &'a [PathBuf],
}

/// What a worker left behind, beside its workspace.
struct Left {
    outcome: Outcome,
    report: Report,
    /// By name in the step's folder.
    files: BTreeMap<&'static str, Vec<u8>>,
}

const DONE: Outcome = Outcome::Ended(Ending::Done);

/// Where programs lie that every sandbox shows.
const SYSTEM: &[&str] = &["/bin", "/sbin", "/usr"];

impl Left {
    fn quiet(outcome: Outcome) -> Self {
        Self { outcome, report: Report::default(), files: BTreeMap::new() }
    }
}

impl Assignment<'_> {
    /// Does it, and prepares a folder with all that it left: what was told in `session/`, and `workspace/` as it is. Nothing
    /// that may fail comes between the worker's end and that folder; the record lacks what the workspace says.
    pub(crate) fn carry_out(&self) -> Result<(Record, PathBuf), Error> {
        let (began, clock) = (now(), Instant::now());
        let before = self.before.and_then(|record| record.workspace).map(|id| self.folder.tree(id)).transpose()?;
        match &before {
            Some(tree) => drop(Snapshot::take(tree, &self.workspace(), &Rules::default())?),
            None => drop(self.make("workspace")?),
        }
        let prompt = self.prompt()?;
        let Left { outcome, report, files } = self.work(&prompt, before.as_deref())?;
        let record = Record {
            format: SESSION_FORMAT.to_owned(),
            instrument: self.instrument.clone(),
            outcome,
            before: self.before.and_then(|record| record.workspace),
            workspace: None,
            not_kept: Skips::default(),
            prompt: Sha256::of(prompt.as_bytes()),
            cost_usd: self.cost(&report),
            reported_cost_usd: report.reported_cost_usd,
            footprint: Footprint::of(&report.steps),
            began,
            seconds: clock.elapsed().as_secs_f64(),
            usage: report.usage,
            counted_by: report.counted_by,
        };
        let ended = self.scratch.join("ended");
        let file = |name: &str, bytes: &[u8]| write(&ended.join("session").join(name), bytes);
        files.iter().try_for_each(|(name, bytes)| file(name, bytes))?;
        file("prompt.md", prompt.as_bytes())?;
        file(SESSION, &canonical::to_vec(&record)?)?;
        rename(&self.workspace(), &ended.join("workspace"))?;
        Ok((record, ended))
    }

    fn work(&self, prompt: &str, before: Option<&Path>) -> Result<Left, Error> {
        match &self.trajectory.worker {
            Worker::Noop => Ok(Left::quiet(DONE)),
            Worker::Reference => {
                let (workspace, solution) = (self.workspace(), self.problem.reference(self.checkpoint));
                remove(&workspace)?;
                Snapshot::take(&solution, &workspace, &Rules::default())?;
                Ok(Left::quiet(DONE))
            }
            Worker::Command { words } => self.in_runtime(self.command(words, prompt)),
            Worker::Agent { name, version, model } => {
                let installed = self.equipment.agent(name, version)?;
                self.in_runtime(self.agent(installed, version, model, prompt, before))
            }
        }
    }

    /// A runtime of its own for each session: what is left running in it ends with it.
    fn in_runtime(&self, session: impl Future<Output = Result<Left, Error>>) -> Result<Left, Error> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.map_err(|source| failed(&self.scratch, source))?.block_on(session)
    }

    async fn command(&self, words: &[String], prompt: &str) -> Result<Left, Error> {
        let mut words = words.iter().map(|word| word.replace("{prompt}", prompt));
        let program: PathBuf = words.next().unwrap_or_default().into();
        let installation = self.installation(&program)?;
        let (sandbox, listener) = self.sandbox(installation)?;
        let served = Served::without_model(listener, &self.folder.plan, &self.equipment.provider_access)?;
        let command = Command {
            program,
            arguments: words.collect(),
            environment: BTreeMap::new(),
            folder: Sandbox::workspace().to_path_buf(),
            home: Sandbox::home().to_path_buf(),
        };
        let ended = sandbox.run(&command, self.limit()).await;
        let ended = ended.map_err(|source| failed(&command.program, source))?;
        let files = BTreeMap::from([
            ("events", ended.stdout.clone()),
            ("stderr", ended.stderr.clone()),
            ("gateway.jsonl", served.gateway.log().to_json_lines().into_bytes()),
        ]);
        // It has no events to tell of its end in: its exit code says all.
        let report = Report { ended: true, ..Report::default() };
        let outcome = Outcome::Ended(report.ending(&Session { ended, events: Vec::new() }));
        Ok(Left { outcome, report, files })
    }

    /// What comes with a program: all that lies beside it, unless it is the system's.
    fn installation(&self, program: &Path) -> Result<PathBuf, Error> {
        if !program.is_absolute() || SYSTEM.iter().any(|folder| program.starts_with(folder)) {
            return self.make("installation");
        }
        let folder = program.parent().unwrap_or(program);
        self.apart(program, folder)
    }

    /// The folder of `program`, as long as nothing hidden would be shown with it.
    fn apart(&self, program: &Path, folder: &Path) -> Result<PathBuf, Error> {
        let folder = folder.canonicalize().map_err(|source| failed(folder, source))?;
        let hidden = self.hide.iter().filter_map(|path| path.canonicalize().ok());
        match hidden.into_iter().find(|hidden| hidden.starts_with(&folder) || folder.starts_with(hidden)) {
            None => Ok(folder),
            Some(hidden) => Err(Error::Plan(format!(
                "{} would be shown together with {}; put it into a folder of its own",
                program.display(),
                hidden.display()
            ))),
        }
    }

    async fn agent(
        &self,
        installed: &Equipped,
        version: &str,
        model: &ModelChoice,
        prompt: &str,
        before: Option<&Path>,
    ) -> Result<Left, Error> {
        let Equipped { agent, installed: Installed { program, folder } } = installed;
        let (workspace, home) = (Sandbox::workspace(), Sandbox::home());
        let folder = match agent.install {
            Source::Folder { .. } => self.apart(program, folder)?,
            _ => folder.clone(),
        };
        let (sandbox, listener) = self.sandbox(folder)?;
        let settings = GatewaySettings {
            agent,
            version,
            model,
            plan: &self.folder.plan,
            provider_access: &self.equipment.provider_access,
            workspace,
            home,
            step: &format!("trajectories/{}/checkpoint_{}/session", self.trajectory.id, self.checkpoint),
        };
        let script = || Ok(Script::of_solution(before, &self.problem.reference(self.checkpoint))?);
        let served = settings.open(listener, script).await?;
        let gateway = served.gateway.url();
        let (reasoning, key) = (model.reasoning.as_str(), KEY);
        let small_model = agent.small_model(model.provider.as_deref(), &model.id);
        let task = Task { prompt, model: &model.id, small_model, reasoning, gateway: &gateway, key, workspace, home };
        let session = agent.run(program, &task, &sandbox, self.limit()).await?;

        let mut report = Report::of(agent, &model.id, prompt, &session.events);
        report.count(served.gateway.log().usage());
        let ending = report.ending(&session);
        let outcome = match served.trouble(&ending) {
            Some(reason) => Outcome::Unanswered { reason },
            None => Outcome::Ended(ending),
        };
        let trajectory = report.trajectory(agent, version, &model.id, self.cost(&report));
        let Session { ended, events } = session;
        let mut files = BTreeMap::from([
            ("events", events),
            ("stderr", ended.stderr),
            ("gateway.jsonl", served.gateway.log().to_json_lines().into_bytes()),
            ("trajectory.json", canonical::to_vec(&trajectory)?),
        ]);
        if let Some(recorder) = &served.recorder {
            let path = self.scratch.join("cassette.jsonl");
            recorder.save(&path).await?;
            files.insert("cassette.jsonl", fs::read(&path).map_err(|source| failed(&path, source))?);
        }
        Ok(Left { outcome, report, files })
    }

    fn prompt(&self) -> Result<String, Error> {
        let name = &self.trajectory.prompt;
        let plan = &self.folder.plan;
        let template = plan.prompts.get(name);
        let template = template.ok_or_else(|| Error::Plan(format!("the plan has no prompt \"{name}\"")))?;
        let all: Vec<_> = (1..=self.checkpoint).collect();
        let given = if plan.one_shot { &all[..] } else { &all[all.len() - 1..] };
        prompt::render(name, template, self.problem, given, &self.trajectory.worker)
    }

    /// Neither a price nor a usage is guessed.
    fn cost(&self, report: &Report) -> Option<f64> {
        let told = !report.usage.is_empty();
        let provider = match &self.trajectory.worker {
            Worker::Agent { model, .. } => model.provider.as_deref().unwrap_or_default(),
            _ => "",
        };
        let prices = self.equipment.prices.of(provider);
        told.then(|| report.cost_usd(&prices, &self.equipment.today).ok()).flatten()
    }

    fn limit(&self) -> Duration {
        Duration::from_secs(self.folder.plan.limit_seconds)
    }

    fn workspace(&self) -> PathBuf {
        self.scratch.join("workspace")
    }

    /// A new folder in the session's scratch.
    fn make(&self, name: &str) -> Result<PathBuf, Error> {
        let path = self.scratch.join(name);
        fs::create_dir_all(&path).map_err(|source| failed(&path, source))?;
        Ok(path)
    }

    fn sandbox(&self, installation: PathBuf) -> Result<(Sandbox, TcpListener), Error> {
        let (home, streams) = (self.make("home")?, self.make("streams")?);
        let (system, hide) = (self.equipment.systems.of(&self.trajectory.worker)?, self.hide.to_vec());
        Ok(Sandbox::open(Room { workspace: self.workspace(), home, installation, streams, system, hide })?)
    }
}

fn failed(path: &Path, source: io::Error) -> Error {
    Error::Write { path: path.to_path_buf(), source }
}
