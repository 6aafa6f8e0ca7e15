//! Packages that have no wheel: their sources are built in a sandbox's session that reaches the package index and nothing else.
//!
//! To resolve what such packages need, their code may have to run as well, in a session of its own. Each source is then built in
//! another one, so that none has a hand in another's wheel. What a build fetches is noted by the gateway, outside, and fetched
//! again for its digests. Wheels that were built are kept by the digest of their source: a second checkpoint gets the same.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use slopbench_digest::{Sha256, canonical};
use slopbench_gateway::packages::PackageMirror;
use slopbench_sandbox::session::{INSTALLATION, WORKSPACE};
use slopbench_sandbox::{Limits, ProgramEnd};

use crate::compile::most;
use crate::complaint::{Complaint, build_words, cannot_be_built, complaint};
use crate::index::PackageIndex;
use crate::requirements::{Requirements, normal};
use crate::resolve::{ChosenPackage, chosen, input_lines, is_source};
use crate::room::{Room, RoomEnd, RoomJob, index_url};
use crate::stop::Stop;
use crate::wheels::{WheelFolder, copy};
use crate::{Error, Interpreter, LockedPackage, SourceBuild};

/// What one build may take, and what resolving with sources.
const LIMITS: Limits = Limits {
    wall: Duration::from_secs(900),
    cpu: Duration::from_secs(300),
    memory: 4 << 30,
    processes: 256,
    file_size: 1 << 30,
    disk: 2 << 30,
    output: 16 << 20,
};

/// What uv is told whatever it does.
const OPTIONS: [&str; 3] = ["--no-config", "--python", "python3"];

/// Where a build leaves its wheel, in the workspace.
const OUT: &str = "out";

/// The first day that an archive can tell: a source gives the same wheel whenever it is built, if its own tools see to that.
const EPOCH: &str = "315532800";

/// How the name of the metadata ends that an index has beside a wheel.
const METADATA: &str = ".metadata";

/// What building takes.
pub(crate) struct SourceBuilder<'a> {
    pub(crate) room: Room<'a>,
    /// The program, and what records call it.
    pub(crate) uv: (&'a Path, String),
    /// The one way out of sessions.
    pub(crate) mirror: PackageMirror,
    pub(crate) index: &'a PackageIndex,
    pub(crate) interpreter: &'a Interpreter,
    pub(crate) wheels: &'a WheelFolder,
    /// Where it is kept what sources became.
    pub(crate) kept: PathBuf,
    /// What all of it is for.
    pub(crate) requirements: &'a Requirements,
}

/// What makes a wheel another one.
#[derive(Serialize)]
struct Key<'a> {
    source: Sha256,
    interpreter: &'a Interpreter,
    uv: &'a str,
}

/// What a source became.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BuiltWheel {
    file: String,
    sha256: Sha256,
    fetched: BTreeMap<String, Sha256>,
}

impl SourceBuilder<'_> {
    /// The packages that fulfil the requirements, some of them as sources.
    pub(crate) fn resolve(&self) -> Result<Vec<ChosenPackage>, Stop> {
        const COMPILE: [&str; 6] =
            ["pip", "compile", "--format=pylock.toml", "--no-header", "--no-annotate", "--quiet"];
        let lines = input_lines(self.requirements);
        let write = |folder: &Path| {
            let input = folder.join("requirements.in");
            fs::write(&input, &lines).map_err(Error::io(&input))
        };
        let input = format!("{INSTALLATION}/requirements.in");
        let ended = self.run(&COMPILE, &[&input], &write)?;
        if let Some(limit) = beyond(&ended)? {
            // It was at work on one of those that it had.
            let files = ended.packages.files.iter().filter(|(_, file)| is_source(file));
            let names: Vec<_> = files.map(|(name, _)| name.as_str()).collect();
            let why = format!("its build takes more than {limit}");
            return Err(Stop::Refused(cannot_be_built(&names.join("`, `"), &why, self.requirements)));
        }
        match ended.end {
            ProgramEnd::Exited(0) => chosen(&ended.stdout, self.interpreter),
            ProgramEnd::Exited(_) => Err(match complaint(&ended.stderr, self.requirements, &lines) {
                // Whatever its words, no index failed.
                Complaint::Index(words) => Complaint::Other(words),
                other => other,
            }
            .into()),
            end => Err(Error::Build(format!("uv ended with {end:?}")).into()),
        }
    }

    /// The wheel of a source, as it was built before, or built now.
    pub(crate) fn wheel(&self, source: &ChosenPackage) -> Result<LockedPackage, Stop> {
        let wanted = [(source.file.clone(), source.sha256)];
        let digest = self.wheels.fetch(self.index, &wanted)?.into_iter().next();
        let digest = digest.ok_or_else(|| Error::Build(format!("{} was not fetched", source.file)))?;
        let key = Key { source: digest, interpreter: self.interpreter, uv: &self.uv.1 };
        let name = Sha256::of(&canonical::to_vec(&key).map_err(Error::from)?).short();
        let path = self.kept.join(format!("{name}.json"));
        let built = match self.known(&path)? {
            Some(built) => built,
            None => self.build(source, digest, &path)?,
        };
        let built_from = Some(SourceBuild { file: source.file.clone(), sha256: digest, fetched: built.fetched });
        Ok(LockedPackage { version: source.version.clone(), file: built.file, sha256: built.sha256, built_from })
    }

    /// What is kept of a source, if its wheel is there.
    fn known(&self, path: &Path) -> Result<Option<BuiltWheel>, Error> {
        let Ok(bytes) = fs::read(path) else { return Ok(None) };
        let built: BuiltWheel = serde_json::from_slice(&bytes)?;
        Ok(Some(built).filter(|built| self.wheels.path(&built.file, built.sha256).is_file()))
    }

    fn build(&self, source: &ChosenPackage, digest: Sha256, kept: &Path) -> Result<BuiltWheel, Stop> {
        let furnish = |folder: &Path| copy(&self.wheels.path(&source.file, digest), &folder.join(&source.file));
        let (out, place) = (format!("{WORKSPACE}/{OUT}"), format!("{INSTALLATION}/{}", source.file));
        let ended = self.run(&["build", "--wheel"], &["--out-dir", &out, &place], &furnish)?;
        let refused = |why: &str| Stop::Refused(cannot_be_built(&source.name, why, self.requirements));
        if let Some(limit) = beyond(&ended)? {
            return Err(refused(&format!("its build takes more than {limit}")));
        }
        match ended.end {
            ProgramEnd::Exited(0) => {}
            ProgramEnd::Exited(_) => return Err(refused(&build_words(&ended.stderr))),
            end => return Err(Error::Build(format!("uv ended with {end:?}")).into()),
        }
        let (file, path) = only_wheel(&ended.folder.path().join("workspace").join(OUT), &source.name)
            .ok_or_else(|| refused("its build ends well and leaves no wheel of that name"))?;
        let sha256 = Sha256::of_file(&path).map_err(Error::from)?;
        self.wheels.adopt(&path, &file, sha256)?;
        let built = BuiltWheel { file, sha256, fetched: self.fetched(&ended)? };
        fs::create_dir_all(&self.kept).map_err(Error::io(&self.kept))?;
        let beside = ended.folder.path().join("kept");
        fs::write(&beside, canonical::to_vec(&built).map_err(Error::from)?).map_err(Error::io(&beside))?;
        fs::rename(&beside, kept).map_err(Error::io(kept))?;
        Ok(built)
    }

    /// The digests of the files that a session had of the index.
    fn fetched(&self, ended: &RoomEnd) -> Result<BTreeMap<String, Sha256>, Stop> {
        let files = ended.packages.files.iter().map(|(_, file)| file).filter(|file| !file.ends_with(METADATA));
        let wanted: Vec<_> = files.map(|file| (file.clone(), None)).collect();
        let digests = self.wheels.fetch(self.index, &wanted)?;
        Ok(wanted.into_iter().map(|(file, _)| file).zip(digests).collect())
    }

    /// Runs uv in a session that has what `furnish` puts into the folder of its installation.
    fn run(
        &self,
        command: &[&str],
        arguments: &[&str],
        furnish: &dyn Fn(&Path) -> Result<(), Error>,
    ) -> Result<RoomEnd, Stop> {
        let folder = self.room.folder()?;
        let installation = folder.path().join("installation");
        fs::create_dir(&installation).map_err(Error::io(&installation))?;
        let uv = installation.join("uv");
        copy(self.uv.0, &uv)?;
        fs::set_permissions(&uv, fs::Permissions::from_mode(0o755)).map_err(Error::io(&uv))?;
        furnish(&installation)?;
        let program = format!("{INSTALLATION}/uv");
        let words = [&[program.as_str()], command, &OPTIONS, arguments].concat();
        let index = index_url();
        let cache = format!("{WORKSPACE}/cache");
        let env = [
            ("UV_DEFAULT_INDEX", index.as_str()),
            ("UV_CACHE_DIR", &cache),
            ("UV_PYTHON_DOWNLOADS", "never"),
            ("SOURCE_DATE_EPOCH", EPOCH),
            ("PYTHONHASHSEED", "0"),
        ];
        let job = RoomJob {
            argv: words.into_iter().map(str::to_owned).collect(),
            env: env.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            limits: Some(LIMITS),
            packages: Some(self.mirror.clone()),
        };
        let ended = self.room.carry_out(folder, Some(&installation), job)?;
        match (ended.end, ended.packages.failed) {
            (ProgramEnd::Exited(0), _) | (_, 0) => Ok(ended),
            (_, failed) => {
                Err(Error::Index { cause: format!("it left {failed} requests of a build unanswered") }.into())
            }
        }
    }
}

/// The limit that ended a session, with its amount.
fn beyond(ended: &RoomEnd) -> Result<Option<String>, Error> {
    match ended.end {
        ProgramEnd::Limit(limit) => Ok(Some(most(limit, &LIMITS))),
        ProgramEnd::Stopped => Err(Error::Build("its session was stopped".to_owned())),
        _ => Ok(None),
    }
}

/// The one wheel of this package in a folder that a build wrote to. No link is followed.
fn only_wheel(folder: &Path, package: &str) -> Option<(String, PathBuf)> {
    let is_folder = fs::symlink_metadata(folder).is_ok_and(|metadata| metadata.is_dir());
    let entries = is_folder.then(|| fs::read_dir(folder).ok()).flatten()?.flatten();
    let is_file = |path: &Path| fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file());
    let named = entries.filter_map(|entry| Some((entry.file_name().into_string().ok()?, entry.path())));
    let mut wheels = named.filter(|(name, path)| name.ends_with(".whl") && is_file(path));
    let found = wheels.next().filter(|_| wheels.next().is_none())?;
    (normal(found.0.split('-').next()?) == package).then_some(found)
}
