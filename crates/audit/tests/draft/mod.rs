//! A problem of its own for a test, and what audits say of it.

use std::{
    fs,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    sync::Mutex,
};

use slopbench_audit::{
    AuditContext, AuditOptions, Error, audit, checks,
    report::{CheckReport, CheckState},
    scaffold::scaffold,
};
use slopbench_environments::{EnvironmentStore, Environments, PackageIndex};
use slopbench_metrics::RuleSet;
use slopbench_runner::Instrument;
use slopbench_sandbox::{Host, Runtime, Sandbox, Solution, session::System};
use slopbench_slopcode::{GradingContext, SolutionMounts, SuiteLocks};
use slopbench_tests::{Gate, Problem, problem::ProblemKind};
use tempfile::TempDir;

/// A new problem, to be spoilt and audited.
pub(crate) struct Draft {
    pub(crate) dir: TempDir,
    /// What was told.
    pub(crate) told: Mutex<Vec<String>>,
}

impl Draft {
    pub(crate) fn new(kind: ProblemKind) -> Self {
        let dir = tempfile::tempdir().unwrap();
        scaffold(dir.path(), "words", kind).unwrap();
        Self { dir, told: Mutex::default() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join("words").join(name)
    }

    /// Puts a text in place of another in a file.
    pub(crate) fn replace(&self, file: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.path(file)).unwrap();
        assert!(text.contains(from), "{file}: {text}");
        fs::write(self.path(file), text.replacen(from, to, 1)).unwrap();
    }

    pub(crate) fn problem(&self) -> Problem {
        Problem::load(&self.path("")).unwrap()
    }

    pub(crate) fn audit(&self, names: &[&str]) -> Result<Vec<CheckReport>, Error> {
        let open = |dir: &Path, _: SolutionMounts<'_>| {
            let solution = Solution { dir: dir.to_path_buf(), ..Solution::default() };
            Ok(Box::new(Host::open(&solution)?) as Box<dyn Sandbox>)
        };
        let (store, system) = (EnvironmentStore(self.dir.path().join("store")), System::Machine(Runtime::default()));
        let environments = Environments::new(store, system, Vec::new(), PackageIndex::default(), &|_| {});
        let grading = GradingContext {
            open: &open,
            environments: &environments,
            suites: SuiteLocks::default(),
            jobs: NonZeroUsize::new(2).unwrap(),
            gate: &Gate::default(),
            rules: &RuleSet::builtin().unwrap(),
            progress: &(),
        };
        let context = AuditContext {
            grading,
            instrument: &Instrument::default(),
            interpreters: &[],
            kept: Some(&self.dir.path().join("kept")),
            tell: &|what| self.told.lock().unwrap().push(what.to_owned()),
        };
        let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
        let options = AuditOptions { repeats: 10, mutants: 100, seed: 1 };
        Ok(audit(&context, &self.problem(), &checks(&names)?, options)?.checks)
    }

    /// The file of what is kept whose name begins so.
    pub(crate) fn kept(&self, beginning: &str) -> PathBuf {
        let mut paths = fs::read_dir(self.dir.path().join("kept/words")).unwrap().map(|entry| entry.unwrap().path());
        paths.find(|path| path.file_name().unwrap().to_string_lossy().starts_with(beginning)).unwrap()
    }

    /// Every play that is kept, a line each.
    pub(crate) fn plays(&self) -> Vec<String> {
        fs::read_to_string(self.kept("plays-")).unwrap().lines().map(str::to_owned).collect()
    }

    /// What one check says.
    pub(crate) fn check(&self, name: &str) -> CheckReport {
        self.audit(&[name]).unwrap().remove(0)
    }

    /// The one flaw that a check finds.
    pub(crate) fn flaw(&self, name: &str) -> String {
        let report = self.check(name);
        assert_eq!(report.state, CheckState::Flawed);
        report.flaws.into_iter().next().unwrap()
    }
}
