//! Where a guard's state, its project and what a user names are.

use std::{
    fs,
    io::{self, IsTerminal},
    path::{Path, PathBuf},
};

use slopbench_guard::{Guard, SourceTree};

use crate::{
    Failure,
    args::{GuardCodeArgs, GuardPlaceArgs},
    output::{print, warn, write},
};

/// Where the state is.
pub(super) fn state(place: &GuardPlaceArgs) -> PathBuf {
    place.state.clone().unwrap_or_else(|| place.project.join(".projectguard"))
}

pub(super) fn open(place: &GuardPlaceArgs) -> Result<Guard, Failure> {
    let guard = Guard::open(&state(place))?;
    guard.semantic().dangling().iter().for_each(|message| warn(message));
    for (one, other) in guard.semantic().conflicts() {
        warn(&format!("`{one}` and `{other}` hold and conflict: edit or retire one of the two"));
    }
    Ok(guard)
}

/// The same with the code as it is now, which people may have changed since the last update.
pub(super) fn open_with_code(place: &GuardPlaceArgs, code: &GuardCodeArgs) -> Result<Guard, Failure> {
    let mut guard = open(place)?;
    guard.look_at(&tree(place, code))?;
    Ok(guard)
}

/// What code is read.
pub(super) fn tree(place: &GuardPlaceArgs, code: &GuardCodeArgs) -> SourceTree {
    match &code.revision {
        Some(revision) => SourceTree::Revision { repository: place.project.clone(), revision: revision.clone() },
        None => SourceTree::Folder(place.project.clone()),
    }
}

/// A text that the user names.
pub(super) fn read(file: &Path) -> Result<String, Failure> {
    let text = if file == Path::new("-") { io::read_to_string(io::stdin()) } else { fs::read_to_string(file) };
    text.map_err(|error| Failure::configuration(format!("{}: {error}; expected a file of text", file.display())))
}

/// Prints what an agent is told: as it is, unless a terminal shows it.
pub(super) fn tell_agent(text: String) -> Result<(), Failure> {
    if io::stdout().is_terminal() { print(text) } else { write(&text) }
}
