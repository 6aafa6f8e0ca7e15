//! `environment.json`: what a solution's requirements became.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use slopbench_digest::{Sha256, canonical};

use crate::{Error, Interpreter};

/// The name of an [`EnvironmentRecord`] among a stage's files.
pub const RECORD: &str = "environment.json";

const FORMAT: &str = "slopbench.environment/1";

/// What a solution's requirements became: a fact of the run, found out once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnvironmentRecord {
    /// `slopbench.environment/1`.
    pub format: String,
    /// What the packages are for.
    pub interpreter: Interpreter,
    /// The program that resolved the requirements, and its version.
    pub resolver: String,
    /// What the solution declares, in its order: each with file and line.
    pub requirements: Vec<String>,
    /// What became of that.
    pub resolution: Resolution,
}

/// What requirements became.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Resolution {
    /// All packages of the environment, by name: the whole lock.
    Locked(BTreeMap<String, LockedPackage>),
    /// Why there is no environment, in one sentence: the solution's fault.
    Refused(String),
}

/// One package of a lock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockedPackage {
    /// As the package index writes it.
    pub version: String,
    /// The wheel that is installed.
    pub file: String,
    /// Its digest.
    pub sha256: Sha256,
    /// What it was built from; absent where the index has the wheel itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub built_from: Option<SourceBuild>,
}

/// How a wheel came to be that no index has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceBuild {
    /// The source distribution.
    pub file: String,
    /// Its digest.
    pub sha256: Sha256,
    /// Each file of the index that its build had, with its digest: what the source asks for to be built (PEP 517), above all.
    pub fetched: BTreeMap<String, Sha256>,
}

/// An environment as results name it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnvironmentIdentity {
    /// The digest of `environment.json`, which holds the lock.
    pub digest: Sha256,
    /// Why there is none; absent where it is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

impl EnvironmentRecord {
    pub(crate) fn new(
        interpreter: Interpreter,
        resolver: String,
        requirements: Vec<String>,
        resolution: Resolution,
    ) -> Self {
        Self { format: FORMAT.to_owned(), interpreter, resolver, requirements, resolution }
    }

    /// The bytes of `environment.json`.
    ///
    /// # Errors
    ///
    /// [`Error::Json`], which is a bug.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        Ok(canonical::to_vec(self)?)
    }

    /// What results say of it.
    ///
    /// # Errors
    ///
    /// [`Error::Json`], which is a bug.
    pub fn identity(&self) -> Result<EnvironmentIdentity, Error> {
        let refused = match &self.resolution {
            Resolution::Locked(_) => None,
            Resolution::Refused(sentence) => Some(sentence.clone()),
        };
        Ok(EnvironmentIdentity { digest: Sha256::of(&self.to_bytes()?), refused })
    }

    /// Its packages; none where it is refused.
    pub fn packages(&self) -> impl Iterator<Item = (&str, &LockedPackage)> {
        let packages = match &self.resolution {
            Resolution::Locked(packages) => Some(packages),
            Resolution::Refused(_) => None,
        };
        packages.into_iter().flatten().map(|(name, package)| (name.as_str(), package))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(resolution: Resolution) -> EnvironmentRecord {
        let interpreter = Interpreter {
            implementation: "CPython".to_owned(),
            version: "3.11.2".to_owned(),
            platform: "manylinux_2_36_x86_64".to_owned(),
        };
        EnvironmentRecord::new(interpreter, "uv 1".to_owned(), vec!["requirements.txt:1: x".to_owned()], resolution)
    }

    #[test]
    fn a_record_reads_back_and_its_digest_is_of_all_of_it() {
        let package = LockedPackage {
            version: "1".into(),
            file: "x-1-py3-none-any.whl".into(),
            sha256: Sha256::of(b""),
            built_from: None,
        };
        let locked = record(Resolution::Locked([("x".to_owned(), package)].into()));
        let bytes = locked.to_bytes().unwrap();
        assert_eq!(serde_json::from_slice::<EnvironmentRecord>(&bytes).unwrap(), locked);
        assert_eq!(locked.identity().unwrap(), EnvironmentIdentity { digest: Sha256::of(&bytes), refused: None });
        let other = EnvironmentRecord {
            interpreter: Interpreter { version: "3.12.1".into(), ..locked.interpreter.clone() },
            ..locked.clone()
        };
        assert_ne!(other.identity().unwrap(), locked.identity().unwrap());
        let refused = record(Resolution::Refused("no".to_owned()));
        assert_eq!(refused.identity().unwrap().refused.as_deref(), Some("no"));
        assert_eq!(refused.packages().count(), 0);
    }
}
