//! The folder that a task runs in.

use std::fs;
use std::path::PathBuf;

use nix::unistd::{getegid, geteuid};
use tempfile::TempDir;

use crate::folder::{Folder, FolderOwner, check_relative};
use crate::record::ServiceTotal;
use crate::signal::PlannedSignal;
use crate::signal_watch::SignalWatch;
use crate::{Error, Observation, ProgramEnd, Task};

/// Where a task runs. Gone when this is.
pub(super) struct WorkFolder {
    pub(super) home: TempDir,
    pub(super) work: PathBuf,
    folder: Folder,
}

impl WorkFolder {
    pub(super) fn new(tasks: &[Task]) -> Result<Self, Error> {
        tasks.iter().flat_map(|task| &task.collect).try_for_each(|path| check_relative(path))?;
        tasks.iter().filter_map(|task| task.signal.as_ref()).try_for_each(PlannedSignal::check)?;
        let home = tempfile::tempdir().map_err(|error| Error::setup("make a temporary folder", error))?;
        let work = home.path().join("work");
        fs::create_dir(&work).map_err(|error| Error::setup("make a temporary folder", error))?;
        let owner = FolderOwner { uid: geteuid(), gid: getegid() };
        let folder = Folder::open(&work, owner).map_err(|errno| Error::setup("open the working folder", errno))?;
        Ok(Self { home, work, folder })
    }

    /// Puts a task's files here.
    pub(super) fn fill(&self, task: &Task) -> Result<(), Error> {
        self.folder.fill(&task.files)
    }

    /// Watches for the moment of a task's signal.
    pub(super) fn watch<'a>(&'a self, task: &'a Task) -> SignalWatch<'a> {
        SignalWatch::new(task.signal.as_ref(), &self.folder)
    }

    pub(super) fn observe(
        &self,
        task: &Task,
        end: ProgramEnd,
        record: ServiceTotal,
        signal_sent: bool,
    ) -> Result<Observation, Error> {
        let files = self.folder.collect(&task.collect, task.limits.output)?;
        Ok(record.observation(end, files, signal_sent))
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        // The folder's own end recurses, and what a program left may be of any depth.
        let _ = slopbench_walk::remove(self.home.path());
    }
}
