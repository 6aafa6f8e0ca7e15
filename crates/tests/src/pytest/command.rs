//! How pytest is started.

use std::path::Path;

use slopbench_sandbox::suite::SuiteLayout;

use super::{
    staging::{INI_FILE, RUNNER_FILE, TESTS},
    suite::SuiteCheckpoint,
};
use crate::Entry;

/// What a session is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To have every test's outcome, unless the solution is handed data that it is not shown: that ends the session.
    UntilHanded,
    /// To find what data are handed over, fast: a program that does nothing stands in for the solution.
    Discovery,
    /// To have every test's outcome.
    Outcomes,
    /// To find which tests there are.
    Collection,
}

/// How long one test may take in a session for [`Purpose::Discovery`], in seconds.
const DISCOVERY_TIMEOUT: u32 = 2;

/// Pytest's command line.
pub(super) fn command(
    entry: &Entry,
    checkpoint: &SuiteCheckpoint,
    layout: &SuiteLayout<'_>,
    purpose: Purpose,
) -> Vec<String> {
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let started = match purpose {
        Purpose::Discovery => vec!["true".to_owned(), text(&layout.workspace.join("solution"))],
        _ => entry.command(layout.workspace),
    };
    // By this it is known from other programs that tests start.
    let known = started.iter().find(|word| word.contains(&text(layout.workspace))).cloned().unwrap_or_default();
    let launcher = layout.launcher.iter().filter(|_| purpose != Purpose::Discovery);
    let start: Vec<_> = launcher.chain(&started).map(|word| quoted(word)).collect();
    let timeout = match purpose {
        Purpose::Discovery => DISCOVERY_TIMEOUT.min(checkpoint.timeout),
        _ => checkpoint.timeout,
    };
    // Without a launcher, the solution sees all of the tests' files.
    let stops = purpose == Purpose::UntilHanded && !layout.launcher.is_empty();
    let mut argv = vec![text(&layout.environment.join("bin/python"))];
    // Neither the working folder, which is the solution's, nor the user's packages are imported from.
    argv.extend(["-P", "-s", "-B"].map(str::to_owned));
    argv.extend([text(&layout.folder.join(RUNNER_FILE)), text(layout.workspace), known]);
    argv.push(if stops { "until-handed" } else { "to-the-end" }.to_owned());
    argv.extend(["-c".to_owned(), text(&layout.folder.join(INI_FILE))]);
    argv.push(format!("--rootdir={}", text(layout.folder)));
    argv.push(format!("--confcutdir={}", text(layout.folder)));
    argv.extend(["-p", "no:cacheprovider", "-q", "--tb=short", "--continue-on-collection-errors"].map(str::to_owned));
    argv.push(format!("--timeout={timeout}"));
    argv.push(format!("--entrypoint={}", start.join(" ")));
    argv.push(format!("--checkpoint={}", checkpoint.name));
    argv.extend((purpose == Purpose::Collection).then(|| "--collect-only".to_owned()));
    argv.push(text(&layout.folder.join(TESTS)));
    argv
}

/// A word as a shell reads it, and `shlex`, by which tests take the command apart.
fn quoted(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"@%+=:,./-_".contains(&byte);
    match !word.is_empty() && word.bytes().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\"'\"'")),
    }
}
