//! One session of an agent with a scripted model, to see whether it can be used: whether it starts, asks its model through
//! the gateway, tells what it does, and writes a file.

use std::{fs, io, path::Path, time::Duration};

use serde::Serialize;
use slopbench_gateway::{
    player::Player,
    script::{Action, Script},
    server::{Allowed, Faults, Gateway, Mode, Models, StartError},
};
use slopbench_sandbox::session::System;

use crate::{
    definition::{Agent, AgentTask},
    events::{SessionEnd, SessionReport},
    install::Installed,
    launch::{AgentSandbox, session_in},
    session::SessionError,
    trajectory,
};

/// What the scripted model writes.
const FILE: (&str, &str) = ("greeting.txt", "Hello.\n");

/// What an agent is told; it is the scripted model that knows what to do.
const PROMPT: &str = "Write a greeting into the file greeting.txt.";

/// What of a session went well.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AgentTrial {
    /// The agent's process was started.
    pub started: bool,
    /// It asked its model, and the gateway answered.
    pub asked: bool,
    /// What it told was understood: a step of its own, or, where its format is `none`, nothing to be told.
    pub understood: bool,
    /// The file is there, as its model wrote it.
    pub wrote: bool,
    /// How the session ended.
    pub ending: String,
    /// What the gateway refused, and the end of what the process wrote to its standard error.
    pub trouble: Vec<String>,
}

impl AgentTrial {
    /// Whether the agent can be used.
    pub fn is_good(&self) -> bool {
        self.started && self.asked && self.understood && self.wrote && self.ending == SessionEnd::Done.word()
    }
}

/// A trial that could not be made: the infrastructure failed, not the agent.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// There is no sandbox to be had.
    #[error(transparent)]
    Sandbox(#[from] slopbench_sandbox::Error),
    /// There is no gateway to be had.
    #[error(transparent)]
    Gateway(#[from] StartError),
    /// A folder cannot be made.
    #[error("cannot prepare a session: {0}")]
    Io(#[from] io::Error),
    /// The session's home cannot be used.
    #[error(transparent)]
    Session(#[from] SessionError),
}

/// Runs `agent` for at most `limit`, with `system` around it.
///
/// # Errors
///
/// [`CheckError`] if no session can be had here; what the agent does wrong is in the [`AgentTrial`].
pub fn check(agent: &Agent, installed: &Installed, system: System, limit: Duration) -> Result<AgentTrial, CheckError> {
    let scratch = tempfile::tempdir()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(session(agent, installed, system, scratch.path(), limit))
}

async fn session(
    agent: &Agent,
    installed: &Installed,
    system: System,
    scratch: &Path,
    limit: Duration,
) -> Result<AgentTrial, CheckError> {
    let make = |name: &str| {
        let path = scratch.join(name);
        fs::create_dir_all(&path).map(|()| path)
    };
    let workspace = make("workspace")?;
    let _folders = (make("home")?, make("streams")?);
    let spec = session_in(scratch, installed.folder.clone(), system, Vec::new());
    let (sandbox, listener) = AgentSandbox::open(spec)?;
    let gateway = Gateway::serve(listener, scripted(agent), Faults::new(), allowed(agent))?;
    let model = agent.scripted_model.as_str();
    let task = AgentTask {
        conversation: None,
        prompt: PROMPT,
        model,
        small_model: agent.small_model(None, model),
        reasoning: "medium",
        gateway: &gateway.url(),
        key: "slopbench",
        workspace: AgentSandbox::workspace(),
        home: AgentSandbox::home(),
    };
    let log = gateway.log();
    let session = match agent.run(&installed.program, &task, &sandbox, limit).await {
        Ok(session) => session,
        Err(error @ SessionError::Launch { .. }) => return Ok(AgentTrial::not_started(&error)),
        Err(error) => return Err(error.into()),
    };
    let report = SessionReport::of(agent, model, PROMPT, &session.events);
    let is_own = |step: &trajectory::TrajectoryStep| step.source == trajectory::StepSource::Agent;
    let entries = log.entries();
    let refused = entries.iter().filter(|entry| entry.status.is_some_and(|status| status >= 400));
    let mut trouble: Vec<_> =
        refused.map(|entry| format!("{} {}: {:?}", entry.method, entry.target, entry.outcome)).collect();
    let said = String::from_utf8_lossy(&session.ended.stderr).into_owned();
    let mut last: Vec<_> = said.lines().rev().filter(|line| !line.trim().is_empty()).take(LINES).collect();
    last.reverse();
    trouble.extend(last.into_iter().map(str::to_owned));
    Ok(AgentTrial {
        started: true,
        asked: entries.iter().any(|entry| entry.turn && entry.status == Some(200)),
        understood: agent.events.format == "none" || report.steps.iter().any(is_own),
        wrote: fs::read_to_string(workspace.join(FILE.0)).is_ok_and(|text| text == FILE.1),
        ending: report.ending(&session).to_string(),
        trouble,
    })
}

/// How many lines of the standard error are shown.
const LINES: usize = 5;

impl AgentTrial {
    fn not_started(error: &SessionError) -> Self {
        let ending = "not started".to_owned();
        Self { started: false, asked: false, understood: false, wrote: false, ending, trouble: vec![error.to_string()] }
    }
}

fn scripted(agent: &Agent) -> Mode {
    Mode::Scripted(Player {
        script: Script::of_actions([Action::Write(FILE.0.to_owned(), FILE.1.to_owned())]),
        workspace: AgentSandbox::workspace().to_path_buf(),
        tools: agent.tools.clone(),
        finish_command: agent.finish_command.clone(),
    })
}

/// As in a run: the agent's own model, and those that it asks beside.
fn allowed(agent: &Agent) -> Allowed {
    let side = agent.side_models(None).iter().cloned();
    let models = Models::Only(side.chain([agent.scripted_model.clone()]).collect());
    Allowed { models, ..Allowed::default() }
}
