//! From a connection to an answer.

use std::{
    net::SocketAddr,
    os::fd::AsFd,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use hyper::{
    Method, Request, Response, body::Incoming, http::request::Parts, server::conn::http1, service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
};

use super::{
    Allowed, Faults, InjectedFault, Log, Mode, RequestOutcome,
    answer::{Body, StreamedAnswer},
    asked::{Asked, RequestGate, RequestRefusal},
    log::shortened,
    memory::BodyMemory,
    packages::PackageDesk,
    respond::Responder,
    tunnel::Tunnels,
};
use crate::{api::RequestPurpose, packages::PackageRequest};

/// How many connections an agent may have open at once; further ones wait to be accepted.
const MOST_CONNECTIONS: usize = 32;

/// How long a request's head may take to come, on a new connection or after an answer.
const HEAD_TIME: Duration = Duration::from_secs(30);

/// The largest head of a request, in bytes.
const LARGEST_HEAD: usize = 64 << 10;

/// The connection is to end without an answer.
#[derive(Debug, thiserror::Error)]
#[error("reset on purpose")]
pub(super) struct Reset;

/// Everything a request meets.
pub(super) struct RequestContext {
    address: SocketAddr,
    responder: Responder,
    faults: Faults,
    allowed: Allowed,
    tunnels: Tunnels,
    packages: PackageDesk,
    log: Arc<Log>,
    memory: BodyMemory,
    turns: AtomicUsize,
}

/// Serves connections until aborted; a connection's own troubles are its own.
pub(super) async fn accept(listener: TcpListener, context: Arc<RequestContext>) {
    // Connections end with the gateway.
    let mut connections = tokio::task::JoinSet::new();
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    while let Ok(place) = Arc::clone(&places).acquire_owned().await {
        match listener.accept().await {
            Ok((stream, _)) => {
                let conversation = converse(stream, Arc::clone(&context));
                connections.spawn(async move {
                    conversation.await;
                    drop(place);
                });
            }
            // Out of file descriptors, most likely: some connection will end.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
        while connections.try_join_next().is_some() {}
    }
}

async fn converse(stream: TcpStream, context: Arc<RequestContext>) {
    // A second handle on the socket: hyper closes its own before we could tell the kernel how.
    let handle = stream.as_fd().try_clone_to_owned();
    let service = service_fn(|request| Arc::clone(&context).answer(request));
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME).max_buf_size(LARGEST_HEAD);
    let connection = server.serve_connection(TokioIo::new(stream), service);
    let ended = connection.with_upgrades().await;
    if let (Err(_), Ok(handle)) = (ended, handle) {
        // No lingering: the peer is reset instead of being told an orderly end.
        drop(socket2::SockRef::from(&handle).set_linger(Some(Duration::ZERO)));
    }
}

impl RequestContext {
    pub(super) fn new(address: SocketAddr, mode: Mode, faults: Faults, allowed: Allowed, log: Arc<Log>) -> Self {
        let (tunnels, memory, turns) = (Tunnels::default(), BodyMemory::default(), AtomicUsize::new(0));
        let responder = Responder::new(mode, Arc::clone(&log));
        let mirror = allowed.packages.clone().filter(|_| !responder.is_offline());
        Self {
            address,
            responder,
            faults,
            allowed,
            tunnels,
            packages: PackageDesk::new(mirror, format!("http://{address}"), Arc::clone(&log)),
            log,
            memory,
            turns,
        }
    }

    async fn answer(self: Arc<Self>, request: Request<Incoming>) -> Result<Response<Body>, Reset> {
        if request.method() == Method::CONNECT {
            return Ok(self.connect(request).await.into_response());
        }
        let (parts, body) = request.into_parts();
        let target = match self.foreign_host(&parts) {
            Some(host) => format!("{host}{}", parts.uri.path()),
            None => parts.uri.path().to_owned(),
        };
        let number = self.log.add(parts.method.as_str(), &target);
        let (answer, outcome) = match self.decide(&parts, body, number).await {
            Ok((answer, outcome)) => (answer, outcome),
            Err(refusal) => {
                (Some(StreamedAnswer::refusal(&refusal)), RequestOutcome::Refused { reason: refusal.reason })
            }
        };
        let status = answer.as_ref().map(|answer| answer.status);
        self.log.amend(number, |entry| entry.status = status);
        self.log.settle(number, outcome);
        answer.map(StreamedAnswer::into_response).ok_or(Reset)
    }

    /// A tunnel, if its host is on the list.
    async fn connect(&self, request: Request<Incoming>) -> StreamedAnswer {
        let target = request.uri().authority().map_or_else(String::new, ToString::to_string);
        let number = self.log.add("CONNECT", &target);
        let allowed = self.allowed.hosts.has(&target) && !self.responder.is_offline();
        let opened = match allowed {
            true => self.tunnels.open(&target).await,
            false => Err(not_on_the_list(&target)),
        };
        let (answer, outcome) = match &opened {
            Ok(_) => (StreamedAnswer::empty(200), RequestOutcome::Tunnelled { sent: 0, received: 0 }),
            Err(refusal) => {
                (StreamedAnswer::refusal(refusal), RequestOutcome::Refused { reason: refusal.reason.clone() })
            }
        };
        self.log.amend(number, |entry| entry.status = Some(answer.status));
        self.log.settle(number, outcome);
        if let Ok(stream) = opened {
            self.tunnels.pass(hyper::upgrade::on(request), stream, Arc::clone(&self.log), number);
        }
        answer
    }

    /// The answer (none: reset the connection), and how it came about.
    async fn decide(
        &self,
        parts: &Parts,
        body: Incoming,
        number: usize,
    ) -> Result<(Option<StreamedAnswer>, RequestOutcome), RequestRefusal> {
        if let Some(host) = self.foreign_host(parts) {
            // Tunnels only: what is not encrypted anyone on its way could change.
            return Err(not_on_the_list(host));
        }
        if PackageRequest::is_meant(parts.uri.path()) {
            let (answer, outcome) = self.packages.answer(parts, number).await?;
            return Ok((Some(answer), outcome));
        }
        let asked = Asked::read(parts, body, &self.gate()).await?;
        let fault = match &asked.wish {
            RequestPurpose::Turn(prompt) => {
                self.log.amend(number, |entry| {
                    (entry.model, entry.turn) = (Some(shortened(&asked.model)), !prompt.tools.is_empty());
                });
                self.faults.get(&self.turns.fetch_add(1, Ordering::Relaxed)).copied()
            }
            RequestPurpose::TokenCount => None,
        };
        match fault {
            None => self.responder.reply(&asked, number).await.map(|(answer, outcome)| (Some(answer), outcome)),
            Some(fault) => Ok((self.spoilt(&asked, number, fault).await?, RequestOutcome::Faulted { fault })),
        }
    }

    fn gate(&self) -> RequestGate<'_> {
        RequestGate { models: &self.allowed.models, memory: &self.memory, places: self.responder.places() }
    }

    async fn spoilt(
        &self,
        asked: &Asked,
        number: usize,
        fault: InjectedFault,
    ) -> Result<Option<StreamedAnswer>, RequestRefusal> {
        let answer = match fault {
            InjectedFault::Status { status, retry_after } => {
                let mut answer = StreamedAnswer::json(status, &asked.api.error(status, "a fault on purpose"));
                answer.headers.extend(retry_after.map(|seconds| ("retry-after".to_owned(), seconds.to_string())));
                answer
            }
            InjectedFault::Cut { after } => self.responder.reply(asked, number).await?.0.cut(after),
            InjectedFault::Stall { after } => self.responder.reply(asked, number).await?.0.stall(after),
            InjectedFault::InvalidJson => {
                StreamedAnswer::invalid_json(matches!(&asked.wish, RequestPurpose::Turn(prompt) if prompt.stream))
            }
            InjectedFault::Reset => return Ok(None),
        };
        Ok(Some(answer))
    }

    /// The host asked for, where it is not the gateway: agents may use it as a proxy.
    fn foreign_host<'a>(&self, parts: &'a Parts) -> Option<&'a str> {
        let authority = parts.uri.authority()?;
        (authority.as_str() != self.address.to_string()).then_some(authority.as_str())
    }
}

fn not_on_the_list(host: &str) -> RequestRefusal {
    RequestRefusal::new(None, 403, format_args!("the host {host} is not on the gateway's list"))
}
