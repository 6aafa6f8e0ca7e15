//! Why there is no image.

use std::io;
use std::path::{Path, PathBuf};

use crate::RECIPES;

/// Why an image was not built, or not loaded.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A program that builds images did not.
    #[error("{program}: {cause}; {advice}")]
    Program {
        /// The program.
        program: String,
        /// What it said.
        cause: String,
        /// What to do.
        advice: String,
    },
    /// A file could not be read or written.
    #[error("{}: {source}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// What mmdebstrap made holds something that no image can.
    #[error("the installed system holds {what}; expected files, folders, links and devices with names in UTF-8")]
    Tree {
        /// What it is.
        what: String,
    },
    /// The lock file is none.
    #[error("{path}: {cause}; restore it from version control, or write it anew with `cargo xtask images --update`")]
    Lock {
        /// The lock file.
        path: String,
        /// What is wrong.
        cause: String,
    },
    /// There is no such image.
    #[error("there is no image `{name}`; expected one of {known}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// The archive of packages has moved on.
    #[error(
        "image `{image}`: the archive's packages are not the locked ones:\n{}\nTo accept them, run `cargo xtask images --update` \
         and commit the lock",
        .packages.join("\n")
    )]
    Packages {
        /// The image.
        image: String,
        /// A line per package: its name, and both versions.
        packages: Vec<String>,
    },
    /// The same packages made other bytes.
    #[error(
        "image `{image}`: expected the layer {expected}, built {built} from the same packages; the build is not \
         reproducible here, or the recipe has changed: then run `cargo xtask images --update`"
    )]
    Digest {
        /// The image.
        image: String,
        /// The locked digest.
        expected: String,
        /// The built one.
        built: String,
    },
    /// The image was not built yet.
    #[error("image `{0}` is not built, or not from the lock's packages; run `cargo xtask images {0}`")]
    NotBuilt(String),
    /// Unpacking would replace something else.
    #[error("{} holds something that is no unpacked image; name an empty folder, or one that is not there", .0.display())]
    Foreign(PathBuf),
    /// The engine did not take it.
    #[error(transparent)]
    Engine(#[from] slopbench_sandbox::Error),
}

impl Error {
    /// The same for each kind of access to a file.
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File { path, source }
    }

    /// No image has this name.
    pub(crate) fn unknown(name: &str) -> Self {
        let known = RECIPES.iter().map(|recipe| recipe.name).collect::<Vec<_>>().join(", ");
        Self::Unknown { name: name.to_owned(), known }
    }
}
