//! Histories and comparisons of repositories that git itself makes.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod comparing;
mod histories;
mod support;
