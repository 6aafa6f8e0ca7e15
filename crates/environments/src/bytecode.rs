//! Modules of Python as bytecode, made in a sandbox's session before a solution is started many times.
//!
//! A sandbox shows a solution read-only, so that Python would compile all modules at each start: half of the time of a case, for
//! programs of a few thousand lines. Nothing but time depends on it. Bytecode that a solution brings along is not used, as it is
//! not measured: what is compiled is a copy without it.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use slopbench_sandbox::Limits;
use slopbench_sandbox::snapshot::{CopyRules, Snapshot};
use slopbench_walk::{FileType, Walk, WalkStep};

use crate::compile::BuiltSolution;
use crate::room::{Room, RoomJob};

/// Without a look at the sources' times, which differ from copy to copy.
const COMMAND: [&str; 8] = ["python3", "-I", "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", "."];

/// What takes more is compiled at each start, as without this.
const LIMITS: Limits = Limits {
    wall: Duration::from_secs(60),
    cpu: Duration::from_secs(20),
    memory: 256 << 20,
    processes: 16,
    file_size: 64 << 20,
    disk: 1 << 30,
    output: 1 << 20,
};

/// Sources that are longer than this, in bytes, are no program that somebody wrote, and the compiler would take a hundred times
/// as much memory.
const LONGEST: i64 = 1 << 20;

/// A copy of the solution in `tree` with its modules' bytecode. `None` where it has no modules beside its program, which Python
/// compiles at each start whatever lies beside it, and where no such copy can be made.
pub(crate) fn compile(room: &Room<'_>, tree: &Path) -> Option<BuiltSolution> {
    if !(2..).contains(&modules(tree).ok()??) {
        return None;
    }
    let folder = room.folder().ok()?;
    let workspace = folder.path().join("workspace");
    let copied = Snapshot::take(tree, &workspace, &CopyRules::default()).ok()?;
    if !copied.skipped.count.is_empty() {
        return None;
    }
    let argv = COMMAND.map(str::to_owned).to_vec();
    // In which order the compiler visits sets must not differ from time to time.
    let env = BTreeMap::from([("PYTHONHASHSEED".to_owned(), "0".to_owned())]);
    // However it ends: files with errors of syntax have no bytecode, and each file of it is written whole or not at all.
    let ended = room.carry_out(folder, None, RoomJob { argv, env, limits: Some(LIMITS), packages: None }).ok()?;
    let done = BuiltSolution::new(room.folder().ok()?);
    let rules = CopyRules { whole: true, ..CopyRules::default() };
    Snapshot::take(&ended.folder.path().join("workspace"), &done.path(), &rules).ok()?;
    Some(done)
}

/// How many sources of Python there are. `None` where one is too long.
fn modules(tree: &Path) -> std::io::Result<Option<usize>> {
    let mut walk = Walk::new(slopbench_walk::open(tree)?)?;
    let mut count = 0;
    while let Some(step) = walk.step()? {
        match step {
            WalkStep::Found(FileType::Directory) => walk.enter()?,
            WalkStep::Found(FileType::RegularFile) if walk.name().to_bytes().ends_with(b".py") => {
                if walk.status()?.st_size > LONGEST {
                    return Ok(None);
                }
                count += 1;
            }
            _ => {}
        }
    }
    Ok(Some(count))
}
