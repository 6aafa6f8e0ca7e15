//! Who writes code: command lines as data, their installation, sessions and trajectories.
//!
//! A session has an [agent](definition) from a [`catalogue`], [pinned](lock), [installed](install) and [launched](launch) on a
//! task, with a [gateway](slopbench_gateway::server) between it and its model's provider; what the agent tells of its
//! [events] becomes a [trajectory]. A version that nobody locked yet is [locked](relock) and [tried](check). All of a
//! session is one [stage].

pub mod catalogue;
pub mod check;
pub mod definition;
pub mod events;
pub mod install;
pub mod launch;
pub mod lock;
pub mod relock;
pub mod session;
pub mod stage;
pub mod trajectory;
