//! Problems whose solutions are servers: a case is a list of steps, played from outside the sandbox.
//!
//! [`mod@steps`] is what a case says, [`mod@format`] how it is written, [`captures`] what goes from an answer into later steps,
//! [`mod@play`] talks to the server, [`answers`] compares.

mod answers;
mod captures;
pub(crate) mod format;
mod play;
mod steps;

pub(crate) use captures::Captures;
pub(crate) use play::{Halt, play};
pub use steps::Server;
pub(crate) use steps::{HttpStep, steps};
