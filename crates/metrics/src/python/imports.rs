//! Which measured files a Python file imports.
//!
//! Every `import` and `from` statement counts, wherever it stands, those below `if TYPE_CHECKING:` and in functions too.
//! An import leads to the module that it names: `from a import b` to `a.b` if that is a measured file, and to `a` if not;
//! the packages around a module, whose `__init__.py` Python runs first, are not counted as imported with it.
//!
//! A relative import starts at the file's folder. An absolute one is looked up below the folder that holds the file's
//! outermost package (for a file in none, its own folder), below the `src` in there, and then in the same way in each
//! folder further up to the measured root, or, where [`crate::Roots::named_by_folders`] asks for it, to the folder that
//! holds the root's outermost package; the first hit counts. What is not found is not measured: the standard library,
//! other packages, compiled modules. Changes of `sys.path` and imports by name (`importlib`) are not followed.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;

use ruff_python_ast::{AnyNodeRef, StmtImport, StmtImportFrom};
use serde::{Deserialize, Serialize};

use super::{Program, nodes};

/// One imported name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Import {
    /// How many dots stand before the module.
    pub level: u32,
    /// The module, such as `a.b`; empty in `from . import c`.
    pub module: String,
    /// What is taken from the module; it may be a module itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl Program {
    /// Everything that the program imports, in no order.
    pub(crate) fn imports(&self) -> Vec<Import> {
        let mut found = Vec::new();
        let mut open: Vec<_> = nodes::of_suite(self.body()).collect();
        while let Some(node) = open.pop() {
            match node {
                AnyNodeRef::StmtImport(import) => found.extend(plain(import)),
                AnyNodeRef::StmtImportFrom(import) => found.extend(from(import)),
                _ => nodes::for_each_child(node, |child| {
                    if nodes::may_hold_statements(child) {
                        open.push(child);
                    }
                }),
            }
        }
        found
    }
}

fn plain(import: &StmtImport) -> impl Iterator<Item = Import> {
    import.names.iter().map(|alias| Import { level: 0, module: alias.name.to_string(), name: None })
}

fn from(import: &StmtImportFrom) -> impl Iterator<Item = Import> {
    let module = import.module.as_ref().map(ToString::to_string).unwrap_or_default();
    import.names.iter().map(move |alias| {
        let name = Some(alias.name.to_string()).filter(|name| name != "*");
        Import { level: import.level, module: module.clone(), name }
    })
}

/// The packages that a folder lies in, itself included if it is one, from the outermost: `a/b` for the folder of `a.b`.
///
/// Where the measured root is such a folder, absolute imports name what lies outside of it.
pub(crate) fn outer_packages(root: &Path) -> String {
    let root = root.canonicalize().unwrap_or_default();
    let packages = root.ancestors().take_while(|folder| folder.join("__init__.py").is_file());
    let names: Option<Vec<_>> = packages.map(|folder| folder.file_name()?.to_str()).collect();
    names.unwrap_or_default().into_iter().rev().collect::<Vec<_>>().join("/")
}

/// The edges between modules, by index: each is given by its path and what it imports. The paths are those below the
/// folder that holds the [`outer_packages`].
pub(crate) fn edges(outer: &str, files: &[(String, Vec<Import>)]) -> BTreeSet<(u32, u32)> {
    let paths: Vec<_> = files.iter().map(|(path, _)| join(outer, path)).collect();
    let modules = Modules::new(&paths);
    let mut edges = BTreeSet::new();
    for (from, (path, (_, imports))) in (0..).zip(paths.iter().zip(files)) {
        let roots = modules.roots(path);
        let targets = imports.iter().filter_map(|import| modules.find(path, &roots, import));
        edges.extend(targets.filter(|&to| to != from).map(|to| (from, to)));
    }
    edges
}

/// Where the measured modules are.
pub(crate) struct Modules<'a> {
    /// By path without `.py`; a package also by the path of its folder.
    by_path: HashMap<&'a str, u32>,
    /// The folders with an `__init__.py`.
    packages: HashSet<&'a str>,
    /// The names of all files and folders, without `.py`. Most imports name something else.
    names: HashSet<&'a str>,
}

impl<'a> Modules<'a> {
    pub(crate) fn new(paths: &'a [String]) -> Self {
        let mut modules = Modules { by_path: HashMap::new(), packages: HashSet::new(), names: HashSet::new() };
        for (index, path) in (0..).zip(paths) {
            let stem = path.strip_suffix(".py").unwrap_or(path);
            modules.names.extend(stem.split('/'));
            modules.by_path.entry(stem).or_insert(index);
            if let Some(folder) = package(stem) {
                // Where a module and a package have one name, Python takes the package.
                modules.by_path.insert(folder, index);
                modules.packages.insert(folder);
            }
        }
        modules
    }

    /// The folders below which absolute imports of the file are looked up.
    pub(crate) fn roots(&self, path: &str) -> Vec<String> {
        let around = folders(path).skip_while(|folder| self.packages.contains(folder));
        around.flat_map(|folder| [folder.to_owned(), join(folder, "src")]).collect()
    }

    /// The module at a path without `.py`; a package's is that of its folder, too.
    pub(crate) fn index(&self, path: &str) -> Option<usize> {
        self.by_path.get(path).map(|&index| index as usize)
    }

    fn find(&self, path: &str, roots: &[String], import: &Import) -> Option<u32> {
        let module = import.module.replace('.', "/");
        if import.level > 0 {
            let base = folders(path).nth(import.level as usize - 1)?;
            return self.below(base, &module, import.name.as_deref());
        }
        if !module.split('/').all(|name| self.names.contains(name)) {
            return None;
        }
        roots.iter().find_map(|root| self.below(root, &module, import.name.as_deref()))
    }

    fn below(&self, folder: &str, module: &str, name: Option<&str>) -> Option<u32> {
        let module = join(folder, module);
        let submodule = name.and_then(|name| self.by_path.get(&*join(&module, name)));
        submodule.or_else(|| self.by_path.get(&*module)).copied()
    }
}

/// The folder of a package, if this is its `__init__`.
fn package(stem: &str) -> Option<&str> {
    let folder = stem.strip_suffix("__init__")?;
    if folder.is_empty() { Some(folder) } else { folder.strip_suffix('/') }
}

/// The folders around a path, from the innermost to the root, which is empty.
pub(crate) fn folders(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |path| folder(path)).skip(1)
}

fn folder(path: &str) -> Option<&str> {
    (!path.is_empty()).then(|| path.rsplit_once('/').map_or("", |(folder, _)| folder))
}

pub(crate) fn join(folder: &str, name: &str) -> String {
    match (folder, name) {
        ("", alone) | (alone, "") => alone.to_owned(),
        _ => format!("{folder}/{name}"),
    }
}
