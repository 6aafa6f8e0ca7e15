//! Programs that work for long on folders of the machine, and want more than these: what holds in every back end.
#![allow(dead_code, unreachable_pub)]

mod company;
mod ground;
mod lifetime;
mod limits;

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use nix::mount::{MntFlags, MsFlags, mount, umount2};
use slopbench_sandbox::ProgramEnd;
use slopbench_sandbox::session::{JobEnd, Session, SessionJob, SessionSpec, System};
use slopbench_test_support::{Need, need};
use tempfile::TempDir;

use crate::common::{mark, marked};
use crate::system;

const PORT: u16 = 8080;

/// A workspace, a home, and what is printed, in one folder.
pub struct Bench {
    pub dir: TempDir,
    pub mark: String,
    system: System,
    /// Where workspace, home and the others are below the folder.
    pub below: PathBuf,
}

/// A disk that is mounted for a test.
pub struct Disk(PathBuf);

impl Drop for Disk {
    fn drop(&mut self) {
        umount2(&self.0, MntFlags::MNT_DETACH).unwrap();
    }
}

impl Bench {
    /// Nothing where this back end does not work, which says why.
    pub fn new() -> Option<Self> {
        let bench = Self { dir: tempfile::tempdir().unwrap(), mark: mark(), system: system()?, below: PathBuf::new() };
        for folder in ["workspace", "home", "installation"] {
            fs::create_dir(bench.at(folder)).unwrap();
        }
        Some(bench)
    }

    pub fn at(&self, name: &str) -> PathBuf {
        self.dir.path().join(&self.below).join(name)
    }

    pub fn place(&self) -> SessionSpec {
        SessionSpec {
            workspace: self.at("workspace"),
            home: self.at("home"),
            assets: None,
            environment: None,
            installation: Some(self.dir.path().join("installation")),
            system: self.system.clone(),
            hide: Vec::new(),
            stdout: self.at("stdout"),
            stderr: self.at("stderr"),
            port: PORT,
            scratch: 1 << 30,
        }
    }

    pub fn job(&self, argv: &[&str]) -> SessionJob {
        let argv = argv.iter().chain(&[self.mark.as_str()]).map(ToString::to_string).collect();
        SessionJob::new(argv, Duration::from_secs(20))
    }

    pub fn run(&self, job: &SessionJob) -> JobEnd {
        let (session, _listener) = Session::open(&self.place()).unwrap();
        let worked = session.run(job).unwrap();
        assert_eq!(marked(&self.mark), Vec::<u32>::new(), "left behind");
        worked
    }

    pub fn printed(&self) -> String {
        fs::read_to_string(self.at("stdout")).unwrap().trim_end().to_owned()
    }

    /// Puts all of it on a small disk of its own, if that can be mounted here.
    pub fn on_a_disk_of(&mut self, bytes: u64) -> Option<Disk> {
        let at = self.dir.path().join("disk");
        fs::create_dir(&at).unwrap();
        let options = format!("size={bytes}");
        need(Need::Root, mount(Some("tmpfs"), &at, Some("tmpfs"), MsFlags::empty(), Some(options.as_str())))?;
        self.below = "disk".into();
        for folder in ["workspace", "home"] {
            fs::create_dir(at.join(folder)).unwrap();
        }
        Some(Disk(at))
    }

    /// Runs a program to its good end, and returns what it printed.
    pub fn says(&self, argv: &[&str]) -> String {
        let worked = self.run(&self.job(argv));
        let told = fs::read_to_string(self.at("stderr")).unwrap();
        assert_eq!(worked.end, ProgramEnd::Exited(0), "{told}");
        self.printed()
    }
}
