//! The modules of each crate depend on each other without circles, but for two files of one folder that share a subject.
//!
//! An edge leads from a file to each file whose items it names, through `use` or a path, re-exports followed to where an item
//! is defined. Tests inside of modules do not count.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use petgraph::{algo::tarjan_scc, graph::DiGraph};
use syn::{
    Attribute, Item, ItemMod, ItemUse, UseTree, Visibility,
    visit::{self, Visit},
};

type Name = Vec<String>;

/// A crate's modules that are files, by their path in the crate.
#[derive(Default)]
struct Modules {
    files: BTreeMap<Name, File>,
}

#[derive(Default)]
struct File {
    path: PathBuf,
    /// What it brings into its scope under a name, and where that comes from.
    imports: BTreeMap<String, Name>,
    /// Every path that it names, as written.
    paths: BTreeSet<Name>,
}

impl Modules {
    fn of(root: &Path) -> Self {
        let mut modules = Self::default();
        modules.read(root, Vec::new());
        modules
    }

    fn read(&mut self, path: &Path, name: Name) {
        let syntax = syn::parse_file(&fs::read_to_string(path).unwrap()).unwrap();
        let mut file = File { path: path.to_owned(), ..File::default() };
        file.visit_file(&syntax);
        let is_root = ["lib.rs", "main.rs", "mod.rs"].iter().any(|root| path.ends_with(root));
        let folder = if is_root { path.parent().unwrap().to_owned() } else { path.with_extension("") };
        for item in &syntax.items {
            let Item::Mod(ItemMod { ident, content: None, attrs, .. }) = item else { continue };
            if !is_test(attrs) {
                let child = [folder.join(format!("{ident}.rs")), folder.join(ident.to_string()).join("mod.rs")];
                let child = child.iter().find(|path| path.is_file()).unwrap();
                self.read(child, [&name[..], &[ident.to_string()]].concat());
            }
        }
        self.files.insert(name, file);
    }

    /// The module that defines what `path` names in the module `from`; nothing if that is of another crate.
    fn definition(&self, from: &Name, path: &Name, depth: usize) -> Option<Name> {
        let (first, rest) = path.split_first()?;
        let mut at = match first.as_str() {
            "crate" => Vec::new(),
            "self" => from.clone(),
            "super" => from[..from.len().checked_sub(1)?].to_vec(),
            _ if self.files.contains_key(&[&from[..], std::slice::from_ref(first)].concat()) => {
                return self.below(from.clone(), path, depth);
            }
            _ => return None,
        };
        let mut rest = rest;
        while rest.first().is_some_and(|part| part == "super") {
            at.pop()?;
            rest = &rest[1..];
        }
        self.below(at, rest, depth)
    }

    fn below(&self, mut at: Name, path: &[String], depth: usize) -> Option<Name> {
        for (index, part) in path.iter().enumerate() {
            let child = [&at[..], std::slice::from_ref(part)].concat();
            if self.files.contains_key(&child) {
                at = child;
                continue;
            }
            let import = self.files.get(&at)?.imports.get(part).filter(|_| depth < 8);
            return match import {
                Some(source) => {
                    let whole = [&source[..], &path[index + 1..]].concat();
                    // What is imported from another crate is defined by whoever imports it, as far as we are concerned.
                    Some(self.definition(&at, &whole, depth + 1).unwrap_or(at))
                }
                None => Some(at),
            };
        }
        Some(at)
    }

    /// Groups of files that depend on each other in a circle.
    fn circles(&self) -> Vec<Vec<PathBuf>> {
        let mut graph = DiGraph::<&Name, ()>::new();
        let nodes: BTreeMap<_, _> = self.files.keys().map(|name| (name, graph.add_node(name))).collect();
        for (from, file) in &self.files {
            for path in file.imports.values().chain(&file.paths) {
                // The crate's root is a list of names: what it defines itself belongs to no other file.
                let target = self.definition(from, path, 0).filter(|target| !target.is_empty() && target != from);
                if let Some(target) = target.filter(|_| !from.is_empty()) {
                    graph.add_edge(nodes[from], nodes[&target], ());
                }
            }
        }
        let circles = tarjan_scc(&graph).into_iter().filter(|circle| circle.len() > 1);
        circles.map(|circle| circle.iter().map(|&file| self.files[graph[file]].path.clone()).collect()).collect()
    }
}

impl File {
    fn import(&mut self, tree: &UseTree, before: &[String]) {
        let with = |name: &dyn ToString| [before, &[name.to_string()]].concat();
        match tree {
            UseTree::Path(path) => self.import(&path.tree, &with(&path.ident)),
            UseTree::Name(name) if name.ident == "self" => {
                drop(self.imports.insert(before.last().unwrap().clone(), before.to_vec()))
            }
            UseTree::Name(name) => drop(self.imports.insert(name.ident.to_string(), with(&name.ident))),
            UseTree::Rename(name) => drop(self.imports.insert(name.rename.to_string(), with(&name.ident))),
            UseTree::Glob(_) => drop(self.paths.insert(before.to_vec())),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(tree, before)),
        }
    }
}

impl<'a> Visit<'a> for File {
    fn visit_item_use(&mut self, item: &'a ItemUse) {
        self.import(&item.tree, &[]);
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let parts: Name = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let is_local = ["crate", "self", "super"].contains(&parts[0].as_str());
        if parts.len() > 1 && is_local {
            self.paths.insert(parts);
        }
        visit::visit_path(self, path);
    }

    /// A restricted visibility names a module and depends on nothing of it.
    fn visit_visibility(&mut self, _: &'a Visibility) {}

    fn visit_item(&mut self, item: &'a Item) {
        let attributes = match item {
            Item::Mod(item) => &item.attrs[..],
            Item::Fn(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            _ => &[],
        };
        if !is_test(attributes) {
            visit::visit_item(self, item);
        }
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    let is = |attribute: &Attribute| {
        attribute.path().is_ident("cfg") && attribute.parse_args::<syn::Ident>().is_ok_and(|what| what == "test")
    };
    attributes.iter().any(is)
}

/// The root module of every crate of the workspace: its library's, or its program's where there is none.
fn roots() -> Vec<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let crates = fs::read_dir(workspace.join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let root = |path: PathBuf| {
        ["src/lib.rs", "src/main.rs"].map(|file| path.join(file)).into_iter().find(|path| path.is_file())
    };
    crates.chain([workspace.join("xtask")]).filter_map(root).collect()
}

#[test]
fn no_circle_is_larger_than_two_files_of_one_folder() {
    let is_small = |circle: &Vec<PathBuf>| {
        // A module and the folder of its children are one.
        let is_parent =
            |parent: &PathBuf| circle.iter().all(|path| path == parent || path.starts_with(parent.with_extension("")));
        let folders: BTreeSet<_> = circle.iter().map(|path| path.with_file_name("")).collect();
        circle.len() <= 2 && (folders.len() == 1 || circle.iter().any(is_parent))
    };
    let mut wrong = String::new();
    for root in roots() {
        let name = root.ancestors().nth(2).and_then(Path::file_name).unwrap().to_string_lossy().into_owned();
        let mut circles = Modules::of(&root).circles();
        circles.retain(|circle| !is_small(circle));
        if !circles.is_empty() {
            wrong += &format!("{name}: modules depend on each other in a circle: {circles:#?}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
