//! What a module is there for.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::links::Links;
use crate::python::names::ModuleNames;

/// What a module is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModuleKind {
    /// To be used by others: its public symbols count.
    Standalone,
    /// A package's `__init__.py`.
    Package,
    /// To be run.
    EntryScript,
    /// To test others: what it uses does not count.
    Test,
}

/// Folders of tests.
const TEST_FOLDERS: &[&str] = &["test", "tests"];
/// Files that are run by name, main guard or not.
const ENTRY_FILES: &[&str] = &["__main__.py", "setup.py"];

/// What each module is.
pub(super) fn of_modules(paths: &[String], names: &[ModuleNames], links: &Links<'_>) -> Vec<ModuleKind> {
    let is_tested: Vec<_> = paths.iter().map(|path| is_test(path)).collect();
    let importers = (0..paths.len()).filter(|from| !is_tested[*from]);
    let imported: BTreeSet<usize> =
        importers.flat_map(|from| links.imports(from).into_iter().filter(move |to| *to != from)).collect();
    let kind = |(index, path): (usize, &String)| match file_name(path) {
        _ if is_tested[index] => ModuleKind::Test,
        "__init__.py" => ModuleKind::Package,
        file if ENTRY_FILES.contains(&file) => ModuleKind::EntryScript,
        _ if names[index].has_main_guard && !imported.contains(&index) => ModuleKind::EntryScript,
        _ => ModuleKind::Standalone,
    };
    paths.iter().enumerate().map(kind).collect()
}

/// The modules that entry scripts import, directly or not, and themselves; `None` where there are no entry scripts.
pub(super) fn reached(kinds: &[ModuleKind], links: &Links<'_>) -> Option<BTreeSet<usize>> {
    let entries = kinds.iter().enumerate().filter(|(_, kind)| **kind == ModuleKind::EntryScript);
    let mut open: Vec<_> = entries.map(|(index, _)| index).collect();
    if open.is_empty() {
        return None;
    }
    let mut reached: BTreeSet<_> = open.iter().copied().collect();
    while let Some(module) = open.pop() {
        open.extend(links.imports(module).into_iter().filter(|to| reached.insert(*to)));
    }
    Some(reached)
}

fn is_test(path: &str) -> bool {
    let file = file_name(path);
    let stem = file.strip_suffix(".py").unwrap_or(file);
    stem.starts_with("test_")
        || stem.ends_with("_test")
        || stem == "conftest"
        || path.split('/').rev().skip(1).any(|folder| TEST_FOLDERS.contains(&folder))
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
