//! From a solution's sources to what is run, in a sandbox's session without a network.
//!
//! The session has a copy of the snapshot as its workspace. Of what it leaves, the product alone is kept, and put into another
//! copy: whatever else a build does to its folder is gone with it. That copy is what cases are played against.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use slopbench_sandbox::snapshot::{CopyRules, Snapshot, SnapshotError};
use slopbench_sandbox::{Limit, Limits, ProgramEnd};

use crate::Error;
use crate::room::{Room, RoomEnd, RoomJob, ScratchFolder};

/// The most lines and characters that are told of what a compiler said.
const SAID: (usize, usize) = (8, 1000);

/// How solutions of a problem are built.
#[derive(Clone, Debug)]
pub struct BuildPlan {
    /// The command, in the solution's folder.
    pub command: Vec<String>,
    /// Beside the sandbox's own environment, and stronger than it.
    pub env: BTreeMap<String, String>,
    /// What is removed before, relative to the folder.
    pub replaces: PathBuf,
    /// What is kept, relative to the folder.
    pub product: PathBuf,
    /// What to do where it is not there.
    pub product_hint: String,
    /// What it may take.
    pub limits: Limits,
}

/// A solution that is built.
#[derive(Debug)]
pub struct BuiltSolution(ScratchFolder);

/// What became of a solution's sources.
#[derive(Debug)]
pub enum Compilation {
    /// They are built.
    Built(BuiltSolution),
    /// They cannot be: what was said first.
    Refused {
        /// In a few lines, the same wherever the toolchain is.
        reason: String,
        /// Whether the clock decided, not what the build did.
        by_clock: bool,
    },
}

impl BuiltSolution {
    pub(crate) fn new(folder: ScratchFolder) -> Self {
        Self(folder)
    }

    /// The solution as it is written, with what was built. Gone when this is.
    pub fn path(&self) -> PathBuf {
        self.0.path().join(TREE)
    }
}

const TREE: &str = "tree";

/// Why there is nothing to run.
enum Halt {
    Refused(String, bool),
    Failed(Error),
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

fn refused<T>(reason: impl Into<String>) -> Result<T, Halt> {
    Err(Halt::Refused(reason.into(), false))
}

/// Builds the solution in `tree`.
pub(crate) fn compile(room: &Room<'_>, tree: &Path, plan: &BuildPlan) -> Result<Compilation, Error> {
    match build(room, tree, plan) {
        Ok(built) => Ok(Compilation::Built(built)),
        Err(Halt::Refused(reason, by_clock)) => Ok(Compilation::Refused { reason, by_clock }),
        Err(Halt::Failed(error)) => Err(error),
    }
}

fn build(room: &Room<'_>, tree: &Path, plan: &BuildPlan) -> Result<BuiltSolution, Halt> {
    let folder = room.folder()?;
    copy(tree, &folder.path().join("workspace"), plan)?;
    let job = RoomJob { argv: plan.command.clone(), env: plan.env.clone(), limits: Some(plan.limits), packages: None };
    let ended = room.carry_out(folder, None, job)?;
    judge(&ended, plan)?;
    let (workspace, left) = (ended.folder.path().join("workspace"), ended.folder.path().join("left"));
    // No link that a build leaves is followed.
    snapshot(&workspace, &left)?;
    let product = plain(&left, &plan.product).ok_or_else(|| {
        let (product, hint) = (plan.product.display(), &plan.product_hint);
        Halt::Refused(format!("its build ends well and leaves no `{product}`: {hint}"), false)
    })?;
    let done = BuiltSolution::new(room.folder()?);
    let whole = done.path();
    copy(tree, &whole, plan)?;
    let place = whole.join(&plan.product);
    let parent = place.parent().unwrap_or(&whole);
    fs::create_dir_all(parent).map_err(Error::io(parent))?;
    fs::rename(&product, &place).map_err(Error::io(&place))?;
    Ok(done)
}

/// The solution as it is written, without what its build makes.
fn copy(tree: &Path, to: &Path, plan: &BuildPlan) -> Result<(), Halt> {
    snapshot(tree, to)?;
    let made = to.join(&plan.replaces);
    slopbench_walk::remove(&made).map_err(Error::io(&made))?;
    Ok(())
}

fn snapshot(from: &Path, to: &Path) -> Result<(), Halt> {
    match Snapshot::take(from, to, &CopyRules::default()) {
        Ok(_) => Ok(()),
        Err(SnapshotError::TooMuch { most, what, .. }) => refused(format!("it holds more than {most} {what}")),
        Err(SnapshotError::Io { path, source }) => Err(Error::Io { path, source }.into()),
    }
}

/// A file or folder below `folder`, on whose way there is no link.
fn plain(folder: &Path, path: &Path) -> Option<PathBuf> {
    let mut place = folder.to_owned();
    for part in path.components() {
        place.push(part);
        let kind = fs::symlink_metadata(&place).ok()?.file_type();
        if kind.is_symlink() {
            return None;
        }
    }
    Some(place)
}

/// Whether it is built, and whose fault it is if not.
fn judge(ended: &RoomEnd, plan: &BuildPlan) -> Result<(), Halt> {
    let said = first_lines(&ended.stderr, &ended.stdout);
    match ended.end {
        ProgramEnd::Exited(0) => Ok(()),
        // Where the machine's disk is full, the session fails by itself.
        ProgramEnd::Exited(code) => refused(match said.is_empty() {
            true => format!("`{}` ends with {code} and says nothing", plan.command.join(" ")),
            false => said,
        }),
        ProgramEnd::Signalled(signal) => {
            let name = slopbench_sandbox::signal_name(signal);
            refused(format!("its build was ended by {name}{}", beside(&said)))
        }
        ProgramEnd::Limit(limit) => {
            let reason = format!("its build takes more than {}{}", most(limit, &plan.limits), beside(&said));
            Err(Halt::Refused(reason, limit == Limit::Wall))
        }
        ProgramEnd::Stopped => Err(Error::Build("its session was stopped".to_owned()).into()),
    }
}

fn beside(said: &str) -> String {
    if said.is_empty() { String::new() } else { format!("; it said: {said}") }
}

/// A limit with its amount.
pub(crate) fn most(limit: Limit, limits: &Limits) -> String {
    let mebibytes = |bytes: u64| format!("{} MiB of", bytes >> 20);
    let amount = match limit {
        Limit::Wall => format!("{} seconds of", limits.wall.as_secs()),
        Limit::Cpu => format!("{} seconds of", limits.cpu.as_secs()),
        Limit::Memory => mebibytes(limits.memory),
        Limit::Processes => limits.processes.to_string(),
        Limit::FileSize => mebibytes(limits.file_size),
        Limit::Output => mebibytes(limits.output),
        Limit::Disk => mebibytes(limits.disk),
    };
    format!("{amount} {limit}")
}

/// What was said first on standard error, or else on standard output.
fn first_lines(stderr: &str, stdout: &str) -> String {
    let text = if stderr.trim().is_empty() { stdout } else { stderr };
    let lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty());
    let lines: Vec<_> = lines.take(SAID.0).collect();
    lines.join("\n").chars().take(SAID.1).collect()
}

/// The first line that a toolchain says of its version.
pub(crate) fn version(room: &Room<'_>, argv: &[&str]) -> Result<String, Error> {
    let words = argv.iter().map(|word| (*word).to_owned()).collect();
    let job = RoomJob { argv: words, env: BTreeMap::new(), limits: None, packages: None };
    let missing = |cause: String| Error::Toolchain { program: argv.join(" "), cause };
    let ended = match room.carry_out(room.folder()?, None, job) {
        Err(Error::Sandbox(slopbench_sandbox::Error::Program { cause, .. })) => return Err(missing(cause)),
        ended => ended?,
    };
    let said = first_lines(&ended.stdout, &ended.stderr);
    match ended.end {
        ProgramEnd::Exited(0) => Ok(said.lines().next().unwrap_or_default().to_owned()),
        end => Err(missing(format!("{end:?}: {said}"))),
    }
}
