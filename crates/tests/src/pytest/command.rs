//! How pytest is started.

use std::path::Path;

use slopbench_sandbox::suite::SuiteLayout;

use super::{
    staging::{INI_FILE, RUNNER_FILE, TESTS},
    suite::SuiteCheckpoint,
};
use crate::Entry;

/// Pytest's command line.
pub(super) fn command(
    entry: &Entry,
    checkpoint: &SuiteCheckpoint,
    layout: &SuiteLayout<'_>,
    options: &[&str],
) -> Vec<String> {
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let started = entry.command(layout.workspace);
    // By this it is known from other programs that tests start.
    let known = started.iter().find(|word| word.contains(&text(layout.workspace))).cloned().unwrap_or_default();
    let start: Vec<_> = layout.launcher.iter().chain(&started).map(|word| quoted(word)).collect();
    let mut argv = vec![text(&layout.environment.join("bin/python"))];
    // Neither the working folder, which is the solution's, nor the user's packages are imported from.
    argv.extend(["-P", "-s", "-B"].map(str::to_owned));
    argv.extend([text(&layout.folder.join(RUNNER_FILE)), text(layout.workspace), known]);
    argv.extend(["-c".to_owned(), text(&layout.folder.join(INI_FILE))]);
    argv.push(format!("--rootdir={}", text(layout.folder)));
    argv.push(format!("--confcutdir={}", text(layout.folder)));
    argv.extend(["-p", "no:cacheprovider", "-q", "--tb=short", "--continue-on-collection-errors"].map(str::to_owned));
    argv.push(format!("--timeout={}", checkpoint.timeout));
    argv.push(format!("--entrypoint={}", start.join(" ")));
    argv.push(format!("--checkpoint={}", checkpoint.name));
    argv.extend(options.iter().map(|option| (*option).to_owned()));
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
