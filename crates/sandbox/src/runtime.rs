//! Which interpreter a solution sees, and which of the machine's files come with it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

use serde::{Deserialize, Serialize};

use crate::{Error, interpreters};

/// Names a file with extra paths to expose, one per line: a Nix package passes its closure this way.
const PATHS_VARIABLE: &str = "SLOPBENCH_SANDBOX_PATHS";

/// Asks an interpreter where it lives. One answer per line, so that no parser is needed. Without a
/// `PATH`, Python does not know its own file, but the kernel does. Packages of the system's other
/// interpreters are masked as well: a solution could start those, or read them.
const QUESTION: &str = "
import glob, os, sys, site
executable = getattr(sys, '_base_executable', None) or sys.executable
print(os.path.realpath(executable or os.readlink('/proc/self/exe')))
for prefix in sorted({sys.base_prefix, sys.base_exec_prefix}):
    print('prefix', os.path.realpath(prefix))
for prefix in sorted({sys.base_prefix, sys.base_exec_prefix, '/usr', '/usr/local'}):
    for folder in site.getsitepackages([prefix]) + [os.path.join(prefix, 'lib/python3/dist-packages')]:
        print('mask', os.path.realpath(folder))
for lib in '/usr/lib', '/usr/lib64', '/usr/local/lib', '/usr/local/lib64':
    for kind in 'site', 'dist':
        for folder in glob.glob(lib + '/python3*/' + kind + '-packages'):
            print('mask', os.path.realpath(folder))
";

/// What a sandbox shows: `/usr`, `/bin`, `/lib*` and `/sbin` of which system, and what else of the machine.
///
/// The default is the machine's own system, and nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Runtime {
    /// Where the system's own folders are taken from in place of `/`: an unpacked image. Absolute, without symbolic links
    /// on the way.
    pub system: Option<PathBuf>,
    /// Folders that come first in the sandbox's `PATH`.
    pub path: Vec<PathBuf>,
    /// Files and folders to show read-only, at the same place as outside. Absolute, without
    /// symbolic links on the way.
    pub expose: Vec<PathBuf>,
    /// Folders to show empty: what packages are installed must not change what a solution can do.
    pub mask: Vec<PathBuf>,
}

impl Runtime {
    /// The `python3` on `PATH`, with its standard library and without third-party packages.
    ///
    /// A shim (pyenv) or a virtual environment leads to the interpreter behind it.
    ///
    /// # Errors
    ///
    /// [`Error::Runtime`] if there is no `python3`, or the paths it needs are not known or cannot
    /// be shown.
    pub fn python3() -> Result<Self, Error> {
        Self::python(Path::new("python3"))
    }

    /// The same for a certain interpreter: a program, or a version such as `3.12` or `3.12.1` of those that this machine has. These
    /// are on `PATH`, or where pyenv or uv install them.
    ///
    /// # Errors
    ///
    /// As for [`Runtime::python3`].
    pub fn python(program: &Path) -> Result<Self, Error> {
        let Some(version) = interpreters::version(program.as_os_str()) else { return Self::of_program(program) };
        let found = interpreters::python_of_version(&version).ok_or_else(|| {
            let version = program.display();
            let places = "neither on PATH nor where pyenv or uv install interpreters";
            Error::Runtime(format!("there is no Python {version} {places}: install it, or name its program"))
        });
        Self::of_program(&found?)
    }

    fn of_program(program: &Path) -> Result<Self, Error> {
        let no = |cause: String| {
            Error::Runtime(format!("{cause}; expected a Python 3 interpreter as `{}`", program.display()))
        };
        // Isolated, so that neither the environment nor the current folder has a say.
        let output =
            Command::new(program).args(["-I", "-c", QUESTION]).output().map_err(|error| no(error.to_string()))?;
        let answer = String::from_utf8(output.stdout).map_err(|error| no(error.to_string()))?;
        let mut lines = answer.lines();
        let executable = lines.next().filter(|_| output.status.success());
        let executable = executable.ok_or_else(|| no(String::from_utf8_lossy(&output.stderr).trim().to_owned()))?;
        // What lies beside it is shown: a wrong answer must not show a folder of no one's choice.
        if !(Path::new(executable).is_absolute() && Path::new(executable).is_file()) {
            return Err(no(format!("it says that it is `{executable}`, which is no absolute path to a file")));
        }
        let named = |wanted: &'static str, line: &str| {
            line.split_once(' ').filter(|(name, _)| *name == wanted).map(|(_, path)| PathBuf::from(path))
        };
        let mut prefixes: Vec<PathBuf> = answer.lines().filter_map(|line| named("prefix", line)).collect();
        let mut mask: Vec<PathBuf> = lines.filter_map(|line| named("mask", line)).collect();
        mask.sort();
        mask.dedup();

        let bin = Path::new(executable).parent().unwrap_or(Path::new("/"));
        // Wherever the prefix is, the binary itself has to be there too.
        prefixes.push(bin.to_owned());
        prefixes.retain(|prefix| !prefix.starts_with("/usr"));
        let mut expose = extra_paths()?;
        if let Some(prefix) =
            prefixes.iter().find(|prefix| prefix.starts_with("/nix/store") && !covered(prefix, &expose))
        {
            return Err(Error::Runtime(format!(
                "{} needs other paths of the Nix store: write them to a file (`nix-store --query --requisites {}`) and name the file \
                 in {PATHS_VARIABLE}",
                prefix.display(),
                prefix.display(),
            )));
        }
        for prefix in prefixes {
            if !covered(&prefix, &expose) {
                expose.push(prefix);
            }
        }
        Ok(Self { system: None, path: vec![bin.to_owned()], expose, mask })
    }

    /// The `python3` of the system in a folder, such as an unpacked image: nothing of the machine is shown then.
    ///
    /// # Errors
    ///
    /// [`Error::Runtime`] if there is none.
    pub fn system(root: &Path) -> Result<Self, Error> {
        let no = |cause: String| {
            let root = root.display();
            Error::Runtime(format!(
                "{root}: {cause}; expected what `cargo xtask images --unpack DIR python` makes there"
            ))
        };
        let root = root.canonicalize().map_err(|error| no(error.to_string()))?;
        if fs::symlink_metadata(root.join("usr/bin/python3")).is_err() {
            return Err(no("it has no usr/bin/python3".to_owned()));
        }
        let mask = vec!["/usr/lib/python3/dist-packages".into()];
        Ok(Self { system: Some(root), mask, ..Self::default() })
    }

    /// Where the machine has what is shown as this path of the system's.
    pub(crate) fn of_system(&self, path: &Path) -> PathBuf {
        match &self.system {
            Some(root) => root.join(path.strip_prefix("/").unwrap_or(path)),
            None => path.to_owned(),
        }
    }
}

impl Runtime {
    /// The same with the `node` on `PATH`, where there is one, and its npm, wherever they lie.
    #[must_use]
    pub(crate) fn and_node(mut self) -> Self {
        let asked = Command::new("node").args(["-p", "process.execPath"]).output().ok();
        let answer =
            asked.filter(|output| output.status.success()).and_then(|output| String::from_utf8(output.stdout).ok());
        let Some(node) = answer.and_then(|path| fs::canonicalize(path.trim()).ok()) else { return self };
        let (Some(bin), Some(prefix)) = (node.parent(), node.ancestors().nth(2)) else { return self };
        if !bin.starts_with("/usr") {
            // No more of the prefix: it may be someone's home.
            let npm = ["bin/npm", "bin/npx", "lib/node_modules"].map(|path| prefix.join(path));
            let wanted = npm.into_iter().chain([node.clone()]);
            self.expose.extend(wanted.filter(|path| fs::symlink_metadata(path).is_ok()));
            self.path.push(bin.to_owned());
        }
        self
    }
}

fn covered(path: &Path, by: &[PathBuf]) -> bool {
    by.iter().any(|other| path.starts_with(other))
}

fn extra_paths() -> Result<Vec<PathBuf>, Error> {
    let Some(file) = env::var_os(PATHS_VARIABLE).filter(|file| !file.is_empty()).map(PathBuf::from) else {
        return Ok(Vec::new());
    };
    let no = |cause: String| {
        let name = file.display();
        Error::Runtime(format!("{PATHS_VARIABLE} names {name}: {cause}; expected a file with one absolute path a line"))
    };
    let text = fs::read_to_string(&file).map_err(|error| no(error.to_string()))?;
    text.lines()
        .filter(|line| !line.is_empty())
        .map(|line| settle(Path::new(line)).map_err(|error| no(format!("{line}: {error}"))))
        .collect()
}

/// The same place by a path without symbolic links on the way. A link at the end stays: it is shown
/// as one.
fn settle(path: &Path) -> io::Result<PathBuf> {
    let (Some(parent), Some(name), true) = (path.parent(), path.file_name(), path.is_absolute()) else {
        return Err(io::Error::other("not an absolute path to a file or folder"));
    };
    fs::symlink_metadata(path)?;
    Ok(fs::canonicalize(parent)?.join(name))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn an_interpreter_brings_its_prefix() {
        let runtime = Runtime::python3().unwrap();
        assert!(runtime.path[0].is_absolute());
        assert!(runtime.path[0].starts_with("/usr") || covered(&runtime.path[0], &runtime.expose));
        assert!(
            runtime.mask.iter().any(|folder| folder.ends_with("site-packages") || folder.ends_with("dist-packages"))
        );
    }

    #[test]
    fn packages_of_other_interpreters_are_masked() {
        let mask = Runtime::python3().unwrap().mask;
        for lib in ["/usr/lib", "/usr/local/lib"] {
            let versions = fs::read_dir(lib).into_iter().flatten().flatten().map(|entry| entry.path());
            let versions = versions.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("python3"));
            for folder in versions.flat_map(|path| ["site-packages", "dist-packages"].map(|name| path.join(name))) {
                assert!(fs::canonicalize(&folder).map_or(true, |real| mask.contains(&real)), "{folder:?}: {mask:?}");
            }
        }
    }

    /// Not a test of its own: runs where there is no `PATH`.
    #[test]
    #[ignore = "run by another test"]
    fn without_a_path() {
        // Then the system's is looked for, if there is one.
        if Path::new("/usr/bin/python3").exists() {
            let runtime = Runtime::python3().unwrap();
            assert!(runtime.path[0].join("python3").exists(), "{runtime:?}");
            assert!(!covered(&env::current_dir().unwrap(), &runtime.expose), "{runtime:?}");
        }
    }

    #[test]
    fn without_a_path_an_interpreter_is_still_found() {
        let output = Command::new(env::current_exe().unwrap())
            .args(["--ignored", "--exact", "runtime::tests::without_a_path"])
            .env_clear()
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"));
    }

    #[test]
    fn an_answer_that_is_no_file_is_refused() {
        // Repeats the question.
        let error = Runtime::python(Path::new("/bin/echo")).unwrap_err().to_string();
        assert!(error.contains("no absolute path"), "{error}");
    }

    #[test]
    fn what_is_no_interpreter_is_named() {
        let error = Runtime::python(Path::new("/bin/false")).unwrap_err().to_string();
        assert!(error.contains("/bin/false"), "{error}");
        assert!(Runtime::python(Path::new("/nowhere/python3")).is_err());
    }
}
