//! Whether what was written is used: the dependency integration ratio (the SLUMP study, section 4.1).
//!
//! DIR = |E_used| / |E_total|
//!
//! E_total are the public symbols of standalone modules: functions, classes and assigned names of a module's namespace
//! without a leading underscore; where `__all__` lists names, those of them that the module defines. A *standalone module* is
//! any Python file but tests (below `tests` or `test`, `test_*.py`, `*_test.py`, `conftest.py`), packages (`__init__.py`) and
//! entry scripts (`__main__.py`, `setup.py`, and what has a main guard and is imported by nothing but tests).
//!
//! E_used are those that another module, which is no test, refers to: it imports the symbol by name, or reads it as an
//! attribute of an imported module or through a star import, be it by way of packages that pass it on. A package that
//! imports a symbol only passes it on, which is no use.
//!
//! Names are resolved statically, by scopes, without running anything. What cannot be followed is named in
//! [`Integration::unresolved`]: modules that are imported by name, an `__all__` that is computed, and imports of what is not
//! there. `getattr`, annotations that are strings and changes of `sys.path` are not seen. Nested names count with their class.

mod kind;
mod links;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::measure::{SourceFile, read_sources};
use crate::python::names::ModuleNames;
use crate::python::{PYTHON, Program};
use crate::refusal::SkippedFile;
use crate::roots::Roots;
use crate::source;

pub use kind::ModuleKind;
use links::{Links, Reference, ReferenceKind};

/// How much of what standalone modules offer is used by others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Integration {
    /// E_total: public symbols of standalone modules.
    pub total: u64,
    /// E_used: those of them that another module refers to.
    pub used: u64,
    /// The same where packages that pass a symbol on use it, too.
    pub used_or_passed_on: u64,
    /// The same of calls and decorators alone.
    pub called: u64,
    /// The same of references in modules that entry scripts reach by imports; absent where there is no entry script.
    pub reachable: Option<u64>,
    /// `used / total`; 0 where there is no symbol.
    pub dir: f64,
    /// Every Python module.
    pub modules: Vec<IntegratedModule>,
    /// Public symbols that nothing uses.
    pub unused: Vec<PublicSymbol>,
    /// What could not be followed.
    pub unresolved: Vec<UnresolvedImport>,
    /// Python files that are none.
    pub skipped: Vec<SkippedFile>,
}

/// One module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IntegratedModule {
    /// Path of its file.
    pub path: String,
    /// What it is.
    pub kind: ModuleKind,
    /// Its public symbols, if it is a standalone module.
    pub total: u64,
    /// Those of them that others use.
    pub used: u64,
}

/// A symbol that a module offers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublicSymbol {
    /// Path of the module's file.
    pub path: String,
    /// Where it is defined.
    pub line: u32,
    /// Its name.
    pub name: String,
}

/// Something that leads nobody knows where.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnresolvedImport {
    /// Path of the module's file.
    pub path: String,
    /// Where.
    pub line: u32,
    /// What it says, and why it cannot be followed.
    pub detail: String,
}

impl Integration {
    /// Of the Python files below `root`.
    ///
    /// # Errors
    ///
    /// [`Error::Root`] if there is nothing at `root`.
    pub fn of_folder(root: &Path) -> Result<Self, Error> {
        let (sources, unread) = read_sources(&Roots::one(root)?)?;
        let mut found = Self::of_sources(&sources);
        found.skipped.extend(unread);
        found.skipped.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(found)
    }

    /// Of the Python files among these sources, in whatever order they come.
    pub fn of_sources(sources: &[SourceFile]) -> Self {
        let mut sources: Vec<_> = sources.iter().filter(|(path, _)| path.ends_with(".py")).collect();
        sources.sort();
        let (mut paths, mut names, mut skipped) = (Vec::new(), Vec::new(), Vec::new());
        for (path, bytes) in sources {
            let program = source::decode(bytes.clone(), &PYTHON).and_then(|text| Program::parse(&text));
            match program {
                Ok(program) => {
                    paths.push(path.clone());
                    names.push(program.names());
                }
                Err(refusal) => skipped.push(refusal.of_path(path)),
            }
        }
        let links = Links::new(&paths, &names);
        let kinds = kind::of_modules(&paths, &names, &links);
        Self::new(&paths, &names, &links, &kinds, skipped)
    }

    fn new(
        paths: &[String],
        names: &[ModuleNames],
        links: &Links<'_>,
        kinds: &[ModuleKind],
        skipped: Vec<SkippedFile>,
    ) -> Self {
        let (mut referred, mut unresolved) = (Vec::new(), Vec::new());
        for (from, kind) in kinds.iter().enumerate().filter(|(_, kind)| **kind != ModuleKind::Test) {
            let (references, missing) = links.references(from);
            let of_other = references.into_iter().filter(|reference| reference.module != from);
            referred.extend(of_other.map(|reference| (from, *kind, reference)));
            let opaque = names[from].opaque.iter().cloned();
            let missing = missing.into_iter().chain(opaque);
            unresolved.extend(missing.map(|(line, detail)| UnresolvedImport {
                path: paths[from].clone(),
                line,
                detail,
            }));
        }
        unresolved.sort();
        unresolved.dedup();
        let total = public_symbols(names, kinds);
        let used_by = |counts: &dyn Fn(usize, ModuleKind, &Reference) -> bool| -> BTreeSet<(usize, String)> {
            let counting = referred.iter().filter(|(from, kind, reference)| counts(*from, *kind, reference));
            let symbols = counting.map(|(_, _, reference)| (reference.module, reference.name.clone()));
            symbols.filter(|symbol| total.contains_key(symbol)).collect()
        };
        let is_use = |kind: ModuleKind, of: &Reference| kind != ModuleKind::Package || of.kind != ReferenceKind::Import;
        let used = used_by(&|_, kind, of| is_use(kind, of));
        let reached = kind::reached(kinds, links);
        let reachable = reached.map(|reached| used_by(&|from, kind, of| is_use(kind, of) && reached.contains(&from)));
        let count = |of: &BTreeSet<(usize, String)>, module: usize| of.iter().filter(|(at, _)| *at == module).count();
        let module = |(index, kind): (usize, &ModuleKind)| IntegratedModule {
            path: paths[index].clone(),
            kind: *kind,
            total: total.keys().filter(|(at, _)| *at == index).count() as u64,
            used: count(&used, index) as u64,
        };
        let unused = total.iter().filter(|(symbol, _)| !used.contains(symbol));
        let symbol = |((module, name), line): (&(usize, String), &u32)| PublicSymbol {
            path: paths[*module].clone(),
            line: *line,
            name: name.clone(),
        };
        Self {
            total: total.len() as u64,
            used: used.len() as u64,
            used_or_passed_on: used_by(&|_, _, _| true).len() as u64,
            called: used_by(&|_, _, of| of.kind == ReferenceKind::Call).len() as u64,
            reachable: reachable.map(|reachable| reachable.len() as u64),
            dir: if total.is_empty() { 0.0 } else { used.len() as f64 / total.len() as f64 },
            modules: kinds.iter().enumerate().map(module).collect(),
            unused: unused.map(symbol).collect(),
            unresolved,
            skipped,
        }
    }
}

/// The public symbols of standalone modules, each with its line.
fn public_symbols(names: &[ModuleNames], kinds: &[ModuleKind]) -> BTreeMap<(usize, String), u32> {
    let mut found = BTreeMap::new();
    let standalone = kinds.iter().enumerate().filter(|(_, kind)| **kind == ModuleKind::Standalone);
    for (index, _) in standalone {
        let of = &names[index];
        let is_public = |name: &String| match &of.all {
            Some(all) => all.contains(name),
            None => !name.starts_with('_'),
        };
        let public = of.defined.iter().filter(|(name, _)| is_public(name));
        found.extend(public.map(|(name, line)| ((index, name.clone()), *line)));
    }
    found
}
