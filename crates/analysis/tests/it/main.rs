//! Tests of analyses: against an independent computation, at the edges, and under the null hypothesis.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod blog;
mod comparisons;
mod edges;
mod expected;
mod figures;
mod slump;
mod support;
