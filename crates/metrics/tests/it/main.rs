//! The analyzer from outside: one binary, so that it is linked once.

mod cognitive;
mod definitions;
mod folders;
mod hostile;
mod radon;
mod rule_files;
mod rules;
mod sensitivity;
mod support;
mod wrappers;
