//! The analyzer from outside: one binary, so that it is linked once.

mod behaviour;
mod cognitive;
mod composites;
mod configuration;
mod definitions;
mod dependencies;
mod explain;
mod folders;
mod grading;
mod hostile;
mod hostile_languages;
mod languages;
mod nesting;
mod outline;
mod radon;
mod rule_files;
mod rules;
mod sensitivity;
mod support;
mod suppression;
mod tiers;
mod wrappers;
