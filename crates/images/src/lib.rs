//! What sandboxes are made of: images from Debian packages, the same to the bit wherever they are built.
//!
//! A [`Recipe`] names packages. `bootstrap` has mmdebstrap install them, [`Tree`] reads what came out and leaves out
//! what differs from build to build, and `layer` writes the rest as a tar file whose bytes depend on nothing else: sorted
//! entries, one time, owners and modes as installed. [`Layout`] keeps layers, configurations and manifests as an OCI
//! image layout, and turns an image into the archive that `docker load` takes. A [`ImageLock`] holds the versions and
//! digests that must come out.
//!
//! Start reading at [`build`](build()).

mod bootstrap;
mod build;
mod error;
mod layer;
mod layout;
mod lock;
mod recipe;
mod tree;
mod unpack;

pub use build::{Built, build};
pub use error::Error;
pub use layout::Layout;
pub use lock::{ImageLock, LockedImage};
pub use recipe::{RECIPES, Recipe};
pub use tree::{EntryContent, LayerEntry, Package, Tree};
pub use unpack::unpack;
