//! A service on the other side of a worker's pipe.

use std::time::Duration;

use crate::protocol::{WorkerReply, WorkerRequest};
use crate::service::{Peer, Play, RawResponse, RequestBatch, Service};
use crate::{Error, Observation};

/// The port of every service that has a loopback of its own.
const PORT: u16 = 8000;

/// Serves by asking a worker, which `ask` does.
pub(crate) fn serve(
    service: &Service,
    play: &mut Play<'_>,
    ask: &mut dyn FnMut(&WorkerRequest, Duration) -> Result<WorkerReply, Error>,
) -> Result<Observation, Error> {
    let mut remote = Remote { ask, seen: None };
    remote.ask(&WorkerRequest::Serve { task: service.on(PORT), port: PORT }, Duration::ZERO)?;
    let played = play(&mut remote);
    // Also after a failure: the next task needs a worker that is not at this one any more.
    let stopped = remote.ask(&WorkerRequest::Stop, Duration::ZERO);
    played?;
    stopped?;
    remote.seen.ok_or_else(|| Error::WorkerLost { cause: "it did not say how the service ended".into() })
}

/// A service that runs there.
struct Remote<'a> {
    ask: &'a mut dyn FnMut(&WorkerRequest, Duration) -> Result<WorkerReply, Error>,
    seen: Option<Observation>,
}

impl Remote<'_> {
    /// Asks, unless the service is over; keeps its observation once it is.
    fn ask(&mut self, request: &WorkerRequest, time_limit: Duration) -> Result<Option<WorkerReply>, Error> {
        if self.seen.is_some() {
            return Ok(None);
        }
        match (self.ask)(request, time_limit)? {
            WorkerReply::Observed(observation) => {
                self.seen = Some(observation);
                Ok(None)
            }
            reply => Ok(Some(reply)),
        }
    }
}

impl Peer for Remote<'_> {
    fn exchange(&mut self, exchange: &RequestBatch) -> Result<Option<Vec<RawResponse>>, Error> {
        match self.ask(&WorkerRequest::Exchange(exchange.clone()), exchange.time_limit)? {
            None => Ok(None),
            Some(WorkerReply::Answers(answers)) if answers.len() == exchange.requests.len() => Ok(Some(answers)),
            Some(_) => Err(Error::WorkerLost { cause: "it answered another question".into() }),
        }
    }

    fn restart(&mut self) -> Result<bool, Error> {
        Ok(self.ask(&WorkerRequest::Restart, Duration::ZERO)?.is_some())
    }
}
