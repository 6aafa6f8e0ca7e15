//! Installing packages into an empty folder, by mmdebstrap.

use std::path::Path;
use std::process::Command;

use crate::Error;
use crate::recipe::{MIRROR, Recipe, SUITE, TIME};

/// What is done to the installed system, each a shell command that finds it at `$1`.
///
/// Python's compiled modules usually carry the time of their source, which is not kept. Those of the standard library
/// are made anew with a form that is always valid, for without them each start of Python takes three times as long;
/// PYTHONHASHSEED has the compiler visit sets in one order, and what the compiler itself imports it does not keep (`-B`), in
/// the other form: whatever the environment is of who builds.
const HOOKS: [&str; 4] = [
    r#"find "$1/usr" -name __pycache__ -prune -exec rm -r {} +"#,
    r#"cd "$1" && for library in usr/lib/python3.*; do
        chroot . /usr/bin/env --ignore-environment PYTHONHASHSEED=0 /usr/bin/python3 -B -m compileall -q \
            --invalidation-mode unchecked-hash "/$library"; done"#,
    r#"echo user:x:1000:1000:user:/tmp:/bin/sh >>"$1/etc/passwd""#,
    r#"echo user:x:1000: >>"$1/etc/group""#,
];

/// What mmdebstrap and the machine must have, and how to get it.
const ADVICE: &str =
    "on Debian or Ubuntu: apt-get install mmdebstrap debian-archive-keyring; elsewhere, run this in a Debian";

/// Installs the packages of a recipe and of all below it, and writes the system as a tar file.
///
/// # Errors
///
/// [`Error::Program`] with what mmdebstrap said.
pub(crate) fn run(recipe: &Recipe, tar: &Path) -> Result<(), Error> {
    let packages: Vec<_> = recipe.chain().iter().flat_map(|recipe| recipe.packages).copied().collect();
    let mut command = Command::new("mmdebstrap");
    command.env("SOURCE_DATE_EPOCH", TIME.to_string());
    command.args(["--quiet", "--variant=minbase", "--format=tar"]);
    command.arg(format!("--include={}", packages.join(",")));
    command.arg("--aptopt=Apt::Install-Recommends \"false\"");
    command.args(HOOKS.iter().map(|hook| format!("--customize-hook={hook}")));
    command.arg(SUITE).arg(tar).arg(MIRROR);
    let no = |cause: String| Error::Program { program: "mmdebstrap".into(), cause, advice: ADVICE.into() };
    let output = command.output().map_err(|error| no(error.to_string()))?;
    if !output.status.success() {
        return Err(no(format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr).trim())));
    }
    Ok(())
}
