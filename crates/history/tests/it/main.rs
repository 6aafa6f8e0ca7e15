//! Histories and comparisons of repositories that git itself makes.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod comparing;
mod gitignore;
mod histories;
mod support;
