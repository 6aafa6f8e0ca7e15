//! One session of an agent: from a task to what the agent told while doing it.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use slopbench_sandbox::{Limit, ProgramEnd, read_file_start};

use crate::{
    definition::{Agent, AgentTask},
    launch::{AgentSandbox, EndedProcess, MOST_OUTPUT},
};

/// A session that has ended, well or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndedSession {
    /// How the process ended, and what it wrote to its streams; not its standard output where that is its events.
    pub ended: EndedProcess,
    /// What it told of its doings, in its own format; empty where it told nothing.
    pub events: Vec<u8>,
}

/// A session that could not be had: the infrastructure failed, not the agent.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// A file in the agent's home cannot be read or written.
    #[error("cannot use {}: {source}", path.display())]
    Home {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The agent's process cannot be started.
    #[error("cannot run {}: {source}; is {agent} installed there?", program.display())]
    Launch {
        /// The agent's title.
        agent: String,
        /// What was to be run.
        program: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

impl Agent {
    /// Runs the agent, installed as `program`, on `task`, for at most `limit` of wall-clock time.
    ///
    /// # Errors
    ///
    /// [`SessionError`] if the infrastructure failed: home or program cannot be used.
    pub async fn run(
        &self,
        program: &Path,
        task: &AgentTask<'_>,
        sandbox: &AgentSandbox,
        limit: Duration,
    ) -> Result<EndedSession, SessionError> {
        let home = sandbox.outside(task.home);
        for (path, text) in self.home_files(task) {
            let path = home.join(path);
            let made = path.parent().map_or(Ok(()), fs::create_dir_all);
            made.and_then(|()| fs::write(&path, text)).map_err(|source| SessionError::Home { path, source })?;
        }
        let job = self.job(program, task, limit);
        let mut ended = sandbox.run(&job).await.map_err(|source| SessionError::Launch {
            agent: self.title.clone(),
            program: program.to_path_buf(),
            source,
        })?;
        let events = match self.events.from.as_str() {
            "stdout" => std::mem::take(&mut ended.stdout),
            file => {
                let (events, is_whole) = told(&home, file)?;
                if !is_whole {
                    ended.end = ProgramEnd::Limit(Limit::Output);
                }
                events
            }
        };
        Ok(EndedSession { ended, events })
    }
}

/// What an agent told in a file of its home, up to [`MOST_OUTPUT`], and whether that is all. One that is killed early has
/// written no such file; one that left a link there told nothing either, for a link may lead anywhere.
fn told(home: &Path, file: &str) -> Result<(Vec<u8>, bool), SessionError> {
    let wrong = |source| SessionError::Home { path: home.join(file), source };
    let read = read_file_start(home, file, MOST_OUTPUT).map_err(|error| wrong(io::Error::other(error)))?;
    Ok(read.unwrap_or((Vec::new(), true)))
}
