//! A folder of packages that is an index, and a store of environments.

#![allow(dead_code, reason = "each test file uses a part of it")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use slopbench_environments::{
    EnvironmentRecord, EnvironmentStore, Environments, PackageIndex, PreparedEnvironment, Resolution,
};
use slopbench_sandbox::{Runtime, probe, session::System};
use slopbench_test_support::{Need, need, wheels::write_wheels};
use tempfile::TempDir;

/// A folder of wheels that pip takes for its index, and an empty store that has uv.
pub(crate) struct Bench {
    pub(crate) folder: TempDir,
    pub(crate) store: EnvironmentStore,
}

impl Bench {
    pub(crate) fn new(wheels: &[&str]) -> Option<Self> {
        need(Need::Namespaces, probe::available())?;
        // uv is fetched once for all tests.
        let shared = Path::new(env!("CARGO_TARGET_TMPDIR")).join("environments");
        let (folder, fetched) = (tempfile::tempdir().unwrap(), EnvironmentStore(shared));
        let exported = folder.path().join("exported");
        need(Need::Index, fetched.export(&[], &[], &PackageIndex::default(), &exported))?;
        let store = EnvironmentStore(folder.path().join("store"));
        assert_eq!(store.import(&exported).unwrap(), 1);
        let index = folder.path().join("index");
        fs::create_dir(&index).unwrap();
        write_wheels(&index, wheels);
        Some(Self { folder, store })
    }

    pub(crate) fn index(&self) -> PackageIndex {
        let folder = self.folder.path().join("index").display().to_string();
        PackageIndex { variables: vec![("PIP_NO_INDEX".into(), "1".into()), ("PIP_FIND_LINKS".into(), folder)] }
    }

    pub(crate) fn environments(&self) -> Environments<'static> {
        let system = System::Machine(Runtime::python3().unwrap());
        Environments::new(self.store.clone(), system, Vec::new(), self.index(), &|_| ())
    }

    /// A solution that requires this.
    pub(crate) fn solution(&self, requirements: &str) -> PathBuf {
        let folder = self.folder.path().join("solution");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("requirements.txt"), requirements).unwrap();
        folder
    }

    /// What becomes of requirements that can be had.
    pub(crate) fn prepared(&self, requirements: &str) -> PreparedEnvironment {
        let prepared = self.environments().prepare(&self.solution(requirements)).unwrap().unwrap();
        assert!(prepared.environment.is_some(), "{:?}", prepared.record.resolution);
        prepared
    }

    pub(crate) fn refusal(&self, requirements: &str) -> String {
        let prepared = self.environments().prepare(&self.solution(requirements)).unwrap().unwrap();
        assert!(prepared.environment.is_none());
        match prepared.record.resolution {
            Resolution::Refused(sentence) => sentence,
            Resolution::Locked(packages) => panic!("{packages:?}"),
        }
    }
}

pub(crate) fn names(record: &EnvironmentRecord) -> Vec<String> {
    record.packages().map(|(name, package)| format!("{name} {}", package.version)).collect()
}

/// What a program of an environment prints on this machine.
pub(crate) fn says(program: &Path, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).env_clear().env("PATH", "/usr/bin:/bin").output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}
