//! Programs that are pinned: each fetched as a wheel of the package index, unpacked once.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use slopbench_digest::Sha256;
use slopbench_sandbox::ProgramEnd;

use crate::index::{PackageIndex, last_line};
use crate::room::{Room, RoomJob, ScratchFolder};
use crate::stop::Stop;
use crate::wheels::WheelFolder;
use crate::{Error, LockedPackage};

/// The resolver's lock.
const UV: &str = include_str!("../uv.toml");

/// A lock: the version, and the wheel of each kind of machine.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pin {
    version: String,
    wheels: Vec<PinnedWheel>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PinnedWheel {
    machine: String,
    file: String,
    sha256: Sha256,
}

/// A program of one version, as one machine needs it: a wheel, known by its digest, that brings it as a script of its own name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PinnedTool {
    name: &'static str,
    package: LockedPackage,
}

/// What a pinned program did with some files.
#[derive(Debug)]
pub struct ToolEnd {
    /// How it ended.
    pub end: ProgramEnd,
    /// What it said on standard error, or the beginning of that.
    pub stderr: String,
    /// What it wrote into [`TOOL_OUTPUT`]; nothing where it wrote no such file.
    pub output: Option<Vec<u8>>,
}

/// Where a pinned program finds the files, below its working folder.
pub const TOOL_FILES: &str = "files";

/// Where a pinned program writes its result, below its working folder.
pub const TOOL_OUTPUT: &str = "output";

/// The most of a result that is read, in bytes.
const MOST_OUTPUT: u64 = 1 << 30;

impl PinnedTool {
    /// uv, the resolver.
    pub(crate) fn uv() -> Result<Self, Error> {
        Self::parse("uv", UV)
    }

    /// The program `name` as `pin` locks it for this machine: TOML with `version`, and `wheels` of a `machine`, a `file` and its
    /// `sha256`.
    ///
    /// # Errors
    ///
    /// [`Error::Pin`] if the text is none, [`Error::Interpreter`] if it has no wheel for a machine of this kind.
    pub fn parse(name: &'static str, pin: &str) -> Result<Self, Error> {
        let pin: Pin = toml::from_str(pin).map_err(|error| Error::Pin { name, cause: error.to_string() })?;
        let Pin { version, wheels } = pin;
        let machine = std::env::consts::ARCH;
        let wheel = wheels.into_iter().find(|wheel| wheel.machine == machine);
        let wheel = wheel.ok_or_else(|| Error::Interpreter(format!("a machine of the kind {machine}")))?;
        Ok(Self { name, package: LockedPackage { version, file: wheel.file, sha256: wheel.sha256, built_from: None } })
    }

    /// Its name and version, as in `uv 0.13.9`.
    pub fn label(&self) -> String {
        format!("{} {}", self.name, self.package.version)
    }

    /// Its version.
    pub fn version(&self) -> &str {
        &self.package.version
    }

    /// The digest of its wheel.
    pub fn digest(&self) -> Sha256 {
        self.package.sha256
    }

    /// As a wheel, to be taken elsewhere.
    pub(crate) fn package(&self) -> &LockedPackage {
        &self.package
    }

    /// The program, which is fetched and unpacked below `tools` unless it is there.
    pub(crate) fn program(&self, tools: &Path, wheels: &WheelFolder, index: &PackageIndex) -> Result<PathBuf, Error> {
        let folder = tools.join(format!("{}-{}-{}", self.name, self.package.version, self.package.sha256.short()));
        let program = folder.join(self.name);
        if program.is_file() {
            return Ok(program);
        }
        self.wheel(wheels, index)?;
        let scratch = ScratchFolder::new(&wheels.scratch)?;
        fs::create_dir_all(tools).map_err(Error::io(tools))?;
        unpack(&wheels.checked(&self.package)?, self.name, scratch.path())?;
        let (unpacked, ready) = (scratch.path().join("scripts").join(self.name), scratch.path().join("ready"));
        fs::create_dir(&ready).map_err(Error::io(&ready))?;
        fs::rename(&unpacked, ready.join(self.name)).map_err(Error::io(&unpacked))?;
        for path in [&ready, &ready.join(self.name)] {
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).map_err(Error::io(path))?;
        }
        match fs::rename(&ready, &folder) {
            // Another process was faster.
            Err(_) if program.is_file() => Ok(program),
            renamed => renamed.map(|()| program).map_err(Error::io(&folder)),
        }
    }

    /// Sees to it that its wheel is there.
    pub(crate) fn wheel(&self, wheels: &WheelFolder, index: &PackageIndex) -> Result<(), Error> {
        match wheels.fetch(index, &[(self.package.file.clone(), Some(self.package.sha256))]) {
            Ok(_) => Ok(()),
            Err(Stop::Failed(error)) => Err(error),
            Err(Stop::Refused(cause)) => Err(Error::Pin { name: self.name, cause }),
        }
    }
}

/// Runs the `program` of `tool` on `files`, texts by path, in a session that sees nothing else.
pub(crate) fn inspect(
    room: &Room<'_>,
    program: &Path,
    files: &BTreeMap<String, String>,
    arguments: &[&str],
) -> Result<ToolEnd, Error> {
    let folder = room.folder()?;
    let below = folder.path().join("workspace").join(TOOL_FILES);
    fs::create_dir_all(&below).map_err(Error::io(&below))?;
    for (path, text) in files {
        let path = below.join(path);
        let parent = path.parent().unwrap_or(&below);
        fs::create_dir_all(parent).and_then(|()| fs::write(&path, text)).map_err(Error::io(&path))?;
    }
    let installation = program.parent().unwrap_or(Path::new("/"));
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    let argv = [format!("{}/{name}", slopbench_sandbox::session::INSTALLATION)];
    let argv = argv.into_iter().chain(arguments.iter().map(|word| (*word).to_owned())).collect();
    let job = RoomJob { argv, env: BTreeMap::new(), limits: None, packages: None };
    let ended = room.carry_out(folder, Some(installation), job)?;
    let output = ended.folder.path().join("workspace").join(TOOL_OUTPUT);
    let output = output.is_file().then(|| read(&output).map_err(Error::io(&output))).transpose()?;
    Ok(ToolEnd { end: ended.end, stderr: ended.stderr, output })
}

fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST_OUTPUT).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes the program `name` of a wheel below `folder`, with Python's own reader of archives.
fn unpack(wheel: &Path, name: &str, folder: &Path) -> Result<(), Error> {
    const SCRIPT: &str = "
import shutil, sys, zipfile
from pathlib import PurePosixPath
wheel, program, folder = sys.argv[1:]
with zipfile.ZipFile(wheel) as archive:
    for name in archive.namelist():
        if PurePosixPath(name).match('*.data/scripts/' + program):
            archive.extract(name, folder)
            shutil.move(folder + '/' + name.split('/')[0] + '/scripts', folder + '/scripts')
";
    let start = |cause: String| Error::Start { program: "python3".to_owned(), cause };
    let mut python = Command::new("python3");
    python.args(["-I", "-c", SCRIPT]).arg(wheel).arg(name).arg(folder);
    let output = python.output().map_err(|error| start(error.to_string()))?;
    if !output.status.success() {
        return Err(start(last_line(&output.stderr)));
    }
    // An archive without the program would be another one.
    let path = folder.join("scripts").join(name);
    File::open(&path).and_then(|mut file| file.read_exact(&mut [0; 4])).map_err(Error::io(&path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_machine_that_an_interpreter_may_be_on_has_its_wheel() {
        let pin: Pin = toml::from_str(UV).unwrap();
        let machines: Vec<_> = pin.wheels.iter().map(|wheel| wheel.machine.as_str()).collect();
        assert_eq!(machines, ["x86_64", "aarch64"]);
        for wheel in &pin.wheels {
            assert!(wheel.file.starts_with(&format!("uv-{}-", pin.version)), "{}", wheel.file);
            assert!(wheel.file.contains(&wheel.machine), "{}", wheel.file);
        }
    }

    #[test]
    fn a_pin_that_is_none_names_its_program() {
        let error = PinnedTool::parse("ruff", "version = 1").unwrap_err().to_string();
        assert!(error.starts_with("what pins ruff") && error.contains("version"), "{error}");
    }
}
