//! The versions and digests that a build must come out with.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use slopbench_digest::Sha256;
use slopbench_sandbox::docker::Image;

use crate::{Error, RECIPES};

/// The lock file's text when this crate was built.
const BUILTIN: &str = include_str!("../images.lock");

/// All locked images.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImageLock {
    /// By name.
    #[serde(default)]
    pub image: BTreeMap<String, LockedImage>,
}

/// One locked image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockedImage {
    /// The digest of its OCI manifest: its identity.
    pub manifest: Sha256,
    /// The digests of its layers, the lowest first. They are not compressed, so an engine calls them by the same.
    pub layers: Vec<Sha256>,
    /// Debian's name of the processor that it is for.
    pub architecture: String,
    /// Names and versions of all its packages.
    pub packages: BTreeMap<String, String>,
}

impl ImageLock {
    /// The lock that this binary was built with.
    ///
    /// # Errors
    ///
    /// [`Error::Lock`].
    pub fn builtin() -> Result<Self, Error> {
        Self::parse(BUILTIN, "crates/images/images.lock")
    }

    /// The lock in a file.
    ///
    /// # Errors
    ///
    /// [`Error::Lock`], [`Error::File`].
    pub fn load(path: &Path) -> Result<Self, Error> {
        Self::parse(&fs::read_to_string(path).map_err(Error::file(path))?, &path.display().to_string())
    }

    fn parse(text: &str, path: &str) -> Result<Self, Error> {
        toml::from_str(text).map_err(|error| Error::Lock { path: path.to_owned(), cause: error.to_string() })
    }

    /// Writes the lock to a file.
    ///
    /// # Errors
    ///
    /// [`Error::Lock`], [`Error::File`].
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        let no = |error: toml::ser::Error| Error::Lock { path: path.display().to_string(), cause: error.to_string() };
        let text = format!("# Written by `cargo xtask images --update`.\n\n{}", toml::to_string(self).map_err(no)?);
        fs::write(path, text).map_err(Error::file(path))
    }

    /// One image.
    ///
    /// # Errors
    ///
    /// [`Error::Unknown`] if no image has this name, [`Error::NotBuilt`] if the lock lacks it.
    pub fn get(&self, name: &str) -> Result<&LockedImage, Error> {
        match self.image.get(name) {
            Some(locked) => Ok(locked),
            None if RECIPES.iter().any(|recipe| recipe.name == name) => Err(Error::NotBuilt(name.to_owned())),
            None => Err(Error::unknown(name)),
        }
    }
}

impl LockedImage {
    /// The image as an engine knows it once it is loaded. The name tells images from different locks apart.
    pub fn reference(&self, name: &str) -> Image {
        let short = self.manifest.short();
        Image { name: format!("slopbench/{name}:{short}"), layers: self.layers.iter().map(Sha256::to_string).collect() }
    }

    /// Says what differs in an image that was built: its packages, or if they are the same, its bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Packages`], [`Error::Digest`].
    pub fn compare(&self, name: &str, built: &Self) -> Result<(), Error> {
        let image = name.to_owned();
        let packages = differences(&self.packages, &built.packages);
        if !packages.is_empty() {
            return Err(Error::Packages { image, packages });
        }
        let pairs = self.layers.iter().zip(&built.layers).find(|(expected, built)| expected != built);
        match pairs {
            None if self == built => Ok(()),
            None => {
                Err(Error::Digest { image, expected: self.manifest.to_string(), built: built.manifest.to_string() })
            }
            Some((expected, built)) => {
                Err(Error::Digest { image, expected: expected.to_string(), built: built.to_string() })
            }
        }
    }
}

fn differences(locked: &BTreeMap<String, String>, built: &BTreeMap<String, String>) -> Vec<String> {
    let names: BTreeSet<_> = locked.keys().chain(built.keys()).collect();
    let differ = names.into_iter().filter(|name| locked.get(*name) != built.get(*name));
    let version = |version: Option<&String>| version.map_or("absent", String::as_str).to_owned();
    differ
        .map(|name| format!("  {name}: locked {}, found {}", version(locked.get(name)), version(built.get(name))))
        .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    fn locked(packages: &[(&str, &str)], layer: &[u8]) -> LockedImage {
        let packages = packages.iter().map(|(name, version)| ((*name).into(), (*version).into())).collect();
        let digest = Sha256::of(layer);
        LockedImage { manifest: digest, layers: vec![digest], architecture: "amd64".into(), packages }
    }

    #[test]
    fn the_packages_that_moved_on_are_named() {
        let lock = locked(&[("bash", "5.2-1"), ("gone", "1"), ("same", "1")], b"old");
        let built = locked(&[("bash", "5.2-2"), ("new", "2"), ("same", "1")], b"new");
        let said = lock.compare("python", &built).unwrap_err().to_string();
        let expected =
            "  bash: locked 5.2-1, found 5.2-2\n  gone: locked 1, found absent\n  new: locked absent, found 2\n";
        assert!(said.contains(expected) && said.contains("--update"), "{said}");
    }

    #[test]
    fn other_bytes_from_the_same_packages_are_another_error() {
        let packages = [("bash", "5.2-1")];
        let error = locked(&packages, b"old").compare("python", &locked(&packages, b"new")).unwrap_err();
        assert!(matches!(error, Error::Digest { .. }), "{error}");
        locked(&packages, b"old").compare("python", &locked(&packages, b"old")).unwrap();
    }

    #[test]
    fn the_lock_holds_every_image() {
        let lock = ImageLock::builtin().unwrap();
        assert_eq!(lock.image.len(), RECIPES.len());
        for recipe in &RECIPES {
            assert_eq!(lock.get(recipe.name).unwrap().layers.len(), recipe.chain().len());
        }
        assert!(lock.get("windows").unwrap_err().to_string().contains("python, build"));
    }
}
