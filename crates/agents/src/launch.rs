//! How an agent's process is started: an interface, the [`Sandbox`], and this machine itself.

mod sandbox;

use std::{
    collections::BTreeMap,
    io,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{ExitStatus, Stdio},
    time::Duration,
};

use nix::{
    sys::signal::{Signal, killpg},
    unistd::Pid,
};
use slopbench_sandbox::Limit;
use tokio::io::{AsyncRead, AsyncReadExt};

pub use self::sandbox::{GATEWAY_PORT, Room, Sandbox};

/// The most that an agent may tell, in bytes: by its standard output and error, or in a file. Sessions of hours take some
/// tens of megabytes.
pub const MOST_OUTPUT: u64 = 64 << 20;

/// A process to be started, with paths as it will see them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// What is run.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Its environment, beside `PATH` and `HOME`.
    pub environment: BTreeMap<String, String>,
    /// Where it runs.
    pub folder: PathBuf,
    /// Its home.
    pub home: PathBuf,
}

/// How a process ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this code.
    Code(i32),
    /// By a signal that was not ours.
    Signal(i32),
    /// It was still running at the time limit, and was killed.
    TimedOut,
    /// It hit another limit of its sandbox, and was killed.
    Limit(Limit),
}

/// A process that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// How.
    pub exit: Exit,
    /// All it wrote to its standard output.
    pub stdout: Vec<u8>,
    /// All it wrote to its standard error.
    pub stderr: Vec<u8>,
}

/// A place where agents run.
pub trait Launcher: Sync {
    /// Where on this machine something lies, by the path that a process sees.
    fn outside(&self, path: &Path) -> PathBuf {
        path.to_path_buf()
    }

    /// Runs a process to its end, or to the limit of wall-clock time. Nothing that it started is left behind.
    fn run(&self, command: &Command, limit: Duration) -> impl Future<Output = io::Result<Ended>> + Send;
}

/// This machine, with nothing between it and the agent: for scripted models only, as their agents do what we say.
#[derive(Clone, Copy, Debug, Default)]
pub struct Host {
    /// The user and group to run as, where it is not ours (needs root). Folder and home are given to them.
    pub user: Option<(u32, u32)>,
}

impl Launcher for Host {
    async fn run(&self, command: &Command, limit: Duration) -> io::Result<Ended> {
        let mut process = tokio::process::Command::new(&command.program);
        process.args(&command.arguments).current_dir(&command.folder);
        process.env_clear().envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
        process.env("HOME", &command.home).envs(&command.environment);
        process.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        // A group of its own, so that all of it can be killed.
        process.process_group(0);
        if let Some((user, group)) = self.user {
            [&command.folder, &command.home]
                .into_iter()
                .try_for_each(|path| slopbench_walk::give(path, user, group))?;
            process.uid(user).gid(group);
        }
        let mut child = process.spawn()?;
        let group = child.id().and_then(|id| i32::try_from(id).ok()).map(Pid::from_raw);
        let streams = tokio::spawn(read_both(child.stdout.take(), child.stderr.take()));
        let waited = tokio::time::timeout(limit, child.wait()).await;
        // Also after a good end: what an agent left running would write into the next checkpoint.
        group.map(|group| killpg(group, Signal::SIGKILL));
        let exit = match waited {
            Ok(status) => exit(status?),
            Err(_) => {
                child.wait().await?;
                Exit::TimedOut
            }
        };
        let (stdout, stderr) = streams.await.map_err(io::Error::other)??;
        Ok(Ended { exit, stdout, stderr })
    }
}

fn exit(status: ExitStatus) -> Exit {
    // A process that has ended has a code or a signal.
    status.code().map_or_else(|| Exit::Signal(status.signal().unwrap_or_default()), Exit::Code)
}

async fn read_both(
    stdout: Option<impl AsyncRead + Unpin>,
    stderr: Option<impl AsyncRead + Unpin>,
) -> io::Result<(Vec<u8>, Vec<u8>)> {
    tokio::try_join!(read_all(stdout), read_all(stderr))
}

async fn read_all(stream: Option<impl AsyncRead + Unpin>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(mut stream) = stream {
        stream.read_to_end(&mut bytes).await?;
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, folder: &Path) -> Command {
        Command {
            program: "/bin/sh".into(),
            arguments: vec!["-c".into(), script.into()],
            environment: BTreeMap::from([("GREETING".into(), "hello".into())]),
            folder: folder.into(),
            home: folder.into(),
        }
    }

    async fn run(script: &str, limit: Duration) -> (Ended, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        (Host::default().run(&shell(script, folder.path()), limit).await.unwrap(), folder)
    }

    #[tokio::test]
    async fn a_process_gets_its_own_environment_and_nothing_of_ours() {
        let (ended, folder) = run("echo $GREETING $CARGO_MANIFEST_DIR; pwd >&2; exit 3", Duration::from_secs(20)).await;
        assert_eq!(ended.exit, Exit::Code(3));
        assert_eq!(ended.stdout, b"hello\n");
        assert_eq!(Path::new(String::from_utf8(ended.stderr).unwrap().trim()), folder.path().canonicalize().unwrap());
    }

    #[tokio::test]
    async fn a_process_that_hangs_is_killed_with_all_it_started() {
        let (ended, folder) = run("(sleep 30; touch late) & echo before; sleep 30", Duration::from_millis(300)).await;
        assert_eq!((ended.exit, ended.stdout.as_slice()), (Exit::TimedOut, b"before\n".as_slice()));
        assert!(!folder.path().join("late").exists());
    }

    #[tokio::test]
    async fn what_a_process_leaves_running_ends_with_it() {
        // The sleeper holds the pipe open: were it alive, reading to the end would take its thirty seconds.
        let started = std::time::Instant::now();
        let (ended, _folder) = run("sleep 30 & exit 0", Duration::from_secs(60)).await;
        assert_eq!(ended.exit, Exit::Code(0));
        assert!(started.elapsed() < Duration::from_secs(20));
    }

    #[tokio::test]
    async fn a_signal_is_told_from_an_exit_code() {
        assert_eq!(run("kill -TERM $$", Duration::from_secs(20)).await.0.exit, Exit::Signal(15));
    }
}
