//! A public type's name stands for one thing in the whole workspace.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use syn::{Item, Type, Visibility};
use walkdir::WalkDir;

/// What each crate has one of by convention, named with its crate wherever two meet.
const ONE_PER_CRATE: &str = "Error";

/// The name of a public type that is defined here. An alias by the name of what it stands for is the same thing.
fn public_type(item: &Item) -> Option<String> {
    let (visibility, name) = match item {
        Item::Struct(item) => (&item.vis, &item.ident),
        Item::Enum(item) => (&item.vis, &item.ident),
        Item::Union(item) => (&item.vis, &item.ident),
        Item::Trait(item) => (&item.vis, &item.ident),
        Item::Type(item) => match &*item.ty {
            Type::Path(target) if target.path.segments.last().unwrap().ident == item.ident => return None,
            _ => (&item.vis, &item.ident),
        },
        _ => return None,
    };
    matches!(visibility, Visibility::Public(_)).then(|| name.to_string())
}

/// The names of all public types among `items`, and in the public modules among them.
fn public_types(items: &[Item]) -> Vec<String> {
    let inside = |item: &Item| match item {
        Item::Mod(module) if matches!(module.vis, Visibility::Public(_)) => {
            module.content.as_ref().map_or(Vec::new(), |(_, items)| public_types(items))
        }
        item => public_type(item).into_iter().collect(),
    };
    items.iter().flat_map(inside).collect()
}

/// Every source file of the workspace's crates, relative to the root.
fn sources(root: &Path) -> Vec<PathBuf> {
    let crates = fs::read_dir(root.join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let folders = crates.chain([root.join("xtask")]).map(|path| path.join("src")).filter(|path| path.is_dir());
    let files =
        folders.flat_map(|folder| WalkDir::new(folder).sort_by_file_name()).map(|entry| entry.unwrap().into_path());
    files.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

#[test]
fn no_two_public_types_share_a_name() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut places: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for path in sources(root) {
        let file = syn::parse_file(&fs::read_to_string(&path).unwrap()).unwrap();
        for name in public_types(&file.items) {
            places.entry(name).or_default().push(path.strip_prefix(root).unwrap().to_owned());
        }
    }
    assert!(places.len() > 100, "only {} public types found", places.len());
    places.retain(|name, places| places.len() > 1 && name != ONE_PER_CRATE);
    assert!(places.is_empty(), "each of these names stands for several types: {places:#?}");
}

#[test]
fn restricted_types_and_aliases_of_the_same_name_are_left_out() {
    let source = "pub struct A; pub(crate) struct B; enum C {} pub type D = other::D<A>; pub type E = other::F; \
                  pub mod inner { pub trait G {} } mod tests { pub struct H; }";
    assert_eq!(public_types(&syn::parse_file(source).unwrap().items), ["A", "E", "G"]);
}
