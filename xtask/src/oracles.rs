//! The oracles: second, independent statements of the measures, in Python, compared with what `slopbench measure` prints.
//!
//! `crates/metrics/tests/oracle` has the scripts and the pins. Everything is fetched with pip into `target/oracles`.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use xshell::{Shell, cmd};

use crate::Failure;

/// Each with what it checks.
const ORACLES: [(&str, &str); 4] = [
    ("oracle.py", "the paper's measures"),
    ("radon_values.py", "radon's figures"),
    ("plain_values.py", "cognitive complexity, nesting, wrappers, single-use functions"),
    ("imports.py", "the graph of imports"),
];

/// Compares the pinned packages and the standard library of `python`; exit code 1 where a figure differs.
pub(crate) fn run(shell: &Shell, root: &Path, slopbench: &Path, python: &str) -> Result<ExitCode, Failure> {
    let scripts = root.join("crates/metrics/tests/oracle");
    let cache = root.join("target/oracles");
    let python = environment(shell, &cache, &scripts, python)?;
    let mut folders = packages(shell, &cache, &scripts, &python)?;
    let library = "import sysconfig; print(sysconfig.get_path('stdlib'))";
    folders.push(cmd!(shell, "{python} -c {library}").quiet().read()?.into());
    let mut differ = 0;
    for folder in &folders {
        let measurement = cache.join("measurement.json");
        fs::write(&measurement, cmd!(shell, "{slopbench} measure --json --language python {folder}").quiet().read()?)?;
        for (script, subject) in ORACLES {
            let script = scripts.join(script);
            let asked = cmd!(shell, "{python} {script} {folder} {measurement}").quiet().ignore_status().output()?;
            let answer = String::from_utf8_lossy(&asked.stdout).into_owned() + &String::from_utf8_lossy(&asked.stderr);
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            // The last line is the summary, those before it are the differences.
            let shown =
                if asked.status.success() { answer.lines().last().unwrap_or_default() } else { answer.trim_end() };
            writeln!(io::stdout(), "{name}: {subject}: {shown}")?;
            differ += usize::from(!asked.status.success());
        }
    }
    writeln!(io::stdout(), "{differ} of {} comparisons differ.", folders.len() * ORACLES.len())?;
    Ok(ExitCode::from(u8::from(differ > 0)))
}

/// A virtual environment with what the scripts need; gives its interpreter.
fn environment(shell: &Shell, cache: &Path, scripts: &Path, python: &str) -> Result<PathBuf, Failure> {
    let (venv, requirements) = (cache.join("venv"), scripts.join("requirements.txt"));
    let inside = venv.join("bin/python");
    if !inside.is_file() {
        cmd!(shell, "{python} -m venv {venv}").quiet().run()?;
    }
    cmd!(shell, "{inside} -m pip install --quiet --disable-pip-version-check --requirement {requirements}")
        .quiet()
        .run()?;
    Ok(inside)
}

/// The pinned packages' folders.
fn packages(shell: &Shell, cache: &Path, scripts: &Path, python: &Path) -> Result<Vec<PathBuf>, Failure> {
    let pins = scripts.join("packages.txt");
    let archives = cache.join("archives");
    let names: Vec<_> = fs::read_to_string(&pins)?.lines().filter_map(name).collect();
    if !names.iter().all(|name| archives.join(format!("{name}.tar.gz")).is_file()) {
        let options =
            ["--quiet", "--disable-pip-version-check", "--no-deps", "--no-binary", ":all:", "--require-hashes"];
        cmd!(shell, "{python} -m pip download {options...} --dest {archives} --requirement {pins}").quiet().run()?;
    }
    let sources = cache.join("sources");
    // Unpacked anew each time: what lies there may be from other pins, or cut short.
    shell.remove_path(&sources)?;
    shell.create_dir(&sources)?;
    for name in &names {
        cmd!(shell, "tar --extract --gzip --directory {sources} --file {archives}/{name}.tar.gz").quiet().run()?;
    }
    Ok(names.iter().map(|name| sources.join(name)).collect())
}

/// `name-version` of a pin `name==version --hash=…`.
fn name(pin: &str) -> Option<String> {
    let (pin, _) = pin.split_once(' ')?;
    Some(pin.replace("==", "-"))
}
