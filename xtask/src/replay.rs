//! Recorded runs of real agents, replayed: `artifacts/replay-*`.
//!
//! Such a folder holds `replay.toml`, written by hand, and what is kept of a recorded run: its cassettes and its summary,
//! where a run has them. Replaying needs the agents, which are installed with npm and pip, and asks no model.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use serde::Deserialize;
use serde_json::Value;
use walkdir::WalkDir;

use crate::Failure;

const SUMMARY: &str = "summary.json";

/// What of a checkpoint has to come out again. Tokens and cost are what the cassettes say, and left out.
const SAME: &[&str] = &["checkpoint", "state", "snapshot", "counts"];

/// `replay.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Definition {
    format: String,
    title: String,
    /// Of `slopbench run`, but for where answers come from and where the run is kept.
    arguments: Vec<String>,
}

/// A folder of such a recording.
struct Recording {
    dir: PathBuf,
    name: String,
    definition: Definition,
    scratch: PathBuf,
}

/// Replays every recording so many `times`; exit code 1 where a workspace or verdict differs.
pub(crate) fn replay(root: &Path, slopbench: &Path, times: u32) -> Result<ExitCode, Failure> {
    let mut all_same = true;
    for recording in recordings(root)? {
        let expected = checkpoints(&recording.dir)?;
        let mut same = 0;
        for _ in 0..times {
            let out = recording.run(slopbench, &["--replay".as_ref(), recording.dir.as_os_str()])?;
            let obtained = checkpoints(&out)?;
            same += u32::from(expected == obtained);
            for (before, now) in expected.iter().zip(&obtained).filter(|(before, now)| before != now) {
                writeln!(io::stdout(), "  recorded {before}\n  replayed {now}")?;
            }
        }
        all_same &= same == times;
        let verdict = if same == times { "ok" } else { "FAILED" };
        let Recording { name, definition, .. } = &recording;
        writeln!(io::stdout(), "{name}  {verdict}  {same} of {times}  {}", definition.title)?;
    }
    Ok(ExitCode::from(u8::from(!all_same)))
}

/// Records every recording anew.
pub(crate) fn record(root: &Path, slopbench: &Path) -> Result<ExitCode, Failure> {
    for recording in recordings(root)? {
        let out = recording.run(slopbench, &["--record".as_ref()])?;
        drop(fs::remove_dir_all(recording.dir.join("units")));
        fs::copy(out.join(SUMMARY), recording.dir.join(SUMMARY))?;
        for entry in WalkDir::new(out.join("units")) {
            let entry = entry?;
            if entry.file_name() == "cassette.jsonl" {
                let target = recording.dir.join(entry.path().strip_prefix(&out)?);
                fs::create_dir_all(target.parent().unwrap_or(root))?;
                fs::copy(entry.path(), target)?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn recordings(root: &Path) -> Result<Vec<Recording>, Failure> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root.join("artifacts"))? {
        let (dir, name) = entry.map(|entry| (entry.path(), entry.file_name().to_string_lossy().into_owned()))?;
        let path = dir.join("replay.toml");
        if !path.is_file() {
            continue;
        }
        let definition: Definition =
            toml::from_str(&fs::read_to_string(&path)?).map_err(|error| format!("{}: {error}", path.display()))?;
        if definition.format != "slopbench.replay/1" {
            return Err(format!("{}: expected format \"slopbench.replay/1\"", path.display()).into());
        }
        found.push(Recording { scratch: root.join("target/replay").join(&name), dir, name, definition });
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    match found.is_empty() {
        true => Err("there is no recording below artifacts/".into()),
        false => Ok(found),
    }
}

impl Recording {
    /// Runs the agent; gives the run's folder.
    fn run(&self, slopbench: &Path, answers: &[&std::ffi::OsStr]) -> Result<PathBuf, Failure> {
        drop(fs::remove_dir_all(&self.scratch));
        let mut command = Command::new(slopbench);
        command.arg("run").args(&self.definition.arguments).args(answers).arg("--out").arg(&self.scratch);
        let status = command.stdout(io::stderr()).status()?;
        match status.success() {
            true => Ok(self.scratch.clone()),
            false => Err(format!("{} could not be run to its end: {status}", self.name).into()),
        }
    }
}

/// What is compared of every checkpoint, a line each.
fn checkpoints(run: &Path) -> Result<Vec<String>, Failure> {
    let summary: Value = serde_json::from_slice(&fs::read(run.join(SUMMARY))?)?;
    let trajectories = summary["trajectories"].as_array().into_iter().flatten();
    let rows = trajectories.flat_map(|trajectory| trajectory["checkpoints"].as_array().into_iter().flatten());
    let line = |row: &Value| SAME.iter().map(|key| format!("{key} {}", row[key])).collect::<Vec<_>>().join(", ");
    Ok(rows.map(line).collect())
}
