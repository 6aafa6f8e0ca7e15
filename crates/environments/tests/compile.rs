//! Builds of solutions, played by shell scripts: what becomes of what they leave, and how they end.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::Duration;

use slopbench_environments::{BuildPlan, Compilation, EnvironmentStore, Environments, Error, PackageIndex};
use slopbench_sandbox::session::System;
use slopbench_sandbox::{Limits, Runtime, probe};
use slopbench_test_support::{Need, need};
use tempfile::TempDir;

/// A solution whose build is a script.
struct Solution {
    folder: TempDir,
}

impl Solution {
    /// Where the machine can build one.
    fn new(script: &str) -> Option<Self> {
        need(Need::Namespaces, probe::available())?;
        let folder = tempfile::tempdir().unwrap();
        let tree = folder.path().join("tree");
        fs::create_dir_all(tree.join("out")).unwrap();
        fs::write(tree.join("build.sh"), script).unwrap();
        fs::write(tree.join("source"), "written").unwrap();
        fs::write(tree.join("out/planted"), "before the build").unwrap();
        Some(Self { folder })
    }

    fn tree(&self) -> PathBuf {
        self.folder.path().join("tree")
    }

    fn built(&self, limits: Limits) -> Compilation {
        self.environments(Vec::new()).compile(&self.tree(), &plan(&["sh", "build.sh"], limits)).unwrap()
    }

    /// Environments for sessions that do not see what is in `hide`.
    fn environments(&self, hide: Vec<PathBuf>) -> Environments<'static> {
        let store = EnvironmentStore(self.folder.path().join("store"));
        let system = System::Machine(Runtime::python3().unwrap());
        Environments::new(store, system, hide, PackageIndex::default(), &|_| ())
    }

    fn refused(&self, limits: Limits) -> (String, bool) {
        match self.built(limits) {
            Compilation::Refused { reason, by_clock } => (reason, by_clock),
            Compilation::Built(built) => panic!("{built:?}"),
        }
    }
}

const LIMITS: Limits = Limits {
    wall: Duration::from_secs(60),
    cpu: Duration::from_secs(30),
    memory: 256 << 20,
    processes: 32,
    file_size: 8 << 20,
    disk: 64 << 20,
    output: 1 << 20,
};

fn plan(command: &[&str], limits: Limits) -> BuildPlan {
    BuildPlan {
        command: command.iter().map(|word| (*word).to_owned()).collect(),
        env: BTreeMap::from([("MODE".to_owned(), "release".to_owned())]),
        replaces: "out".into(),
        product: "out/program".into(),
        product_hint: "write it".to_owned(),
        limits,
    }
}

/// Everything below a folder, by path.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        if path.is_dir() {
            found.extend(files(&path).into_iter().map(|(below, text)| (format!("{name}/{below}"), text)));
        } else {
            found.insert(name, fs::read_to_string(path).unwrap());
        }
    }
    found
}

#[test]
fn of_a_build_its_product_is_kept_and_nothing_else() {
    let script = "test ! -e out || exit 1\nmkdir out\necho \"$MODE\" > out/program\necho 1 > out/object\n\
                  echo changed > source\necho 1 > planted\necho 1 > /tmp/planted\n! touch /usr/planted\n";
    let Some(solution) = Solution::new(script) else { return };
    let Compilation::Built(built) = solution.built(LIMITS) else { panic!("refused") };
    let expected = [("build.sh", script), ("out/program", "release\n"), ("source", "written")];
    let expected: BTreeMap<_, _> = expected.map(|(path, text)| (path.to_owned(), text.to_owned())).into();
    assert_eq!(files(&built.path()), expected);
    let place = built.path();
    drop(built);
    assert!(!place.exists() && fs::read_dir(solution.folder.path().join("store/scratch")).unwrap().next().is_none());
    assert_eq!(fs::read_to_string(solution.tree().join("source")).unwrap(), "written");
}

#[test]
fn what_is_said_first_is_the_reason() {
    let Some(solution) = Solution::new("echo 'main: no such name' >&2\necho more\nexit 1\n") else { return };
    assert_eq!(solution.refused(LIMITS), ("main: no such name".to_owned(), false));
    let Some(silent) = Solution::new("exit 7\n") else { return };
    assert_eq!(silent.refused(LIMITS), ("`sh build.sh` ends with 7 and says nothing".to_owned(), false));
    let Some(crashed) = Solution::new("kill -SEGV $$\n") else { return };
    assert_eq!(crashed.refused(LIMITS), ("its build was ended by SIGSEGV".to_owned(), false));
    let Some(long) = Solution::new("yes aaaaaaaaa | head -5000 >&2\nexit 1\n") else { return };
    assert_eq!(long.refused(LIMITS).0.lines().count(), 8);
}

#[test]
fn a_build_ends_at_its_limits() {
    let Some(slow) = Solution::new("sleep 100\n") else { return };
    let hurried = Limits { wall: Duration::from_secs(2), ..LIMITS };
    assert_eq!(slow.refused(hurried), ("its build takes more than 2 seconds of wall clock time".to_owned(), true));
    let Some(busy) = Solution::new("while true; do :; done\n") else { return };
    let short = Limits { cpu: Duration::from_secs(1), ..LIMITS };
    assert_eq!(busy.refused(short), ("its build takes more than 1 seconds of processor time".to_owned(), false));
    let Some(large) = Solution::new("exec head -c 100000000 /dev/zero > out.bin\n") else { return };
    let (reason, _) = large.refused(LIMITS);
    assert!(
        reason.starts_with("its build takes more than 8 MiB of file size") || reason.contains("SIGXFSZ"),
        "{reason}"
    );
}

#[test]
fn a_build_has_no_network() {
    let script = "import socket\nsocket.create_connection(('1.1.1.1', 443), 5)\n";
    let Some(solution) = Solution::new(&format!("exec python3 -c \"{script}\"\n")) else { return };
    let (reason, _) = solution.refused(LIMITS);
    assert!(reason.contains("Traceback") || reason.contains("unreachable"), "{reason}");
}

#[test]
fn no_link_of_a_builds_is_followed() {
    for script in ["mkdir out; ln -s /etc/passwd out/program\n", "ln -s /etc out\n", "ln -s . out; echo 1 > program\n"]
    {
        let Some(solution) = Solution::new(script) else { return };
        let refused = solution.refused(LIMITS);
        assert_eq!(
            refused,
            ("its build ends well and leaves no `out/program`: write it".to_owned(), false),
            "{script}"
        );
    }
    // What lay in the product's place is removed, and what a link there leads to is not.
    let Some(solution) = Solution::new("mkdir out; echo 1 > out/program\n") else { return };
    let elsewhere = solution.folder.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::write(elsewhere.join("kept"), "1").unwrap();
    fs::remove_dir_all(solution.tree().join("out")).unwrap();
    symlink(&elsewhere, solution.tree().join("out")).unwrap();
    assert!(matches!(solution.built(LIMITS), Compilation::Built(_)));
    assert!(elsewhere.join("kept").exists());
}

#[test]
fn a_compiler_that_is_not_there_is_not_the_solutions_fault() {
    let Some(solution) = Solution::new("") else { return };
    let store = EnvironmentStore(solution.folder.path().join("store"));
    let system = System::Machine(Runtime::python3().unwrap());
    let environments = Environments::new(store, system, Vec::new(), PackageIndex::default(), &|_| ());
    let error = environments.toolchain(&["no-such-compiler", "--version"]).unwrap_err();
    assert!(matches!(error, Error::Toolchain { .. }) && error.is_of_infrastructure(), "{error}");
    assert!(environments.toolchain(&["python3", "--version"]).unwrap().starts_with("Python 3."));
    let built = environments.compile(&solution.tree(), &plan(&["no-such-compiler"], LIMITS));
    assert!(built.is_err(), "{built:?}");
}

#[test]
fn nothing_is_copied_that_no_program_may_see() {
    let Some(solution) = Solution::new("echo made >out/program") else { return };
    fs::write(solution.tree().join("main.py"), "import lib\n").unwrap();
    fs::write(solution.tree().join("lib.py"), "").unwrap();
    assert!(solution.environments(Vec::new()).bytecode(&solution.tree()).is_some());
    let environments = solution.environments(vec![solution.tree().join("source")]);
    let error = environments.compile(&solution.tree(), &plan(&["sh", "build.sh"], LIMITS)).unwrap_err();
    assert!(error.to_string().contains("which no program may see"), "{error}");
    assert!(!error.is_of_infrastructure());
    assert!(environments.bytecode(&solution.tree()).is_none());
}
