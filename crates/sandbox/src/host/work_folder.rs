//! The folder that a task runs in.

use std::fs;
use std::path::PathBuf;

use nix::unistd::{getegid, geteuid};
use tempfile::TempDir;

use crate::folder::{Folder, FolderOwner, check_relative};
use crate::record::ServiceTotal;
use crate::{Error, Observation, ProgramEnd, Task};

/// Where a task runs. Gone when this is.
pub(super) struct WorkFolder {
    pub(super) home: TempDir,
    pub(super) work: PathBuf,
    folder: Folder,
}

impl WorkFolder {
    pub(super) fn new(task: &Task) -> Result<Self, Error> {
        task.collect.iter().try_for_each(|path| check_relative(path))?;
        let home = tempfile::tempdir().map_err(|error| Error::setup("make a temporary folder", error))?;
        let work = home.path().join("work");
        fs::create_dir(&work).map_err(|error| Error::setup("make a temporary folder", error))?;
        let owner = FolderOwner { uid: geteuid(), gid: getegid() };
        let folder = Folder::open(&work, owner).map_err(|errno| Error::setup("open the working folder", errno))?;
        folder.fill(&task.files)?;
        Ok(Self { home, work, folder })
    }

    pub(super) fn observe(&self, task: &Task, end: ProgramEnd, record: ServiceTotal) -> Result<Observation, Error> {
        let files = self.folder.collect(&task.collect, task.limits.output)?;
        let ServiceTotal { stdout, stderr, usage, .. } = record;
        Ok(Observation { end, stdout, stderr, files, usage })
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        // The folder's own end recurses, and what a program left may be of any depth.
        let _ = slopbench_walk::remove(self.home.path());
    }
}
