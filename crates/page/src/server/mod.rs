//! The page from a server of this machine's own, which follows runs that go on.
//!
//! It listens on 127.0.0.1 alone, answers to its own names alone, so that no other page can have a browser ask it, and gives four
//! things: the page, what the page knows, one trajectory by its number, and word of changes. No path of a request is ever opened.

mod answer;
mod live;

use std::{
    io,
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use hyper::{server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{net::TcpListener, sync::Semaphore, task::JoinSet};

pub use self::live::{DrawFigures, ViewSettings};
use self::{answer::answer, live::LiveStudy};
use crate::Error;

/// How many connections may be open at once; further ones wait.
const MOST_CONNECTIONS: usize = 64;

/// How long a request's head may take to come.
const HEAD_TIME: Duration = Duration::from_secs(10);

/// How often it is looked whether to stop.
const STOP_TIME: Duration = Duration::from_millis(100);

/// A server that is ready to serve.
pub struct PageServer {
    listener: std::net::TcpListener,
    address: SocketAddr,
    live: Arc<LiveStudy>,
}

/// Why nothing is served.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The port cannot be had.
    #[error("cannot listen on {address}: {source}; choose another --port, or 0 for any that is free")]
    Listen {
        /// Which.
        address: SocketAddr,
        /// Why not.
        source: io::Error,
    },
    /// There is no page.
    #[error(transparent)]
    Page(#[from] Error),
}

impl PageServer {
    /// Reads the runs, and listens on this port of 127.0.0.1; 0 is any that is free.
    ///
    /// # Errors
    ///
    /// [`ServerError`].
    pub fn start(roots: &[PathBuf], settings: ViewSettings, port: u16) -> Result<Self, ServerError> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let listen = || -> io::Result<(std::net::TcpListener, SocketAddr)> {
            let listener = std::net::TcpListener::bind(address)?;
            listener.set_nonblocking(true)?;
            let address = listener.local_addr()?;
            Ok((listener, address))
        };
        let (listener, address) = listen().map_err(|source| ServerError::Listen { address, source })?;
        Ok(Self { listener, address, live: Arc::new(LiveStudy::read(roots, settings)?) })
    }

    /// Where the page is.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Serves until `stop` is true.
    ///
    /// # Errors
    ///
    /// [`ServerError::Listen`] if the listener cannot be used.
    pub fn run(self, stop: &AtomicBool) -> Result<(), ServerError> {
        let address = self.address;
        let failed = |source| ServerError::Listen { address, source };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
        runtime.block_on(async {
            let listener = TcpListener::from_std(self.listener).map_err(failed)?;
            let mut tasks = JoinSet::new();
            tasks.spawn(Arc::clone(&self.live).follow());
            tasks.spawn(accept(listener, address, self.live));
            while !stop.load(Ordering::Relaxed) {
                tokio::time::sleep(STOP_TIME).await;
            }
            tasks.shutdown().await;
            Ok::<(), ServerError>(())
        })?;
        // Not for what is being read: nobody is there any more to be told of it.
        runtime.shutdown_background();
        Ok(())
    }
}

/// Serves connections; a connection's own troubles are its own.
async fn accept(listener: TcpListener, address: SocketAddr, live: Arc<LiveStudy>) {
    let mut connections = JoinSet::new();
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    while let Ok(place) = Arc::clone(&places).acquire_owned().await {
        match listener.accept().await {
            Ok((stream, _)) => {
                let live = Arc::clone(&live);
                connections.spawn(async move {
                    let service = service_fn(|request| answer(request, address, Arc::clone(&live)));
                    let mut server = http1::Builder::new();
                    server.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME);
                    let _ = server.serve_connection(TokioIo::new(stream), service).await;
                    drop(place);
                });
            }
            // Out of file descriptors, most likely: some connection will end.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
        while connections.try_join_next().is_some() {}
    }
}
