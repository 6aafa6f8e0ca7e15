//! The model gateway: a local server that speaks the providers' APIs, and an agent's only way out.
//!
//! Built on hyper rather than on a web framework, because resets, cut streams and tunnels are matters of the connection.

mod answer;
mod asked;
mod fault;
mod forward;
mod log;
mod record;
mod serve;

use std::{io, net::SocketAddr, sync::Arc};

use tokio::{net::TcpListener, task::JoinHandle};

pub use self::{
    fault::{Fault, Faults},
    forward::{ForwardError, Forwarder},
    log::{Entry, Log, Outcome},
    record::Recorder,
};
use crate::{cassette::Replay, player::Player};

/// Where the gateway's answers come from.
#[derive(Debug)]
pub enum Mode {
    /// A model that plays a script.
    Scripted(Player),
    /// The provider.
    Forward(Forwarder),
    /// The provider, with every exchange kept.
    Record(Forwarder, Recorder),
    /// A cassette.
    Replay(Replay),
}

/// A running gateway; it stops when dropped.
#[derive(Debug)]
pub struct Gateway {
    address: SocketAddr,
    log: Arc<Log>,
    task: JoinHandle<()>,
}

/// A gateway that cannot be started.
#[derive(Debug, thiserror::Error)]
#[error("the gateway cannot listen on {address}: {source}; choose another address")]
pub struct StartError {
    /// The address asked for.
    pub address: SocketAddr,
    /// Why not.
    pub source: io::Error,
}

impl Gateway {
    /// Starts to listen on `address` (port 0: any free one).
    pub async fn start(address: SocketAddr, mode: Mode, faults: Faults) -> Result<Self, StartError> {
        let listen =
            async { TcpListener::bind(address).await.and_then(|listener| Ok((listener.local_addr()?, listener))) };
        let (address, listener) = listen.await.map_err(|source| StartError { address, source })?;
        let log = Arc::new(Log::default());
        let desk = serve::Desk::new(address, mode, faults, Arc::clone(&log));
        Ok(Self { address, log, task: tokio::spawn(serve::accept(listener, Arc::new(desk))) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What it is called in agents' configurations: no trailing slash, no path.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Every request so far, in the order of arrival.
    pub fn log(&self) -> &Log {
        &self.log
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        self.task.abort();
    }
}
