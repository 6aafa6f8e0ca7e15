//! How a project's code is organised: files, signatures, imports; read from the code itself, by no model.
//!
//! [`StructuralState::update`] parses the files whose git blobs are not those that it knows, and no others; the result is the same, to
//! the byte, as when everything is read anew.

mod change;
mod source_tree;
mod state;
mod structure_file;
mod update;

pub use self::change::{RenamedFile, SignatureChange, StructuralChange};
pub use self::source_tree::SourceTree;
pub use self::state::{FileStructure, StructuralState};
