//! How models are asked: providers and their APIs, retries, recordings, scripted models, tokens and prices.
//!
//! - [`server`]: the gateway itself, an agent's only way to its model: it forwards to the [provider],
//!   [records](cassette) and replays, or plays a [`script`];
//! - [`client`]: calls of our own, as of judges, which pass the same ways;
//! - [`api`] and [`turn`]: the four providers' APIs, and what is the same in all of them;
//! - [`request_key`]: which request is which, from one run to the next;
//! - [`backoff`]: how long to wait for a provider;
//! - [`packages`]: the package indexes of Python and npm, as sessions may read them;
//! - [`catalogue`]: [providers](provider), [`models`] and [`prices`] by name, built in and of one's own.

pub mod api;
pub mod backoff;
pub mod cassette;
pub mod catalogue;
pub mod client;
pub mod json;
pub mod models;
pub mod packages;
pub mod player;
pub mod prices;
pub mod provider;
pub mod request_key;
pub mod script;
pub mod server;
pub mod turn;
