//! Who writes code: command lines, trajectories, usage and prices, the model gateway.
//!
//! A session has an [agent](definition) that is [installed](install) and [launched](launch) on a task, and a
//! [gateway] between it and its model's [provider]; what the agent tells of its [events] becomes a [trajectory].
//!
//! - [`gateway`]: forwards to the provider, [records](cassette) and replays, or plays a [`script`];
//! - [`api`] and [`turn`]: the four providers' APIs, and what is the same in all of them;
//! - [`request_key`]: which request is which, from one run to the next;
//! - [`backoff`]: how long to wait for a provider;
//! - [`models`] and [`prices`]: the catalogue, and what tokens cost.

pub mod api;
pub mod backoff;
pub mod cassette;
pub mod definition;
pub mod events;
pub mod gateway;
pub mod install;
mod json;
pub mod launch;
pub mod models;
pub mod player;
pub mod prices;
pub mod provider;
pub mod request_key;
pub mod script;
pub mod session;
pub mod trajectory;
pub mod turn;
