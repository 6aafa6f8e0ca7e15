//! What measuring costs beside parsing, on a pinned package that is large enough to tell.
//!
//! The package is fetched with pip, which refuses another content than the pinned one, into `target/bench-analyzer`. It is
//! the wheel: pip would have to build much of the source distribution only to download it.

use std::{fs, path::Path, process::ExitCode};

use xshell::{Shell, cmd};

use crate::{Failure, status};

/// The wheel, and the folder in it that is measured: 622 Python files, 356,177 lines.
const NAME: &str = "scikit-learn";
const VERSION: &str = "1.7.2";
const SHA256: &str = "e5bf3d930aee75a65478df91ac1225ff89cd28e9ac7bd1196853a9229b6adb0b";
const FOLDER: &str = "sklearn";

/// Fetches and measures; exit code 1 where a goal is missed.
pub(crate) fn run(shell: &Shell, root: &Path) -> Result<ExitCode, Failure> {
    let sources = root.join("target/bench-analyzer").join(format!("{NAME}-{VERSION}"));
    if !sources.is_dir() {
        fetch(shell, &sources)?;
    }
    let package = sources.join(FOLDER);
    status(cmd!(shell, "cargo bench --quiet --package slopbench-metrics --bench analyzer -- {package}"))
}

fn fetch(shell: &Shell, sources: &Path) -> Result<(), Failure> {
    let scratch = shell.create_temp_dir()?;
    let scratch = scratch.path();
    let requirements = scratch.join("requirements.txt");
    shell.write_file(&requirements, format!("{NAME}=={VERSION} --hash=sha256:{SHA256}\n"))?;
    let platform = ["--platform", "manylinux2014_x86_64", "--python-version", "3.12"];
    let options = ["--quiet", "--no-deps", "--only-binary", ":all:", "--require-hashes"];
    cmd!(shell, "python3 -m pip download {options...} {platform...} --dest {scratch} --requirement {requirements}")
        .quiet()
        .run()?;
    let files = shell.read_dir(scratch)?;
    let wheel = files.iter().find(|file| file.extension().is_some_and(|extension| extension == "whl"));
    let wheel = wheel.ok_or("pip fetched no wheel")?;
    // Renamed into place, so that a package that is there is there whole.
    let part = sources.with_added_extension("part");
    shell.remove_path(&part)?;
    shell.create_dir(&part)?;
    cmd!(shell, "python3 -m zipfile --extract {wheel} {part}").quiet().run()?;
    fs::rename(&part, sources)?;
    Ok(())
}
