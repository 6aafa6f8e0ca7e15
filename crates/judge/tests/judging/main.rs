//! Judges against models that answer by what they were shown.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod asking;
mod component;
mod gaming;
mod inspecting;
mod model;
mod outcomes;
mod rubric;
