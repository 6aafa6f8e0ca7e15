//! The `slopbench` binary.

fn main() {}
