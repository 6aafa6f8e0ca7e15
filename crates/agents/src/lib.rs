//! Who writes code: command lines as data, their installation, sessions and trajectories.
//!
//! A session has an [agent](definition) that is [installed](install) and [launched](launch) on a task, with a
//! [gateway](slopbench_gateway::server) between it and its model's provider; what the agent tells of its [events] becomes a
//! [trajectory]. All of that is one [stage].

pub mod definition;
pub mod events;
pub mod install;
pub mod launch;
pub mod session;
pub mod stage;
pub mod trajectory;
