//! Tunnels (CONNECT, RFC 9110 section 9.3.6) to hosts on a list: package registries, for agents that install.

use std::{
    collections::BTreeSet,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use tokio::{
    io::{self, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::TcpStream,
    task::JoinSet,
};

use super::{Log, RequestOutcome, asked::RequestRefusal};

/// How long a host may take to accept a connection.
const PATIENCE: Duration = Duration::from_secs(30);

/// The hosts that agents may have a tunnel to. By default, none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllowList(BTreeSet<String>);

impl<S: AsRef<str>> FromIterator<S> for AllowList {
    /// Each a host and its port; a host alone stands for its port 443.
    fn from_iter<I: IntoIterator<Item = S>>(hosts: I) -> Self {
        let with_port = |host: &str| if host.contains(':') { host.to_owned() } else { format!("{host}:443") };
        Self(hosts.into_iter().map(|host| with_port(host.as_ref()).to_ascii_lowercase()).collect())
    }
}

impl AllowList {
    /// Whether `target`, a host and its port, is on it. Names are compared, not addresses, as no one else resolves them.
    pub(super) fn has(&self, target: &str) -> bool {
        self.0.contains(&target.to_ascii_lowercase())
    }
}

/// How many tunnels an agent may have open at once.
const MOST: usize = 16;

/// Connects to a host that is on the list.
async fn open(target: &str) -> Result<TcpStream, RequestRefusal> {
    match tokio::time::timeout(PATIENCE, TcpStream::connect(target)).await {
        Ok(Ok(stream)) => Ok(stream),
        Ok(Err(error)) => Err(RequestRefusal::new(None, 502, format_args!("{target} cannot be reached: {error}"))),
        Err(_) => Err(RequestRefusal::new(None, 504, format_args!("{target} does not answer"))),
    }
}

/// Open tunnels. They close when this goes.
#[derive(Default)]
pub(super) struct Tunnels(Mutex<JoinSet<()>>);

impl Tunnels {
    /// Connects to a host that is on the list, unless there are too many tunnels.
    pub(super) async fn open(&self, target: &str) -> Result<TcpStream, RequestRefusal> {
        let is_full = self.running().len() >= MOST;
        match is_full {
            true => Err(RequestRefusal::new(None, 503, format_args!("{MOST} tunnels are open; close one first"))),
            false => open(target).await,
        }
    }

    fn running(&self) -> MutexGuard<'_, JoinSet<()>> {
        let mut tunnels = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        while tunnels.try_join_next().is_some() {}
        tunnels
    }

    /// Passes on what comes from either side, once the agent's side is open.
    pub(super) fn pass(&self, agent: OnUpgrade, host: TcpStream, log: Arc<Log>, number: usize) {
        self.running().spawn(async move {
            let meter = Meter { sent: AtomicU64::new(0), received: AtomicU64::new(0), log, number };
            let Ok(agent) = agent.await else { return };
            let ((from_agent, to_agent), (from_host, to_host)) = (io::split(TokioIo::new(agent)), host.into_split());
            // A side that breaks off has said all that it will.
            let (_, _) =
                tokio::join!(forward(from_agent, to_host, &meter.sent), forward(from_host, to_agent, &meter.received),);
        });
    }
}

/// Counts, and tells the log when it goes, however the tunnel ends.
struct Meter {
    sent: AtomicU64,
    received: AtomicU64,
    log: Arc<Log>,
    number: usize,
}

impl Drop for Meter {
    fn drop(&mut self) {
        let (sent, received) = (self.sent.load(Ordering::Relaxed), self.received.load(Ordering::Relaxed));
        self.log.settle(self.number, RequestOutcome::Tunnelled { sent, received });
    }
}

async fn forward(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    count: &AtomicU64,
) -> io::Result<()> {
    let mut buffer = vec![0; 16 << 10];
    loop {
        let read = from.read(&mut buffer).await?;
        if read == 0 {
            return to.shutdown().await;
        }
        to.write_all(buffer.get(..read).unwrap_or_default()).await?;
        count.fetch_add(read as u64, Ordering::Relaxed);
    }
}
