//! From requirements to a lock: uv reads the index's metadata, of wheels alone. Where those do not do, it is asked again in a
//! session (`sdist`), as sources may have to be run for that.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use std::{io, thread};

use serde::Deserialize;
use slopbench_digest::Sha256;

use crate::complaint::{Complaint, complaint};
use crate::index::{IndexPlaces, PackageIndex};
use crate::requirements::Requirements;
use crate::stop::Stop;
use crate::wheels::MOST_FETCHED;
use crate::{Error, Interpreter};

/// What uv is told beside the requirements. Building a source distribution would run its code here.
const OPTIONS: [&str; 8] = [
    "pip",
    "compile",
    "--only-binary=:all:",
    "--format=pylock.toml",
    "--no-header",
    "--no-annotate",
    "--no-config",
    "--quiet",
];

/// Variables of this process that uv sees: it is told where to look by pip's configuration, and nothing else.
const VARIABLES: [&str; 3] = ["HOME", "NO_PROXY", "PATH"];

/// How long uv may take, which is moments, and some minutes where an index is slow; and how often to look whether it is done.
const PATIENCE: Duration = Duration::from_secs(900);
const LOOK: Duration = Duration::from_millis(10);

/// One package as it was chosen.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ChosenPackage {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) file: String,
    pub(crate) sha256: Option<Sha256>,
}

impl ChosenPackage {
    /// Whether it has to be built.
    pub(crate) fn is_source(&self) -> bool {
        is_source(&self.file)
    }
}

/// Whether a file by this name is a source distribution.
pub(crate) fn is_source(file: &str) -> bool {
    SOURCES.iter().any(|ending| file.ends_with(ending))
}

/// How the names of wheels end, and of source distributions.
const WHEEL: &str = ".whl";
const SOURCES: [&str; 2] = [".tar.gz", ".zip"];

/// A lock file as PEP 751 has it, as far as it is needed.
#[derive(Deserialize)]
struct PyLock {
    #[serde(default)]
    packages: Vec<PyLockPackage>,
}

#[derive(Deserialize)]
struct PyLockPackage {
    name: String,
    version: String,
    #[serde(default)]
    wheels: Vec<PyLockFile>,
    sdist: Option<PyLockFile>,
}

#[derive(Deserialize)]
struct PyLockFile {
    name: Option<String>,
    url: Option<String>,
    path: Option<String>,
    size: Option<u64>,
    #[serde(default)]
    hashes: PyLockHashes,
}

#[derive(Default, Deserialize)]
struct PyLockHashes {
    sha256: Option<String>,
}

/// Where and for what requirements are resolved.
pub(crate) struct Resolver<'a> {
    pub(crate) uv: &'a Path,
    pub(crate) index: &'a PackageIndex,
    pub(crate) interpreter: &'a Interpreter,
    /// Where uv keeps what it read.
    pub(crate) cache: PathBuf,
    /// An empty folder.
    pub(crate) scratch: &'a Path,
}

impl Resolver<'_> {
    /// The packages that fulfil `requirements`, in the order of their names; `None` if wheels alone do not.
    pub(crate) fn resolve(&self, requirements: &Requirements) -> Result<Option<Vec<ChosenPackage>>, Stop> {
        let input = self.scratch.join("requirements.in");
        let lines = input_lines(requirements);
        fs::write(&input, &lines).map_err(Error::io(&input))?;
        let output = self.run(&input, &self.index.places()?)?;
        if output.status.success() {
            return Ok(Some(chosen(&String::from_utf8_lossy(&output.stdout), self.interpreter)?));
        }
        let said = String::from_utf8_lossy(&output.stderr);
        match complaint(&said, requirements, &lines) {
            Complaint::Wheels(_) => Ok(None),
            other => Err(other.into()),
        }
    }

    fn run(&self, input: &Path, places: &IndexPlaces) -> Result<Output, Stop> {
        let mut uv = Command::new(self.uv);
        uv.args(OPTIONS).arg(input).current_dir(self.scratch);
        uv.args(["--python-version", &self.interpreter.version, "--python-platform", &self.interpreter.uv_platform()]);
        uv.env_clear().envs(VARIABLES.iter().filter_map(|name| Some((*name, std::env::var_os(name)?))));
        uv.env("UV_CACHE_DIR", &self.cache).env("UV_PYTHON_DOWNLOADS", "never").env("UV_SYSTEM_CERTS", "1");
        // As variables: others on the machine can read a command line, and an index's URL may hold a password.
        match &places.index {
            Some(index) => drop(uv.env("UV_DEFAULT_INDEX", index).env("UV_INDEX", places.more.join(" "))),
            None => drop(uv.arg("--no-index")),
        }
        uv.args(places.places.iter().flat_map(|place| ["--find-links", place]));
        uv.envs(places.certificates.as_ref().map(|file| ("SSL_CERT_FILE", file)));
        uv.envs(proxies(places));
        self.wait(uv)
    }

    /// Runs uv to its end, or to that of its time: requirements can be written that it would not be done with for years.
    fn wait(&self, mut uv: Command) -> Result<Output, Stop> {
        let path = |name: &str| self.scratch.join(name);
        let create = |path: &Path| File::create(path).map_err(Error::io(path));
        uv.stdin(Stdio::null()).stdout(create(&path("stdout"))?).stderr(create(&path("stderr"))?);
        let failed =
            |error: io::Error| Error::Start { program: self.uv.display().to_string(), cause: error.to_string() };
        let mut child = uv.spawn().map_err(failed)?;
        let until = Instant::now() + PATIENCE;
        let status = loop {
            match child.try_wait().map_err(failed)? {
                Some(status) => break status,
                None if Instant::now() < until => thread::sleep(LOOK),
                None => {
                    // It may have ended in this moment.
                    let _ = child.kill();
                    child.wait().map_err(failed)?;
                    let seconds = PATIENCE.as_secs();
                    return Err(Stop::Refused(format!("its requirements are not resolved in {seconds} seconds")));
                }
            }
        };
        let read = |name: &str| fs::read(path(name)).map_err(Error::io(&path(name)));
        Ok(Output { status, stdout: read("stdout")?, stderr: read("stderr")? })
    }
}

/// What uv is handed over: one requirement a line, so that its lines are those of the list.
pub(crate) fn input_lines(requirements: &Requirements) -> String {
    requirements.0.iter().map(|one| format!("{}\n", one.text)).collect()
}

impl From<Complaint> for Stop {
    fn from(complaint: Complaint) -> Self {
        match complaint {
            Complaint::Requirements(sentence) | Complaint::Wheels(sentence) => Self::Refused(sentence),
            Complaint::Index(cause) => Error::Index { cause }.into(),
            Complaint::Other(cause) => Error::Resolver(cause).into(),
        }
    }
}

/// The packages of a lock in uv's words, in the order of their names: the wheel to install of each, or its source.
pub(crate) fn chosen(text: &str, interpreter: &Interpreter) -> Result<Vec<ChosenPackage>, Stop> {
    let lock: PyLock = toml::from_str(text).map_err(|error| Error::Resolver(error.to_string()))?;
    let (mut size, mut largest) = (0_u64, (0_u64, String::new()));
    let mut chosen = Vec::new();
    for package in lock.packages {
        let source = || package.sdist.as_ref().and_then(|source| Some((source.file(&SOURCES)?, source)));
        let found = best(&package.wheels, &interpreter.tag()).or_else(source);
        let (file, found) = found.ok_or_else(|| {
            Error::Resolver(format!(
                "its lock names neither a wheel nor a source of {} that is read here",
                package.name
            ))
        })?;
        let bytes = found.size.unwrap_or_default();
        size = size.saturating_add(bytes);
        largest = largest.max((bytes, package.name.clone()));
        let digest = found.hashes.sha256.as_ref().map(|digest| format!("sha256:{digest}").parse());
        let sha256 = digest.transpose().map_err(|error| Error::Resolver(format!("{file}: {error}")))?;
        chosen.push(ChosenPackage { name: package.name, version: package.version, file, sha256 });
    }
    // Before anything is fetched.
    if size > MOST_FETCHED {
        let (bytes, name) = largest;
        let (size, bytes, most) = (size >> 20, bytes >> 20, MOST_FETCHED >> 20);
        let sentence = format!(
            "its packages are {size} MiB, more than the {most} that are fetched; the largest is `{name}` with {bytes} MiB"
        );
        return Err(Stop::Refused(sentence));
    }
    chosen.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(chosen)
}

/// pip's proxy, or those of this process.
fn proxies(places: &IndexPlaces) -> Vec<(&'static str, String)> {
    const NAMES: [&str; 4] = ["HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy"];
    let of = |name| Some((name, places.proxy.clone().or_else(|| std::env::var(name).ok())?));
    NAMES.into_iter().filter_map(of).collect()
}

/// The wheel to install of those that fit, with its file's name: the most special one. `tag` is that of the interpreter.
fn best<'a>(wheels: &'a [PyLockFile], tag: &str) -> Option<(String, &'a PyLockFile)> {
    let named = wheels.iter().filter_map(|wheel| Some((wheel.file(&[WHEEL])?, wheel)));
    named.max_by_key(|(file, _)| (rank(file, tag), file.clone()))
}

/// How special a wheel is, by its name: of a platform or of any, of this interpreter, of its stable interface or of any.
fn rank(file: &str, tag: &str) -> (bool, u8, bool) {
    let stem = file.strip_suffix(".whl").unwrap_or(file);
    let mut parts = stem.rsplit('-');
    let (platform, abi, python) = (parts.next(), parts.next(), parts.next());
    let is_of = |part: Option<&str>, tag: &str| part.is_some_and(|part| part.split('.').any(|one| one == tag));
    let abi = if is_of(abi, tag) { 2 } else { u8::from(is_of(abi, "abi3")) };
    (!is_of(platform, "any"), abi, is_of(python, tag))
}

impl PyLockFile {
    /// The file's name, if it ends like one of these: said, or at the end of where it is.
    fn file(&self, endings: &[&str]) -> Option<String> {
        let place = self.name.as_ref().or(self.path.as_ref()).or(self.url.as_ref())?;
        let place = place.split(['?', '#']).next().unwrap_or_default();
        let name = place.rsplit('/').next().unwrap_or_default();
        // A local version's `+`, where it stands in a URL.
        let name = name.replace("%2B", "+").replace("%2b", "+");
        (endings.iter().any(|ending| name.ends_with(ending)) && !name.starts_with('.')).then_some(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_special_wheel_is_installed() {
        let wheel = |name: &str| PyLockFile {
            name: None,
            url: Some(format!("https://example.org/a/b/{name}")),
            path: None,
            size: None,
            hashes: PyLockHashes::default(),
        };
        let best_of = |names: &[&str]| {
            let wheels: Vec<_> = names.iter().map(|name| wheel(name)).collect();
            best(&wheels, "cp311").map(|(name, _)| name)
        };
        let own = "x-1-cp311-cp311-manylinux_2_17_x86_64.whl";
        let stable = "x-1-cp37-abi3-manylinux_2_5_x86_64.manylinux1_x86_64.whl";
        let any = "x-1-py3-none-any.whl";
        assert_eq!(best_of(&[any, own, stable]).as_deref(), Some(own));
        assert_eq!(best_of(&[stable, any]).as_deref(), Some(stable));
        assert_eq!(best_of(&["x-1%2Bcpu-py3-none-any.whl"]).as_deref(), Some("x-1+cpu-py3-none-any.whl"));
        assert_eq!(best_of(&[]), None);
    }
}
