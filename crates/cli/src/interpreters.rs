//! The interpreters of Python that this machine has, beside the one that solutions are graded with.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use slopbench_audit::OtherInterpreter;
use slopbench_sandbox::{Error, Namespaces, Runtime, Sandbox, Solution};
use slopbench_slopcode::SolutionCompany;

use crate::{
    Failure,
    args::{Backend, PlaceArgs},
};

/// The oldest that solutions are promised, and newer than any there is.
const MINORS: std::ops::Range<u32> = 9..20;

/// Prints the minor version and the whole.
const QUESTION: &str = "import platform, sys; print(sys.version_info[1], 'Python', platform.python_version())";

/// One of each version other than the usual one's, where solutions run in namespaces and nothing else is asked for. No
/// solution sees what is in `hide`.
pub(crate) fn other_interpreters<'a>(args: &PlaceArgs, hide: &[PathBuf]) -> Result<Vec<OtherInterpreter<'a>>, Failure> {
    if !matches!(args.sandbox, Backend::Namespaces) || args.system.is_some() || args.python.is_some() {
        return Ok(Vec::new());
    }
    let mut seen: Vec<u32> = version(Path::new("python3")).map(|(minor, _)| minor).into_iter().collect();
    let mut others = Vec::new();
    for program in candidates() {
        let Some((minor, name)) = version(&program).filter(|(minor, _)| MINORS.contains(minor)) else { continue };
        if seen.contains(&minor) {
            continue;
        }
        let Ok(runtime) = Runtime::python(&program) else { continue };
        seen.push(minor);
        others.push(OtherInterpreter { name, open: Box::new(open(runtime, hide.to_vec())) });
    }
    Ok(others)
}

/// Opens sandboxes in which this interpreter is `python3`.
fn open<'a>(
    runtime: Runtime,
    hide: Vec<PathBuf>,
) -> impl Fn(&Path, SolutionCompany<'_>) -> Result<Box<dyn Sandbox + 'a>, Error> + Sync {
    move |dir, company| {
        let assets = company.assets.map(Path::to_path_buf);
        let solution = Solution { dir: dir.to_path_buf(), hide: hide.clone(), environment: None, assets };
        Ok(Box::new(Namespaces::open(&solution, &runtime)?))
    }
}

/// Where interpreters are: on the PATH by their version, the system's own, and those that pyenv installed.
fn candidates() -> Vec<PathBuf> {
    let named = MINORS.map(|minor| PathBuf::from(format!("python3.{minor}")));
    let root = env::var_os("PYENV_ROOT").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".pyenv")));
    let versions = root.and_then(|root| fs::read_dir(root.join("versions")).ok()).into_iter().flatten().flatten();
    let mut installed: Vec<_> = versions.map(|version| version.path().join("bin/python3")).collect();
    installed.sort();
    named.chain([PathBuf::from("/usr/bin/python3")]).chain(installed).collect()
}

/// An interpreter's minor version, and the whole; nothing where it does not run, as pyenv's names of what is not installed.
fn version(program: &Path) -> Option<(u32, String)> {
    let output = Command::new(program).args(["-I", "-c", QUESTION]).output().ok()?;
    let said = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
    let (minor, whole) = said.trim().split_once(' ')?;
    Some((minor.parse().ok()?, whole.to_owned()))
}
