//! uv itself: pinned, fetched as any wheel, unpacked once.

use std::fs::{self, File};
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use slopbench_digest::Sha256;

use crate::index::{PackageIndex, last_line};
use crate::room::ScratchFolder;
use crate::stop::Stop;
use crate::wheels::WheelFolder;
use crate::{Error, LockedPackage};

const PIN: &str = include_str!("../uv.toml");

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

/// The resolver of this version, as one machine needs it.
pub(crate) struct Uv(LockedPackage);

impl Uv {
    /// That of this machine.
    pub(crate) fn pinned() -> Result<Self, Error> {
        let pin: Pin = toml::from_str(PIN).map_err(|error| Error::Resolver(error.to_string()))?;
        let Pin { version, wheels } = pin;
        let machine = std::env::consts::ARCH;
        let wheel = wheels.into_iter().find(|wheel| wheel.machine == machine);
        let wheel = wheel.ok_or_else(|| Error::Interpreter(format!("a machine of the kind {machine}")))?;
        Ok(Self(LockedPackage { version, file: wheel.file, sha256: wheel.sha256, built_from: None }))
    }

    /// As records name it.
    pub(crate) fn label(&self) -> String {
        format!("uv {}", self.0.version)
    }

    /// As a wheel, to be taken elsewhere.
    pub(crate) fn package(&self) -> &LockedPackage {
        &self.0
    }

    /// The program, which is fetched and unpacked below `tools` unless it is there.
    pub(crate) fn program(&self, tools: &Path, wheels: &WheelFolder, index: &PackageIndex) -> Result<PathBuf, Error> {
        let folder = tools.join(format!("uv-{}-{}", self.0.version, self.0.sha256.short()));
        let program = folder.join("uv");
        if program.is_file() {
            return Ok(program);
        }
        self.wheel(wheels, index)?;
        let scratch = ScratchFolder::new(&wheels.scratch)?;
        fs::create_dir_all(tools).map_err(Error::io(tools))?;
        unpack(&wheels.checked(&self.0)?, scratch.path())?;
        let (unpacked, ready) = (scratch.path().join("scripts/uv"), scratch.path().join("ready"));
        fs::create_dir(&ready).map_err(Error::io(&ready))?;
        fs::rename(&unpacked, ready.join("uv")).map_err(Error::io(&unpacked))?;
        for path in [&ready, &ready.join("uv")] {
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
        match wheels.fetch(index, &[(self.0.file.clone(), Some(self.0.sha256))]) {
            Ok(_) => Ok(()),
            Err(Stop::Failed(error)) => Err(error),
            Err(Stop::Refused(sentence)) => Err(Error::Resolver(sentence)),
        }
    }
}

/// Writes the programs of a wheel below `folder`, with Python's own reader of archives.
fn unpack(wheel: &Path, folder: &Path) -> Result<(), Error> {
    const SCRIPT: &str = "
import shutil, sys, zipfile
from pathlib import PurePosixPath
wheel, folder = sys.argv[1:]
with zipfile.ZipFile(wheel) as archive:
    for name in archive.namelist():
        if PurePosixPath(name).match('*.data/scripts/uv'):
            archive.extract(name, folder)
            shutil.move(folder + '/' + name.split('/')[0] + '/scripts', folder + '/scripts')
";
    let start = |cause: String| Error::Start { program: "python3".to_owned(), cause };
    let mut python = Command::new("python3");
    python.args(["-I", "-c", SCRIPT]).args([wheel, folder]);
    let output = python.output().map_err(|error| start(error.to_string()))?;
    if !output.status.success() {
        return Err(start(last_line(&output.stderr)));
    }
    // An archive without the program would be another one.
    let path = folder.join("scripts/uv");
    File::open(&path).and_then(|mut file| file.read_exact(&mut [0; 4])).map_err(Error::io(&path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_machine_that_an_interpreter_may_be_on_has_its_wheel() {
        let pin: Pin = toml::from_str(PIN).unwrap();
        let machines: Vec<_> = pin.wheels.iter().map(|wheel| wheel.machine.as_str()).collect();
        assert_eq!(machines, ["x86_64", "aarch64"]);
        for wheel in &pin.wheels {
            assert!(wheel.file.starts_with(&format!("uv-{}-", pin.version)), "{}", wheel.file);
            assert!(wheel.file.contains(&wheel.machine), "{}", wheel.file);
        }
    }
}
