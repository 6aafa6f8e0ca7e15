//! The model gateway: a local server that speaks the providers' APIs, and an agent's only way out.
//!
//! Built on hyper rather than on a web framework, because resets, cut streams and tunnels are matters of the connection.

mod answer;
mod asked;
mod fault;
mod forward;
mod log;
mod memory;
mod packages;
mod reading;
mod record;
mod redact;
mod respond;
mod serve;
mod tunnel;

use std::{collections::BTreeSet, io, net::SocketAddr, sync::Arc, time::Duration};

use tokio::{net::TcpListener, task::JoinHandle};

pub(crate) use self::{asked::Asked, respond::Responder};
pub use self::{
    asked::Models,
    fault::{Faults, InjectedFault},
    forward::{ForwardError, Forwarder},
    log::{Log, LogEntry, PackageUse, RequestOutcome},
    record::Recorder,
    tunnel::AllowList,
};
use crate::{
    backoff::{RetryPolicy, SystemClock},
    cassette::Replay,
    packages::PackageMirror,
    player::Player,
};

/// How long an index may be silent that nobody's model waits for.
const SILENCE: Duration = Duration::from_secs(600);

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

/// What an agent may have of a gateway.
#[derive(Clone, Debug, Default)]
pub struct Allowed {
    /// The models that it may ask.
    pub models: Models,
    /// The hosts that it may have a tunnel to.
    pub hosts: AllowList,
    /// The package indexes, if it may read them.
    pub packages: Option<PackageMirror>,
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

/// A gateway of package indexes that cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Nobody can be listened to.
    #[error(transparent)]
    Start(#[from] StartError),
    /// Nobody can be asked.
    #[error(transparent)]
    Forward(#[from] ForwardError),
}

impl Gateway {
    /// Starts to listen on `address` (port 0: any free one).
    ///
    /// # Errors
    ///
    /// [`StartError`] if it cannot.
    pub async fn start(address: SocketAddr, mode: Mode, faults: Faults) -> Result<Self, StartError> {
        let listener = std::net::TcpListener::bind(address).map_err(|source| StartError { address, source })?;
        Self::serve(listener, mode, faults, Allowed::default())
    }

    /// Starts to accept on `listener`, as of a sandbox whose only way out it is, what is `allowed`.
    /// While it replays, nothing is asked of the network: no tunnel is allowed, and no package.
    ///
    /// To be called within a tokio runtime.
    ///
    /// # Errors
    ///
    /// [`StartError`] if the listener cannot be used.
    pub fn serve(
        listener: std::net::TcpListener,
        mode: Mode,
        faults: Faults,
        allowed: Allowed,
    ) -> Result<Self, StartError> {
        let address = listener.local_addr();
        let address = address.map_err(|source| StartError { address: ([0, 0, 0, 0], 0).into(), source })?;
        let listener = listener.set_nonblocking(true).and_then(|()| TcpListener::from_std(listener));
        let listener = listener.map_err(|source| StartError { address, source })?;
        let log = Arc::new(Log::default());
        let context = serve::RequestContext::new(address, mode, faults, allowed, Arc::clone(&log));
        Ok(Self { address, log, task: tokio::spawn(serve::accept(listener, Arc::new(context))) })
    }

    /// The same for whoever may read package indexes, and has nothing else of a gateway.
    ///
    /// # Errors
    ///
    /// [`ServeError`] if the listener cannot be used, or this machine has no certificates to check servers with.
    pub fn serve_packages(listener: std::net::TcpListener, packages: PackageMirror) -> Result<Self, ServeError> {
        let forwarder = Forwarder::new(Vec::new(), RetryPolicy::default(), Arc::new(SystemClock), SILENCE)?;
        let models = Models::Only(BTreeSet::new());
        let allowed = Allowed { models, packages: Some(packages), ..Allowed::default() };
        Ok(Self::serve(listener, Mode::Forward(forwarder), Faults::new(), allowed)?)
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
