//! Who writes code: command lines, trajectories, usage and prices, the model gateway.
//!
//! - [`gateway`]: a local server between an agent and its model's provider;
//! - [`api`] and [`turn`]: the four providers' APIs, and what is the same in all of them;
//! - [`script`] and [`player`]: a model that does what a file says, with the agent's own tools.

pub mod api;
pub mod cassette;
pub mod definition;
pub mod fingerprint;
pub mod gateway;
pub mod install;
pub mod launch;
pub mod patience;
pub mod player;
pub mod provider;
pub mod script;
pub mod session;
pub mod turn;
