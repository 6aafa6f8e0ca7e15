//! Which interpreters of Python this machine has, by their versions.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where installers keep interpreters, a folder each, below a home: pyenv and uv.
const FOLDERS: [&str; 2] = [".pyenv/versions", ".local/share/uv/python"];

/// The variables that name the first part of these, where it is not below a home, and the rest.
const MOVED: [(&str, &str); 2] = [("PYENV_ROOT", "versions"), ("UV_PYTHON_INSTALL_DIR", "")];

/// The numbers of a version such as `3.12` or `3.12.1`; `None` if it is none.
pub(crate) fn version(text: &OsStr) -> Option<Vec<u32>> {
    let numbers: Option<Vec<u32>> = text.to_str()?.split('.').map(|number| number.parse().ok()).collect();
    numbers.filter(|numbers| (2..=3).contains(&numbers.len()))
}

/// The interpreter of this version: the one on `PATH`, or else the newest of those that pyenv or uv have installed.
pub fn python_of_version(wanted: &[u32]) -> Option<PathBuf> {
    let name = format!("python{}", wanted.iter().take(2).map(u32::to_string).collect::<Vec<_>>().join("."));
    let on_path = env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(&name)).collect::<Vec<_>>();
    let answers = |programs: Vec<PathBuf>| {
        let answers = programs.into_iter().filter_map(|program| Some((python_version(&program)?, program)));
        answers.filter(|(version, _)| version.starts_with(wanted)).collect::<Vec<_>>()
    };
    let on_path = on_path.into_iter().filter(|program| program.is_file()).collect();
    let found = answers(on_path).into_iter().next();
    found.or_else(|| answers(installed(&name)).into_iter().max()).map(|(_, program)| program)
}

/// The interpreters by this name that installers keep.
fn installed(name: &str) -> Vec<PathBuf> {
    let below_home = env::home_dir().into_iter().flat_map(|home| FOLDERS.map(|folder| home.join(folder)));
    let moved = MOVED.iter().filter_map(|(variable, rest)| Some(PathBuf::from(env::var_os(variable)?).join(rest)));
    let folders = below_home.chain(moved).filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let programs = folders.map(|folder| folder.path().join("bin").join(name));
    programs.filter(|program| program.is_file()).collect()
}

/// What an interpreter says of its version, its three numbers. A shim of one that is not there says nothing.
pub fn python_version(program: &Path) -> Option<Vec<u32>> {
    const QUESTION: &str = "import platform; print(platform.python_version())";
    let output = Command::new(program).args(["-I", "-c", QUESTION]).output().ok()?;
    let answer = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
    version(OsStr::new(answer.trim()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_told_from_a_program() {
        let version = |text: &str| version(OsStr::new(text));
        assert_eq!(version("3.12"), Some(vec![3, 12]));
        assert_eq!(version("3.12.1"), Some(vec![3, 12, 1]));
        for other in ["python3.12", "3", "3.12.1.2", "3.x", "./3.12", ""] {
            assert_eq!(version(other), None, "{other}");
        }
    }

    #[test]
    fn an_interpreter_is_found_by_its_version() {
        let here = python_version(Path::new("python3")).unwrap();
        let found = python_of_version(&here[..2]).unwrap();
        assert!(python_version(&found).unwrap().starts_with(&here[..2]), "{found:?}");
        assert_eq!(python_of_version(&[2, 99]), None);
    }
}
