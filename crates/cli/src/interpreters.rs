//! The interpreters of Python that this machine has, beside the one that solutions are graded with.

use std::path::{Path, PathBuf};

use slopbench_audit::OtherInterpreter;
use slopbench_sandbox::{Error, Namespaces, Runtime, Sandbox, Solution, python_of_version, python_version};
use slopbench_slopcode::SolutionMounts;

use crate::{
    Failure,
    args::{Backend, PlaceArgs},
};

/// The oldest that solutions are promised, and newer than any there is.
const MINORS: std::ops::Range<u32> = 10..20;

/// One of each version other than the usual one's, where solutions run in namespaces and nothing else is asked for. No
/// solution sees what is in `hide`.
pub(crate) fn other_interpreters<'a>(args: &PlaceArgs, hide: &[PathBuf]) -> Result<Vec<OtherInterpreter<'a>>, Failure> {
    if !matches!(args.sandbox, Backend::Namespaces) || args.system.is_some() || args.python.is_some() {
        return Ok(Vec::new());
    }
    let usual = python_version(Path::new("python3"));
    let others =
        MINORS.map(|minor| [3, minor]).filter(|other| !usual.as_ref().is_some_and(|usual| usual.starts_with(other)));
    let others = others.filter_map(|version| {
        let program = python_of_version(&version)?;
        let numbers: Vec<_> = python_version(&program)?.iter().map(u32::to_string).collect();
        let runtime = Runtime::python(&program).ok()?;
        let name = format!("Python {}", numbers.join("."));
        Some(OtherInterpreter { name, open: Box::new(open(runtime, hide.to_vec())) })
    });
    Ok(others.collect())
}

/// Opens sandboxes in which this interpreter is `python3`.
fn open<'a>(
    runtime: Runtime,
    hide: Vec<PathBuf>,
) -> impl Fn(&Path, SolutionMounts<'_>) -> Result<Box<dyn Sandbox + 'a>, Error> + Sync {
    move |dir, mounts| {
        let assets = mounts.assets.map(Path::to_path_buf);
        let (dir, hide, whole) = (dir.to_path_buf(), hide.clone(), mounts.whole);
        let solution = Solution { dir, hide, environment: None, assets, whole };
        Ok(Box::new(Namespaces::open(&solution, &runtime)?))
    }
}
