//! Environments of suites of tests: pytest and what the tests import, locked as solutions' packages are.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use slopbench_environments::{Environment, EnvironmentRecord, Environments, PreparedEnvironment};
use slopbench_tests::{
    Problem,
    pytest::{PytestSuite, SuiteEnvironment, SuiteError, base_requirements, is_in_base_lock},
};

use crate::{Error, GradingContext};

/// The locks of the environments that tests are run with, by problem; there are none of problems in our own format.
///
/// A run and an artifact keep theirs: an index has newer versions by the time that they are graded again.
#[derive(Clone, Debug, Default)]
pub struct SuiteLocks(BTreeMap<String, EnvironmentRecord>);

impl SuiteLocks {
    /// The locks of these problems: those that are `kept`, if they are of what the problem asks for now and for the interpreter
    /// that the tests find, and else as they are resolved on this machine. Their environments are built.
    ///
    /// # Errors
    ///
    /// [`Error::Suite`] if what a problem's tests need cannot be had, [`Error::Environment`] if the package index does not
    /// answer.
    pub fn of<'p>(
        context: &GradingContext<'_>,
        problems: impl IntoIterator<Item = &'p Problem>,
        kept: &Self,
    ) -> Result<Self, Error> {
        let mut locks = BTreeMap::new();
        for problem in problems {
            let Some(suite) = problem.harness.pytest() else { continue };
            let record = match kept.0.get(&problem.name).filter(|record| asks_for(record, suite)) {
                Some(record) if context.environments.serves(record)? => record.clone(),
                _ => context.environments.resolve_once(&lines(suite.dependencies()))?.record,
            };
            if let Some(refused) = record.identity()?.refused {
                return Err(SuiteError::Environment(format!("{}: {refused}", problem.name)).into());
            }
            locks.insert(problem.name.clone(), record);
        }
        Ok(Self(locks))
    }

    /// One lock alone.
    pub(crate) fn one(problem: &str, record: EnvironmentRecord) -> Self {
        Self([(problem.to_owned(), record)].into())
    }

    /// The lock of a problem.
    pub(crate) fn get(&self, problem: &str) -> Option<&EnvironmentRecord> {
        self.0.get(problem)
    }

    /// Every lock with its problem.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &EnvironmentRecord)> {
        self.0.iter().map(|(problem, record)| (problem.as_str(), record))
    }

    /// Adds the lock of a problem.
    pub(crate) fn insert(&mut self, problem: &str, record: EnvironmentRecord) {
        self.0.insert(problem.to_owned(), record);
    }
}

/// All that a suite is run with, as lines of a `requirements.txt`.
fn lines(packages: &[String]) -> Vec<String> {
    base_requirements().chain(packages.iter().cloned()).collect()
}

/// Whether a lock is of what a suite is run with.
fn asks_for(record: &EnvironmentRecord, suite: &PytestSuite) -> bool {
    let locked = record.requirements.iter().map(|line| line.split_once(": ").map_or(line.as_str(), |(_, text)| text));
    locked.eq(lines(suite.dependencies()).iter().map(|line| line.trim()))
}

/// Gives environments to suites, and holds them meanwhile.
pub(crate) struct SuiteEnvironmentSource<'a> {
    environments: &'a Environments<'a>,
    /// The lock to use, where there is one.
    lock: Option<&'a EnvironmentRecord>,
    held: Mutex<Vec<Environment>>,
}

impl<'a> SuiteEnvironmentSource<'a> {
    pub(crate) fn new(environments: &'a Environments<'a>, lock: Option<&'a EnvironmentRecord>) -> Self {
        Self { environments, lock, held: Mutex::new(Vec::new()) }
    }

    /// The environment of the base lock and these packages.
    pub(crate) fn get(&self, packages: &[String]) -> Result<SuiteEnvironment, String> {
        let prepared = match self.lock {
            Some(record) => self.environments.open(record.clone()),
            None => self.environments.resolve_once(&lines(packages)),
        };
        let PreparedEnvironment { record, environment } = prepared.map_err(|error| error.to_string())?;
        let identity = record.identity().map_err(|error| error.to_string())?;
        let mut others = record.packages().filter(|(name, package)| !is_in_base_lock(name, &package.sha256));
        if let Some((name, package)) = others.next() {
            return Err(format!("{} is not the file of {name} that the base lock has", package.file));
        }
        let Some(environment) = environment else {
            return Err(identity.refused.unwrap_or_default());
        };
        let dir = environment.path.clone();
        self.held.lock().unwrap_or_else(PoisonError::into_inner).push(environment);
        Ok(SuiteEnvironment { dir, lock: identity.digest })
    }
}
