//! Runs of real agents with a scripted model, on the small problem in `tests/repository`. They come from npm and PyPI, so
//! `cargo xtask agents` runs these tests.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::Value;
use slopbench_digest::tree_id;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/repository")
}

fn slopbench(out: &Path, agent: &str, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_slopbench"));
    command.arg("--root").arg(repository()).args(["--json", "run", "--agent", agent, "--model", "scripted"]);
    command.arg("--agents-dir").arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join("agents")).arg("--out").arg(out);
    command.args(more).output().unwrap()
}

fn checkpoints(output: &Output) -> Vec<Value> {
    assert!(output.status.success(), "{output:?}");
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    summary["trajectories"][0]["checkpoints"].as_array().unwrap().clone()
}

fn leaves_the_reference_solutions(agent: &str) {
    let dir = tempfile::tempdir().unwrap();
    let checkpoints = checkpoints(&slopbench(&dir.path().join("run"), agent, &[]));
    assert_eq!(checkpoints.len(), 2);
    for (row, number) in checkpoints.iter().zip(1..) {
        let solution = repository().join(format!("problems/echo/solution/python/checkpoint_{number}"));
        assert_eq!(row["snapshot"], tree_id(&solution).unwrap().to_string(), "{row}");
        assert_eq!((&row["state"], &row["solve"]["strict"]), (&"done".into(), &true.into()), "{row}");
        assert!(row["usage"]["output"].as_u64() > Some(0) && row["footprint"]["turns"].as_u64() > Some(0), "{row}");
        let trajectories = fs::read_dir(dir.path().join("run/units")).unwrap().map(|entry| entry.unwrap().path());
        let session = trajectories.last().unwrap().join(format!("checkpoint_{number}/session/trajectory.json"));
        let atif: Value = serde_json::from_slice(&fs::read(session).unwrap()).unwrap();
        assert_eq!(atif["schema_version"], "ATIF-v1.7");
        assert!(atif["final_metrics"]["total_steps"].as_u64() > Some(2), "{atif}");
    }
}

macro_rules! real {
    ($($name:ident: $agent:literal;)*) => {
        $(
            #[test]
            #[ignore = "installs from npm or PyPI: cargo xtask agents"]
            fn $name() {
                leaves_the_reference_solutions($agent);
            }
        )*
    };
}

real! {
    claude_code_2_0_51: "claude-code@2.0.51";
    claude_code_2_1_329: "claude-code@2.1.329";
    codex_0_65_0: "codex@0.65.0";
    codex_0_169_0: "codex@0.169.0";
    opencode_1_18_33: "opencode@1.18.33";
    gemini_cli_0_61_0: "gemini-cli@0.61.0";
    mini_swe_agent_2_4_6: "mini-swe-agent@2.4.6";
}

#[test]
#[ignore = "installs from npm: cargo xtask agents"]
fn a_replay_that_is_asked_something_new_ends_at_once_and_says_what() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    let recorded = checkpoints(&slopbench(&path("recorded"), "codex@0.65.0", &["--record"]));
    let recording = path("recorded").display().to_string();
    let replay = ["--replay", &recording];
    assert_eq!(checkpoints(&slopbench(&path("replayed"), "codex@0.65.0", &replay)), recorded);

    // Called like the built-in one, so that its cassettes are found.
    fs::write(path("just-solve.md"), "Solve this: {{ spec }}").unwrap();
    let prompt = path("just-solve.md").display().to_string();
    let output = slopbench(&path("other"), "codex@0.65.0", &[&replay[..], &["--prompt", &prompt]].concat());
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let error = String::from_utf8(output.stderr).unwrap();
    let expected = "no recording has this request; the most similar one differs first in input[";
    assert!(error.lines().last().unwrap().contains(expected), "{error}");
}
