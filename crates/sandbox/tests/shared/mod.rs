//! What holds in every back end: each test here runs in all of them.

mod behaviour;
mod environment;
mod hostile;
mod memory;
mod refused;
mod series;
mod service;
mod suite;
