//! From names to what they stand for in other modules.

use std::collections::{BTreeSet, HashSet};

use crate::python::imports::{Modules, folders, join};
use crate::python::names::{Load, ModuleNames};
use crate::python::scopes::ImportTarget;

/// All modules of a repository, by index.
pub(super) struct Links<'a> {
    modules: Modules<'a>,
    /// Every folder with modules below it: a package, with an `__init__.py` or without.
    folders: HashSet<&'a str>,
    paths: &'a [String],
    names: &'a [ModuleNames],
}

/// A symbol that a module refers to.
pub(super) struct Reference {
    /// The module that defines it.
    pub(super) module: usize,
    pub(super) name: String,
    pub(super) kind: ReferenceKind,
}

/// How a symbol is referred to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ReferenceKind {
    /// An import takes it.
    Import,
    /// It is read.
    Read,
    /// It is called, or something of it.
    Call,
}

/// What a name may stand for.
enum Entity {
    /// A module, or a folder of modules, by its path without `.py`.
    Module(String),
    /// What a module defines.
    Symbol(usize, String),
    /// Something else: of another package, or a variable.
    Other,
}

/// Where a module is.
enum Located {
    At(String),
    /// It would be in the repository, and is not.
    Missing,
    /// In the standard library, or in another package.
    Elsewhere,
}

/// What could not be followed, by line.
type Unresolved = Vec<(u32, String)>;

/// Names that are being looked up, so that modules that pass names on in circles come to an end.
type Asked = HashSet<(usize, String)>;

impl<'a> Links<'a> {
    pub(super) fn new(paths: &'a [String], names: &'a [ModuleNames]) -> Self {
        let folders = paths.iter().flat_map(|path| folders(path)).filter(|folder| !folder.is_empty()).collect();
        Self { modules: Modules::new(paths), folders, paths, names }
    }

    /// The modules that `from` imports, with the packages around them, whose `__init__.py` is run first.
    pub(super) fn imports(&self, from: usize) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        for import in &self.names[from].imports {
            let Located::At(path) = self.locate(from, import.level, &import.module) else { continue };
            let member = import.name.as_ref().map(|name| join(&path, name));
            let all = folders(&path).chain([path.as_str()]).map(str::to_owned).chain(member);
            found.extend(all.filter_map(|path| self.index(&path)));
        }
        found
    }

    /// What `from` refers to, and what of it cannot be followed.
    pub(super) fn references(&self, from: usize) -> (Vec<Reference>, Unresolved) {
        let (mut found, mut unresolved) = (Vec::new(), Vec::new());
        for import in &self.names[from].imports {
            let dots = ".".repeat(import.level as usize) + &import.module;
            match (self.locate(from, import.level, &import.module), &import.name) {
                (Located::Missing, _) => {
                    unresolved.push((import.line, format!("import of {dots}: there is no such module")))
                }
                (Located::At(path), Some(name)) if name != "*" => {
                    let entities = self.member(&path, name, &mut Asked::new());
                    if entities.is_empty() && !self.may_have(&path, name) {
                        unresolved.push((import.line, format!("import of {name} from {dots}: there is no such name")));
                    }
                    found.extend(entities.into_iter().filter_map(|entity| symbol(entity, ReferenceKind::Import)));
                }
                _ => {}
            }
        }
        for load in &self.names[from].loads {
            self.follow(from, load, &mut found, &mut unresolved);
        }
        (found, unresolved)
    }

    fn follow(&self, from: usize, load: &Load, found: &mut Vec<Reference>, unresolved: &mut Unresolved) {
        let names = &self.names[from];
        let asked = &mut Asked::new();
        let mut entities: Vec<_> = match names.scopes.find(load.scope, &load.name) {
            Some(targets) => targets.iter().flat_map(|target| self.target(from, target, asked)).collect(),
            None => self.starred(from, &load.name, asked),
        };
        let kind = if load.called { ReferenceKind::Call } else { ReferenceKind::Read };
        for attribute in &load.attributes {
            let mut next = Vec::new();
            for entity in entities {
                match entity {
                    Entity::Module(path) => {
                        let members = self.member(&path, attribute, &mut Asked::new());
                        if members.is_empty() && !self.may_have(&path, attribute) {
                            let module = path.replace('/', ".");
                            unresolved.push((load.line, format!("{attribute} of {module}: there is no such name")));
                        }
                        next.extend(members);
                    }
                    other => found.extend(symbol(other, kind)),
                }
            }
            entities = next;
        }
        found.extend(entities.into_iter().filter_map(|entity| symbol(entity, kind)));
    }

    /// What `name` is in the module or folder at `path`; nothing if there is none.
    fn member(&self, path: &str, name: &str, asked: &mut Asked) -> Vec<Entity> {
        let below = join(path, name);
        let submodule = || if self.is_known(&below) { vec![Entity::Module(below.clone())] } else { Vec::new() };
        let Some(index) = self.index(path) else { return submodule() };
        if !asked.insert((index, name.to_owned())) {
            return Vec::new();
        }
        let names = &self.names[index];
        match names.scopes.of_module(name) {
            Some(targets) => {
                let own = names.defined.contains_key(name).then(|| Entity::Symbol(index, name.to_owned()));
                let mut found: Vec<_> = own.into_iter().collect();
                targets.iter().for_each(|target| found.extend(self.target(index, target, asked)));
                // Bound in another way, such as by a loop.
                if found.is_empty() { vec![Entity::Other] } else { found }
            }
            None => {
                let found = self.starred(index, name, asked);
                if found.is_empty() { submodule() } else { found }
            }
        }
    }

    /// What `name` is by the star imports of a module.
    fn starred(&self, from: usize, name: &str, asked: &mut Asked) -> Vec<Entity> {
        let stars = self.names[from].imports.iter().filter(|import| import.name.as_deref() == Some("*"));
        let mut found = Vec::new();
        for star in stars {
            let Located::At(path) = self.locate(from, star.level, &star.module) else { continue };
            let all = self.index(&path).and_then(|index| self.names[index].all.as_ref());
            if all.map_or(!name.starts_with('_'), |all| all.iter().any(|listed| listed == name)) {
                found.extend(self.member(&path, name, asked));
            }
        }
        found
    }

    /// What an import in the module `from` gives a name to.
    fn target(&self, from: usize, target: &ImportTarget, asked: &mut Asked) -> Vec<Entity> {
        match target {
            ImportTarget::Module(name) => match self.locate(from, 0, name) {
                Located::At(path) => vec![Entity::Module(path)],
                Located::Missing | Located::Elsewhere => vec![Entity::Other],
            },
            ImportTarget::Member { level, module, name } => match self.locate(from, *level, module) {
                Located::At(path) => self.member(&path, name, asked),
                Located::Missing | Located::Elsewhere => vec![Entity::Other],
            },
        }
    }

    /// Where the module is that `from` names with so many dots before it.
    fn locate(&self, from: usize, level: u32, dotted: &str) -> Located {
        let (path, module) = (self.paths[from].as_str(), dotted.replace('.', "/"));
        if level > 0 {
            let below = folders(path).nth(level as usize - 1).map(|folder| join(folder, &module));
            // The folder of all modules is no package, but a module in it may be named from there.
            let is_there = |path: &String| path.is_empty() || self.is_known(path);
            return below.filter(is_there).map_or(Located::Missing, Located::At);
        }
        let roots = self.modules.roots(path);
        if let Some(found) = roots.iter().map(|root| join(root, &module)).find(|path| self.is_known(path)) {
            return Located::At(found);
        }
        let first = module.split('/').next().unwrap_or_default();
        match roots.iter().any(|root| self.is_known(&join(root, first))) {
            true => Located::Missing,
            false => Located::Elsewhere,
        }
    }

    fn is_known(&self, path: &str) -> bool {
        self.index(path).is_some() || self.folders.contains(path)
    }

    fn index(&self, path: &str) -> Option<usize> {
        self.modules.index(path)
    }

    /// Whether a module may have a name that nothing in it gives: those that every module has, and those that are made when they
    /// are asked for.
    fn may_have(&self, path: &str, name: &str) -> bool {
        let makes = |index: usize| self.names[index].scopes.of_module("__getattr__").is_some();
        (name.starts_with("__") && name.ends_with("__")) || self.index(path).is_some_and(makes)
    }
}

fn symbol(entity: Entity, kind: ReferenceKind) -> Option<Reference> {
    match entity {
        Entity::Symbol(module, name) => Some(Reference { module, name, kind }),
        Entity::Module(_) | Entity::Other => None,
    }
}
