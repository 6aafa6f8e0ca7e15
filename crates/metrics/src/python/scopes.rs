//! Which names a program binds where, and what each stands for.

use std::collections::{HashMap, HashSet};

/// What an import statement gives a name to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ImportTarget {
    /// A module by its full name: `a` in `import a.b`, `a.b` in `import a.b as c`.
    Module(String),
    /// What is called `name` in a module, be it a module itself: `from ..a import name`.
    Member {
        /// How many dots stand before the module.
        level: u32,
        /// The module; empty in `from . import name`.
        module: String,
        /// What is taken from it.
        name: String,
    },
}

/// A namespace: that of the module, a function, a class, a comprehension.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    parent: Option<usize>,
    is_class: bool,
    /// By name, every import that binds it; none for what is bound otherwise.
    bound: HashMap<String, Vec<ImportTarget>>,
    globals: HashSet<String>,
}

/// The namespaces of a program; the first is the module's.
#[derive(Debug)]
pub(crate) struct Scopes(Vec<Scope>);

/// The module's own namespace.
pub(crate) const MODULE: usize = 0;

impl Default for Scopes {
    fn default() -> Self {
        Self(vec![Scope::default()])
    }
}

impl Scopes {
    /// A new namespace in `parent`.
    pub(super) fn open(&mut self, parent: usize, is_class: bool) -> usize {
        self.0.push(Scope { parent: Some(parent), is_class, ..Scope::default() });
        self.0.len() - 1
    }

    /// Gives `name` something to stand for; nothing that is known unless an import says so. Gives the namespace that has it.
    pub(super) fn bind(&mut self, scope: usize, name: &str, target: Option<ImportTarget>) -> usize {
        let scope = if self.0[scope].globals.contains(name) { MODULE } else { scope };
        self.0[scope].bound.entry(name.to_owned()).or_default().extend(target);
        scope
    }

    /// Has `name` be the module's in `scope`.
    pub(super) fn declare_global(&mut self, scope: usize, name: &str) {
        self.0[scope].globals.insert(name.to_owned());
    }

    /// What the module's own `name` stands for; `None` if it has no such name.
    pub(crate) fn of_module(&self, name: &str) -> Option<&[ImportTarget]> {
        self.0[MODULE].bound.get(name).map(Vec::as_slice)
    }

    /// What `name` stands for where it is read in `scope`; `None` if no namespace around has it. A class's is not seen from the
    /// functions in it.
    pub(crate) fn find(&self, scope: usize, name: &str) -> Option<&[ImportTarget]> {
        let mut at = Some(scope);
        while let Some(index) = at {
            let here = &self.0[index];
            if here.globals.contains(name) {
                return self.of_module(name);
            }
            let is_seen = index == scope || !here.is_class;
            if let Some(found) = here.bound.get(name).filter(|_| is_seen) {
                return Some(found);
            }
            at = here.parent;
        }
        None
    }
}
