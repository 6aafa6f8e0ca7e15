//! Environments of suites of tests: pytest and what the tests import, locked as solutions' packages are.

use std::sync::{Mutex, PoisonError};

use slopbench_environments::{Environment, Environments};
use slopbench_tests::pytest::{SuiteEnvironment, base_requirements, is_in_base_lock};

/// Gives environments to suites, and holds them meanwhile.
pub(crate) struct SuiteEnvironmentSource<'a> {
    environments: &'a Environments<'a>,
    held: Mutex<Vec<Environment>>,
}

impl<'a> SuiteEnvironmentSource<'a> {
    pub(crate) fn new(environments: &'a Environments<'a>) -> Self {
        Self { environments, held: Mutex::new(Vec::new()) }
    }

    /// The environment of the base lock and these packages.
    pub(crate) fn get(&self, packages: &[String]) -> Result<SuiteEnvironment, String> {
        let lines: Vec<String> = base_requirements().chain(packages.iter().cloned()).collect();
        let prepared = self.environments.resolve_once(&lines).map_err(|error| error.to_string())?;
        let identity = prepared.record.identity().map_err(|error| error.to_string())?;
        let others = prepared.record.packages().find(|(name, package)| !is_in_base_lock(name, &package.sha256));
        if let Some((name, package)) = others {
            return Err(format!("{} is not the file of {name} that the base lock has", package.file));
        }
        let Some(environment) = prepared.environment else {
            return Err(identity.refused.unwrap_or_default());
        };
        let dir = environment.path.clone();
        self.held.lock().unwrap_or_else(PoisonError::into_inner).push(environment);
        Ok(SuiteEnvironment { dir, lock: identity.digest })
    }
}
