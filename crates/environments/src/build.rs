//! From a lock to a folder, once, in a sandbox's session.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde::Serialize;
use slopbench_digest::{Sha256, canonical};
use slopbench_sandbox::session::INSTALLATION;
use slopbench_sandbox::{Limit, ProgramEnd};

use crate::interpreter::FoundInterpreter;
use crate::room::{MOST_UNPACKED, Room, RoomEnd};
use crate::stop::Stop;
use crate::store::{CONTENT, StoredEnvironment};
use crate::wheels::{WheelFolder, copy, too_large};
use crate::{EnvironmentRecord, Error, RECORD};

/// See its own first lines.
const SCRIPT: &str = include_str!("build.py");

/// Where the session's program finds its workspace.
const WORKSPACE: &str = slopbench_sandbox::session::WORKSPACE;

/// What the script exits with where packages cannot be installed.
const UNINSTALLABLE: i32 = 3;

/// What uv says where it is the machine that has no room, memory or descriptors, or whose disk is broken.
const OF_MACHINE: [&str; 6] =
    ["os error 5)", "os error 12)", "os error 23)", "os error 24)", "os error 28)", "os error 122)"];

/// A built environment. It stays as long as this is there, whoever prunes.
#[derive(Debug)]
pub struct Environment {
    /// What sandboxes show.
    pub path: PathBuf,
    /// The interpreter that it is for, by its place in the sandbox.
    pub interpreter: PathBuf,
    /// Its lock, shared.
    _held: File,
}

/// What makes an environment another one.
#[derive(Serialize)]
struct Key<'a> {
    record: Sha256,
    executable: &'a Path,
    version: &'a str,
    script: Sha256,
    uv: String,
}

/// What building takes.
pub(crate) struct Builder<'a> {
    pub(crate) room: Room<'a>,
    pub(crate) wheels: &'a WheelFolder,
    /// The program, by its path.
    pub(crate) uv: &'a dyn Fn() -> Result<PathBuf, Error>,
    pub(crate) uv_label: String,
    /// Where environments are.
    pub(crate) built: &'a Path,
}

impl Builder<'_> {
    /// The environment of a record's packages for this interpreter: as it was built before, or built now.
    pub(crate) fn environment(
        &self,
        record: &EnvironmentRecord,
        here: &FoundInterpreter,
        begin: &dyn Fn(),
    ) -> Result<Environment, Stop> {
        let key = Key {
            record: record.identity()?.digest,
            executable: &here.executable,
            version: &here.interpreter.version,
            script: Sha256::of(SCRIPT.as_bytes()),
            uv: self.uv_label.clone(),
        };
        let name = Sha256::of(&canonical::to_vec(&key).map_err(Error::from)?).short();
        fs::create_dir_all(self.built).map_err(Error::io(self.built))?;
        loop {
            if let Some(found) = held(self.built, &name, here)? {
                return Ok(found);
            }
            let alone = lock_file(self.built, &name)?;
            alone.lock().map_err(Error::io(self.built))?;
            // Another process may have built it meanwhile.
            if !self.built.join(&name).is_dir() {
                begin();
                self.build(record, &name)?;
            }
        }
    }

    fn build(&self, record: &EnvironmentRecord, name: &str) -> Result<(), Stop> {
        let folder = self.room.folder()?;
        let installation = folder.path().join("installation");
        self.furnish(record, &installation)?;
        let script = format!("{INSTALLATION}/build.py");
        let ended = self.room.run(folder, Some(&installation), &["python3", "-I", &script, INSTALLATION, WORKSPACE])?;
        judge(&ended)?;
        let workspace = ended.folder.path().join("workspace");
        let (from, ready) = (workspace.join("environment"), self.room.folder()?);
        let whole = ready.path().join("whole");
        fs::create_dir(&whole).map_err(Error::io(&whole))?;
        fs::set_permissions(&whole, fs::Permissions::from_mode(0o755)).map_err(Error::io(&whole))?;
        fs::rename(&from, whole.join(CONTENT)).map_err(Error::io(&from))?;
        let bytes = record.to_bytes()?;
        fs::write(whole.join(RECORD), bytes).map_err(Error::io(&whole))?;
        let to = self.built.join(name);
        Ok(fs::rename(&whole, &to).map_err(Error::io(&to))?)
    }

    /// Puts uv, the wheels and the lock into a folder.
    fn furnish(&self, record: &EnvironmentRecord, folder: &Path) -> Result<(), Error> {
        let wheels = folder.join("wheels");
        fs::create_dir_all(&wheels).map_err(Error::io(&wheels))?;
        let mut lock = String::new();
        for (name, package) in record.packages() {
            copy(&self.wheels.checked(package)?, &wheels.join(&package.file))?;
            lock += &format!("{name}=={} --hash={}\n", package.version, package.sha256);
        }
        let uv = folder.join("uv");
        copy(&(self.uv)()?, &uv)?;
        fs::set_permissions(&uv, fs::Permissions::from_mode(0o755)).map_err(Error::io(&uv))?;
        for (name, text) in [("lock.txt", lock.as_str()), ("build.py", SCRIPT)] {
            let path = folder.join(name);
            fs::write(&path, text).map_err(Error::io(&path))?;
        }
        Ok(())
    }
}

/// Whether the packages are installed, and whose fault it is if not.
fn judge(ended: &RoomEnd) -> Result<(), Stop> {
    let said = ended.stderr.trim();
    match ended.end {
        ProgramEnd::Exited(0) => Ok(()),
        ProgramEnd::Exited(UNINSTALLABLE) if !OF_MACHINE.iter().any(|error| said.contains(error)) => {
            Err(Stop::Refused(format!("its packages cannot be installed: {}", cause(said))))
        }
        ProgramEnd::Limit(Limit::Disk | Limit::FileSize) => {
            Err(Stop::Refused(too_large("unpacked, they are", MOST_UNPACKED)))
        }
        _ => Err(Error::Build(format!("{:?}: {said}", ended.end)).into()),
    }
}

/// The last cause that uv names, which is where it went wrong.
fn cause(said: &str) -> String {
    let mut causes = said.lines().filter_map(|line| line.trim().strip_prefix("cause: "));
    let first = said.lines().next().unwrap_or("uv does not say why").trim_start_matches("error: ");
    causes.next_back().unwrap_or(first).to_owned()
}

fn lock_file(built: &Path, name: &str) -> Result<File, Error> {
    let path = built.join(format!("{name}.lock"));
    File::options().create(true).truncate(false).write(true).open(&path).map_err(Error::io(&path))
}

/// An environment that is there, held.
fn held(built: &Path, name: &str, here: &FoundInterpreter) -> Result<Option<Environment>, Error> {
    let path = built.join(name).join(CONTENT);
    let file = lock_file(built, name)?;
    file.lock_shared().map_err(Error::io(&path))?;
    Ok(path.is_dir().then(|| Environment { path, interpreter: here.executable.clone(), _held: file }))
}

/// Removes an environment that nobody holds; says whether it did.
pub(crate) fn remove(built: &Path, environment: &StoredEnvironment) -> Result<bool, Error> {
    let file = lock_file(built, &environment.name)?;
    if file.try_lock().is_err() {
        return Ok(false);
    }
    let path = built.join(&environment.name);
    match slopbench_walk::remove(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::io(&path)(error)),
        _ => Ok(true),
    }
}
