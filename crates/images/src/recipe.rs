//! What is in each image.

/// One image: packages on top of another image, or of a minimal Debian.
#[derive(Debug)]
pub struct Recipe {
    /// The image's name.
    pub name: &'static str,
    /// The image below; each image is a layer more.
    pub base: Option<&'static str>,
    /// Debian packages; what they depend on comes by itself, what they recommend does not.
    pub packages: &'static [&'static str],
}

/// All images, a base before what stands on it.
pub const RECIPES: [Recipe; 6] = [
    Recipe { name: "python", base: None, packages: &["python3", "python3-pip", "python3-venv"] },
    Recipe { name: "build", base: Some("python"), packages: &["gcc", "git", "libc6-dev", "make"] },
    Recipe { name: "go", base: Some("build"), packages: &["golang-go"] },
    Recipe { name: "java", base: Some("build"), packages: &["default-jdk-headless"] },
    Recipe { name: "node", base: Some("build"), packages: &["nodejs", "npm"] },
    Recipe { name: "rust", base: Some("build"), packages: &["cargo", "rustc"] },
];

/// The Debian release that packages come from.
pub(crate) const SUITE: &str = "bookworm";

/// Where packages come from. Their signatures are checked against the keys that the machine's Debian trusts.
pub(crate) const MIRROR: &str = "http://deb.debian.org/debian";

/// The time of everything in an image, in seconds since 1970, and what SOURCE_DATE_EPOCH is while it is built.
///
/// 2023-06-10, the release of [`SUITE`]. Any number would do; zero makes some programs believe that a file is missing.
pub(crate) const TIME: u64 = 1_686_355_200;

impl Recipe {
    /// The recipe of this name.
    pub fn find(name: &str) -> Option<&'static Self> {
        RECIPES.iter().find(|recipe| recipe.name == name)
    }

    /// This recipe and all below it, the lowest first.
    pub fn chain(&self) -> Vec<&Self> {
        let mut chain = self.base.and_then(Self::find).map_or_else(Vec::new, Self::chain);
        chain.push(self);
        chain
    }
}
