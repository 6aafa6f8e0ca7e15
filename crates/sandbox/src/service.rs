//! A program that goes on and is asked: a server, and who talks to it.
//!
//! The server listens on the loopback of its own sandbox. Whoever plays a case sits outside, and hands bytes to send to
//! [`Peer::exchange`]; what connects to the server is the back end's own process, out of the server's reach. Of HTTP, a
//! back end knows where a message ends ([`message`](crate::message)) and nothing else.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::wire::base64_list;
use crate::{Error, Task};

/// What stands for a service's port in its arguments and environment.
pub const PORT_PLACE: &str = "{port}";

/// A task whose program is a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Service {
    /// The server. Its limits hold from its start to its end, over all restarts together.
    pub task: Task,
    /// The environment variable that tells it its port, on 127.0.0.1. Where [`PORT_PLACE`] stands in its arguments and environment, the
    /// port does as well.
    pub port_variable: Option<String>,
}

impl Service {
    /// The task, told its port.
    pub(crate) fn on(&self, port: u16) -> Task {
        let (mut task, port) = (self.task.clone(), port.to_string());
        for text in task.argv.iter_mut().skip(1).chain(task.env.values_mut()) {
            *text = text.replace(PORT_PLACE, &port);
        }
        task.env.extend(self.port_variable.iter().map(|name| (name.clone(), port.clone())));
        task
    }
}

/// Requests that are sent at the same time, each on a connection of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequestBatch {
    /// Whole HTTP/1.1 requests.
    #[serde(with = "base64_list")]
    pub requests: Vec<Vec<u8>>,
    /// How long to wait for the answers, from the first connection on.
    pub time_limit: Duration,
}

/// What came back on one connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawResponse {
    /// How the message ended.
    pub ending: ResponseEnd,
    /// All bytes up to there.
    #[serde(with = "crate::wire::base64_bytes")]
    pub bytes: Vec<u8>,
}

/// How an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ResponseEnd {
    /// With the message's end: [`HttpMessage::parse`](crate::message::HttpMessage::parse) reads it.
    Whole,
    /// Before it began: no one listens.
    Refused,
    /// With the connection, before the message's end.
    Closed,
    /// With [`RequestBatch::time_limit`].
    Late,
    /// With [`Limits::output`](crate::Limits::output) bytes.
    TooLarge,
    /// With bytes that are no HTTP/1 message.
    Garbage,
}

/// Who talks to a running service.
pub trait Peer {
    /// Sends requests and returns their answers in the same order; nothing if the service ended meanwhile, or before.
    ///
    /// # Errors
    ///
    /// Only what is not the solution's fault, as for [`Sandbox::run`](crate::Sandbox::run).
    fn exchange(&mut self, exchange: &RequestBatch) -> Result<Option<Vec<RawResponse>>, Error>;

    /// Kills all processes of the service, and starts it again with the files as they are; false if it ended before.
    ///
    /// # Errors
    ///
    /// As for [`Peer::exchange`].
    fn restart(&mut self) -> Result<bool, Error>;
}

/// What talks to a service while it runs.
pub type Play<'a> = dyn FnMut(&mut dyn Peer) -> Result<(), Error> + 'a;
