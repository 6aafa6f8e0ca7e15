//! From recipes to images in a layout.

use slopbench_digest::Sha256;

use crate::recipe::Recipe;
use crate::tree::{Package, Tree};
use crate::{Error, Layout, LockedImage, bootstrap, layer};

/// What a build made.
#[derive(Debug)]
pub struct Built {
    /// The image's name.
    pub name: &'static str,
    /// Its digests and packages.
    pub locked: LockedImage,
}

/// Builds images of these names, and those that they stand on, into a layout. Takes half a minute each on an idle
/// machine, most of it mmdebstrap's.
///
/// # Errors
///
/// [`Error::Unknown`], and whatever goes wrong on the way; see [`LockedImage::compare`] for whether it is the locked image.
pub fn build(names: &[String], layout: &Layout) -> Result<Vec<Built>, Error> {
    let mut built: Vec<(Built, Tree, tempfile::TempDir)> = Vec::new();
    for recipe in wanted(names)? {
        let scratch = tempfile::tempdir_in(layout.path()).map_err(Error::file(layout.path()))?;
        let tar = scratch.path().join("system.tar");
        bootstrap::run(recipe, &tar)?;
        let tree = Tree::read(&tar)?;
        let base = recipe.base.and_then(|base| built.iter().find(|(built, ..)| built.name == base));
        let blob = scratch.path().join("layer.tar");
        layer::write(&tree, base.map(|(_, tree, _)| tree), &blob)?;
        let mut layers: Vec<Sha256> = base.map_or_else(Vec::new, |(base, ..)| base.locked.layers.clone());
        layers.push(layout.adopt(&blob)?);
        let packages = tree.packages()?;
        let architecture = architecture(&packages)?;
        let manifest = layout.add(recipe.name, &architecture, &layers)?;
        let packages = packages.into_iter().map(|package| (package.name, package.version)).collect();
        let locked = LockedImage { manifest, layers, architecture, packages };
        built.push((Built { name: recipe.name, locked }, tree, scratch));
    }
    Ok(built.into_iter().map(|(built, ..)| built).collect())
}

/// The recipes of these names and their bases, each once, a base before what stands on it.
fn wanted(names: &[String]) -> Result<Vec<&'static Recipe>, Error> {
    let mut wanted: Vec<&Recipe> = Vec::new();
    for name in names {
        let recipe = Recipe::find(name).ok_or_else(|| Error::unknown(name))?;
        for recipe in recipe.chain() {
            if !wanted.iter().any(|other| other.name == recipe.name) {
                wanted.push(recipe);
            }
        }
    }
    Ok(wanted)
}

/// The processor that a system is for: its package manager's.
fn architecture(packages: &[Package]) -> Result<String, Error> {
    let manager = packages.iter().find(|package| package.name == "dpkg");
    let no = || Error::Tree { what: "no package `dpkg`".into() };
    manager.map(|package| package.architecture.clone()).ok_or_else(no)
}
