//! What is there of the programs that slopbench stands on, each by really trying.

use std::process::Command;

use serde::Serialize;
use slopbench_report::{Column, Role, Table, Text};
use slopbench_sandbox::{
    Runtime,
    docker::ContainerEngine,
    probe::{self, FeatureState},
};
use slopbench_tests::Track;

use crate::{
    Failure,
    args::Args,
    output::{Status, print, print_json},
    setup, tracks,
};

/// One thing looked for.
#[derive(Serialize)]
struct MachineCheck {
    name: String,
    /// Nothing works without it.
    required: bool,
    found: bool,
    /// A version, or why it is not there.
    detail: String,
    /// What to do about it; empty where it was found.
    advice: String,
}

pub(crate) fn run(args: &Args) -> Result<Status, Failure> {
    let mut findings = sandbox();
    findings.extend([python3(), git(), nix()]);
    findings.extend(tracks());
    findings.extend(docker());
    match args.json {
        true => print_json(&findings)?,
        false => print(describe(&findings))?,
    }
    Ok(Status::of_check(findings.iter().all(|finding| finding.found || !finding.required)))
}

fn describe(findings: &[MachineCheck]) -> Text {
    let mut table = Table::new(&[Column::Text(""), Column::Text("what"), Column::Prose("found")]);
    for finding in findings {
        let (mark, role) = match (finding.found, finding.required) {
            (true, _) => ("ok", Role::Good),
            (false, true) => ("MISSING", Role::Bad),
            (false, false) => ("optional", Role::Caution),
        };
        table.row([mark, &finding.name, &finding.detail]);
        table.mark(0, role);
    }
    let mut text = Text::from(table);
    let missing = findings.iter().filter(|finding| !finding.found);
    text.extend(missing.map(|finding| format!("\n{}: {}\n", finding.name, finding.advice)));
    text
}

/// The embedded sandbox, feature by feature.
fn sandbox() -> Vec<MachineCheck> {
    let features = match probe::features() {
        Ok(features) => features,
        Err(error) => {
            return vec![missing("sandbox", true, "cannot be tried", error.to_string())];
        }
    };
    let finding = |feature: probe::Feature| {
        let name = format!("sandbox: {}", feature.name);
        match feature.state {
            FeatureState::Found => found(name, "works"),
            FeatureState::Missing { cause, advice } => missing(name, true, cause, advice),
        }
    };
    features.into_iter().map(finding).collect()
}

fn python3() -> MachineCheck {
    match Runtime::python3() {
        Ok(runtime) => found("python3", runtime.path.iter().map(|path| path.display().to_string()).collect::<String>()),
        Err(error) => missing(
            "python3",
            true,
            error.to_string(),
            "install Python 3.10 or newer, as `apt-get install python3` does",
        ),
    }
}

/// Each track, in namespaces.
fn tracks() -> Vec<MachineCheck> {
    let failed = |error: &dyn ToString| vec![missing("tracks", false, "cannot be tried", error.to_string())];
    let scratch = match tempfile::tempdir() {
        Ok(scratch) => scratch,
        Err(error) => return failed(&error),
    };
    let states = match tracks::states(scratch.path()) {
        Ok(states) => states,
        Err(error) => return failed(&error),
    };
    let check = |(track, state): (Track, tracks::TrackState)| match state {
        Ok(version) => found(format!("track {track}"), version),
        Err((cause, advice)) => missing(format!("track {track}"), false, cause, advice),
    };
    states.into_iter().map(check).collect()
}

fn git() -> MachineCheck {
    program("git", "install git, as `apt-get install git` does; the tests compare tree ids with it")
}

fn nix() -> MachineCheck {
    program("nix", "needed for `nix run .#reproduce` only; `cargo xtask reproduce` does the same without it")
}

/// A program that answers `--version`.
fn program(name: &str, advice: &str) -> MachineCheck {
    match Command::new(name).arg("--version").output() {
        Ok(output) if output.status.success() => {
            let version = String::from_utf8_lossy(&output.stdout);
            found(name, version.lines().next().unwrap_or_default())
        }
        Ok(output) => missing(name, false, format!("`{name} --version` ended with {}", output.status), advice),
        Err(error) => missing(name, false, error.to_string(), advice),
    }
}

/// The images of `--sandbox docker`, and what is in containers of each.
const IMAGES: [(&str, &str); 6] = [
    ("python", "solutions"),
    ("build", "commands"),
    ("node", "agents, and solutions in javascript"),
    ("go", "solutions in go"),
    ("rust", "solutions in rust"),
    ("java", "solutions in java"),
];

/// The engine and the images of `--sandbox docker`.
fn docker() -> Vec<MachineCheck> {
    const ADVICE: &str = "needed for `--sandbox docker` only";
    let advice = |error: &dyn ToString| format!("{ADVICE}; {}", error.to_string());
    let engine = match ContainerEngine::connect() {
        Ok(engine) => engine,
        Err(error) => return vec![missing("docker: engine", false, "none answers", advice(&error))],
    };
    let about = match engine.fit() {
        Ok(about) => about,
        Err(error) => return vec![missing("docker: engine", false, "of no use", advice(&error))],
    };
    let image = |(name, purpose): (&str, &str)| {
        let image =
            setup::image(name).and_then(|image| engine.check(&image).map(|()| image.name).map_err(Failure::from));
        let title = format!("docker: image for {purpose}");
        match image {
            Ok(name) => found(title, name),
            Err(error) => missing(title, false, "not loaded", advice(&error)),
        }
    };
    let engine = found("docker: engine", format!("{about}, at {}", engine.host()));
    [engine].into_iter().chain(IMAGES.map(image)).collect()
}

fn found(name: impl Into<String>, detail: impl Into<String>) -> MachineCheck {
    let (name, detail) = (name.into(), detail.into());
    MachineCheck { name, required: true, found: true, detail, advice: String::new() }
}

fn missing(
    name: impl Into<String>,
    required: bool,
    detail: impl Into<String>,
    advice: impl Into<String>,
) -> MachineCheck {
    MachineCheck { name: name.into(), required, found: false, detail: detail.into(), advice: advice.into() }
}
