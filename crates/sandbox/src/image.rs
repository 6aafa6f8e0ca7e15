//! Images of containers, by name and content.

use serde::{Deserialize, Serialize};

/// An image, as an engine knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    /// The name that it was loaded under.
    pub name: String,
    /// The digests of its layers, unpacked, the lowest first.
    pub layers: Vec<String>,
}
