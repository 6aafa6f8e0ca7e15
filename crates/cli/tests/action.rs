//! The GitHub Action's script, as far as it can be run without GitHub: with the shell, the variables and the files that a
//! runner gives it.

#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![cfg(unix)]

use std::{
    fs,
    os::unix::fs::symlink,
    path::Path,
    process::{Command, Output},
};

use serde_json::Value;
use tempfile::TempDir;

struct Run {
    output: Output,
    summary: String,
    folder: TempDir,
}

/// Runs the step that measures, in a checkout with one file and this configuration, with these inputs and the defaults of
/// the others.
fn run(configuration: &str, inputs: &[(&str, &str)]) -> Run {
    let action = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../action.yml");
    let action: Value = serde_saphyr::from_str(&fs::read_to_string(action).unwrap()).unwrap();
    let step = &action["runs"]["steps"][1];
    let folder = tempfile::tempdir().unwrap();
    let binary = folder.path().join("action/target/release/slopbench");
    fs::create_dir_all(binary.parent().unwrap()).unwrap();
    symlink(env!("CARGO_BIN_EXE_slopbench"), &binary).unwrap();
    fs::create_dir_all(folder.path().join("checkout/src")).unwrap();
    fs::write(folder.path().join("checkout/src/a.py"), "total = 0\nfor row in rows:\n    total += row\n").unwrap();
    fs::write(folder.path().join("checkout/slopbench.toml"), configuration).unwrap();

    let mut command = Command::new("bash");
    command.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"].as_str().unwrap()]);
    command.current_dir(folder.path().join("checkout"));
    command.env("GITHUB_ACTION_PATH", folder.path().join("action"));
    command.env("GITHUB_STEP_SUMMARY", folder.path().join("summary.md"));
    for (name, expression) in step["env"].as_object().unwrap() {
        let input = expression.as_str().unwrap().strip_prefix("${{ inputs.").unwrap().strip_suffix(" }}").unwrap();
        let default = action["inputs"][input]["default"].as_str().unwrap();
        let given = inputs.iter().find(|(name, _)| *name == input).map_or(default, |(_, value)| value);
        command.env(name, given);
    }
    let output = command.output().unwrap();
    let summary = fs::read_to_string(folder.path().join("summary.md")).unwrap_or_default();
    Run { output, summary, folder }
}

#[test]
fn it_annotates_and_writes_a_summary() {
    let Run { output, summary, folder } = run("", &[]);
    assert!(output.status.success(), "{output:?}");
    let log = String::from_utf8(output.stdout).unwrap();
    assert!(log.starts_with("::warning file=src/a.py,line=2,endLine=3,title=sum-loop::"), "{log}");
    assert!(summary.starts_with("## slopbench\n"), "{summary}");
    assert!(!folder.path().join("checkout/slopbench.sarif").exists());
}

#[test]
fn a_passed_limit_fails_the_step_once_everything_is_written() {
    let limits = "erosion>0.5\nverbosity>=0.6\n";
    let Run { output, summary, folder } =
        run("", &[("path", "src\n"), ("fail-on", limits), ("sarif", "slopbench.sarif")]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "failed: verbosity>=0.6: verbosity is 0.6666666666666666\n");
    assert!(summary.contains("| 1 | `sum-loop` |"), "{summary}");
    let sarif = fs::read_to_string(folder.path().join("checkout/slopbench.sarif")).unwrap();
    assert!(sarif.contains("\"uri\": \"src/a.py\""), "{sarif}");
}

#[test]
fn limits_of_the_configuration_count_too() {
    let Run { output, summary, .. } = run("fail-on = ['loc>2']\n", &[]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "failed: loc>2: loc is 3\n");
    assert!(summary.starts_with("## slopbench\n"), "{summary}");
}

#[test]
fn what_cannot_be_measured_is_an_error_that_is_shown() {
    let Run { output, .. } = run("", &[("path", "src\ngone")]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.starts_with("error: cannot measure"), "{message}");
}
