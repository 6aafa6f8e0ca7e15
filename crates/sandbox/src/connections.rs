//! Connections to a service, moved without ever waiting for one of them alone.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddrV4, TcpStream};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::time::Instant;

use nix::errno::Errno;
use nix::poll::PollFlags;
use nix::sys::socket::{AddressFamily, SockFlag, SockType, SockaddrIn, connect, getsockopt, socket, sockopt};

use crate::message::Framing;
use crate::service::{RawResponse, RequestBatch, ResponseEnd};
use crate::streams::deadline;

/// How much is read at once.
const CHUNK: usize = 64 * 1024;

/// The connections of one exchange.
#[derive(Debug)]
pub(crate) struct Connections {
    connections: Vec<Connection>,
    until: Instant,
    most: usize,
}

/// One connection: what is to be sent, and what came.
#[derive(Debug)]
struct Connection {
    /// Nothing once the connection is over.
    stream: Option<TcpStream>,
    connected: bool,
    unsent: Vec<u8>,
    framing: Framing,
    answer: RawResponse,
}

impl Connections {
    /// Begins to connect to `port` of the current network namespace's loopback. An answer may have `most` bytes.
    pub(crate) fn start(exchange: RequestBatch, port: u16, most: u64) -> nix::Result<Self> {
        let until = deadline(Instant::now(), exchange.time_limit);
        let connections =
            exchange.requests.into_iter().map(|request| Connection::start(request, port)).collect::<Result<_, _>>()?;
        Ok(Self { connections, until, most: usize::try_from(most).unwrap_or(usize::MAX) })
    }

    /// What to wait for.
    pub(crate) fn fds(&self) -> impl Iterator<Item = (BorrowedFd<'_>, PollFlags)> {
        self.connections.iter().filter_map(|connection| {
            let reading = if connection.connected { PollFlags::POLLIN } else { PollFlags::empty() };
            let writing = if connection.unsent.is_empty() { PollFlags::empty() } else { PollFlags::POLLOUT };
            Some((connection.stream.as_ref()?.as_fd(), reading | writing))
        })
    }

    /// When the time is up.
    pub(crate) fn until(&self) -> Instant {
        self.until
    }

    /// Moves what can be moved; the answers, once no connection is left.
    pub(crate) fn step(&mut self) -> Option<Vec<RawResponse>> {
        let late = Instant::now() >= self.until;
        for connection in &mut self.connections {
            let ending = connection.step(self.most).or(late.then_some(ResponseEnd::Late));
            if let (Some(ending), Some(_)) = (ending, &connection.stream) {
                connection.answer.ending = ending;
                connection.stream = None;
            }
        }
        let done = self.connections.iter().all(|connection| connection.stream.is_none());
        done.then(|| self.connections.drain(..).map(|connection| connection.answer).collect())
    }
}

impl Connection {
    fn start(request: Vec<u8>, port: u16) -> nix::Result<Self> {
        let flags = SockFlag::SOCK_NONBLOCK | SockFlag::SOCK_CLOEXEC;
        let socket = socket(AddressFamily::Inet, SockType::Stream, flags, None)?;
        let address = SockaddrIn::from(SocketAddrV4::new(Ipv4Addr::LOCALHOST, port));
        let mut answer = RawResponse { ending: ResponseEnd::Late, bytes: Vec::new() };
        // A refusal may be known at once, or later.
        let stream = match connect(socket.as_raw_fd(), &address) {
            Ok(()) | Err(Errno::EINPROGRESS) => Some(TcpStream::from(socket)),
            Err(_) => {
                answer.ending = ResponseEnd::Refused;
                None
            }
        };
        let framing = Framing::new(request.starts_with(b"HEAD "));
        Ok(Self { stream, connected: false, unsent: request, framing, answer })
    }

    /// Sends and reads what can be. Returns how the answer ended, if it did.
    fn step(&mut self, most: usize) -> Option<ResponseEnd> {
        let stream = self.stream.as_ref()?;
        if !self.connected {
            // Until it is, this says that it is not.
            match (getsockopt(stream, sockopt::SocketError), stream.peer_addr()) {
                (Ok(0), Ok(_)) => self.connected = true,
                (Ok(0), Err(_)) => return None,
                _ => return Some(ResponseEnd::Refused),
            }
        }
        self.send();
        self.read(most)
    }

    fn send(&mut self) {
        let Some(stream) = &mut self.stream else { return };
        while !self.unsent.is_empty() {
            match stream.write(&self.unsent) {
                Ok(count) => drop(self.unsent.drain(..count)),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                // It does not listen any more, but may have answered.
                Err(_) => self.unsent.clear(),
            }
        }
    }

    /// Reads a chunk at most, so that no server keeps us from the others.
    fn read(&mut self, most: usize) -> Option<ResponseEnd> {
        let stream = self.stream.as_mut()?;
        let mut buffer = [0; CHUNK];
        let count = match stream.read(&mut buffer) {
            Ok(0) => return Some(if self.framing.may_close() { ResponseEnd::Whole } else { ResponseEnd::Closed }),
            Ok(count) => count,
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => return None,
            Err(_) => return Some(ResponseEnd::Closed),
        };
        let bytes = &mut self.answer.bytes;
        bytes.extend_from_slice(buffer.get(..count).unwrap_or_default());
        let looked = self.framing.look(bytes);
        if bytes.len() > most {
            bytes.truncate(most);
            return Some(ResponseEnd::TooLarge);
        }
        match looked {
            Ok(true) => Some(ResponseEnd::Whole),
            Ok(false) => None,
            Err(_) => Some(ResponseEnd::Garbage),
        }
    }
}
