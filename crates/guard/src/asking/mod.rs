//! What a model is asked: to extract commitments, to merge them into the records, to forecast what a request needs.
//!
//! Each of the three has a schema that the answer is checked against, and checks of its own of what no schema says. Whatever is
//! wrong becomes a [`ModelFailure`] by name.

pub(crate) mod extract;
mod failure;
pub(crate) mod forecast;
pub(crate) mod merge;
pub(crate) mod model;

pub use self::failure::{ModelFailure, ModelFailureKind, ModelUse};
