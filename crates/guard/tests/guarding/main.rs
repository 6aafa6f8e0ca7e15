//! Guards from outside, with scripted and recorded models and repositories that git makes.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod briefs;
mod models;
mod paying;
mod recorded;
mod records;
mod sixty_turns;
mod structure;
mod support;
mod together;
