//! Keeping what a provider answers while it passes through.

use std::{
    io,
    path::Path,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use super::{Log, RequestOutcome, answer::StreamedAnswer, asked::Asked, reading::Reading};
use crate::{
    cassette::{Cassette, CassetteError, RecordedExchange},
    request_key::SessionPaths,
    turn::TokenUsage,
};

/// A cassette that is being recorded. Clones share it.
#[derive(Clone, Debug)]
pub struct Recorder {
    cassette: Arc<Mutex<Cassette>>,
    /// What is still free of [`MOST_RECORDED`].
    room: Arc<AtomicUsize>,
    /// One permit for every answer that is still on its way.
    passing: Arc<Semaphore>,
}

/// How many answers may be on their way at once, those that the agent no longer waits for included.
const PASSING: u32 = 1 << 6;

/// The most that is recorded of a session, in bytes in memory. An agent may ask a model that costs nothing without end.
pub(super) const MOST_RECORDED: usize = 96 << 20;

/// What an exchange, and each part of its request's fingerprint, takes beside its text, in bytes.
const BESIDE: usize = 256;

impl Recorder {
    /// Records `agent` (name and version) at work in `places`.
    pub fn new(agent: &str, places: SessionPaths) -> Self {
        let cassette = Arc::new(Mutex::new(Cassette::empty(agent, places)));
        let passing = Arc::new(Semaphore::new(PASSING as usize));
        Self { cassette, room: Arc::new(AtomicUsize::new(MOST_RECORDED)), passing }
    }

    /// Writes what was recorded, once every answer that is on its way has ended.
    ///
    /// # Errors
    ///
    /// [`CassetteError::File`] if it cannot be written.
    pub async fn save(&self, path: &Path) -> Result<(), CassetteError> {
        let _all = self.passing.acquire_many(PASSING).await;
        self.with(|cassette| cassette.save(path))
    }

    /// Whether another exchange is recorded; one that is not could not be replayed, and is not to happen.
    pub(super) fn has_room(&self) -> bool {
        self.room.load(Ordering::Relaxed) > 0
    }

    fn add(&self, exchange: RecordedExchange) {
        let parts =
            exchange.request.parts.iter().map(|(label, digest)| label.len() + digest.len() + BESIDE).sum::<usize>();
        let taken = exchange.body.len() + parts + BESIDE;
        // Never fails: there is always something to store.
        let _ = self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |room| Some(room.saturating_sub(taken)));
        self.with(|cassette| cassette.exchanges.push(exchange));
    }

    /// Where the agent works.
    pub(super) fn places(&self) -> SessionPaths {
        self.with(|cassette| cassette.label.places.clone())
    }

    fn with<T>(&self, job: impl FnOnce(&mut Cassette) -> T) -> T {
        // An exchange is added whole or not at all.
        job(&mut self.cassette.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The same answer, kept once it has passed whole. What the provider refuses for now, or breaks off, is not kept.
    pub(super) async fn tape(&self, asked: &Asked, answer: StreamedAnswer) -> StreamedAnswer {
        if crate::backoff::is_retryable(answer.status) {
            return answer;
        }
        let content_type = answer.headers.iter().find(|(name, _)| name == "content-type");
        let Some(request) = asked.fingerprint.clone() else { return answer };
        let mut exchange = RecordedExchange {
            path: asked.path.clone(),
            request,
            status: answer.status,
            content_type: content_type.map_or(String::new(), |(_, value)| value.clone()),
            body: String::new(),
        };
        // It is never closed, so there is always a permit to be had.
        let Ok(permit) = Arc::clone(&self.passing).acquire_owned().await else { return answer };
        let recorder = self.clone();
        let reading = answer.reading(asked.api);
        answer.taped(permit, reading, move |body| {
            // All of these APIs speak UTF-8; what does not is no answer of theirs.
            if let Ok(body) = String::from_utf8(body) {
                exchange.body = body;
                recorder.add(exchange);
            }
        })
    }
}

impl StreamedAnswer {
    /// The same answer, read to its end even if the agent hangs up before; `then` gets the body where it ends well.
    fn taped(
        self,
        permit: OwnedSemaphorePermit,
        mut reading: Option<Reading>,
        then: impl FnOnce(Vec<u8>) + Send + 'static,
    ) -> Self {
        let Self { status, headers, mut pieces } = self;
        let (sender, mut receiver) = mpsc::channel(64);
        tokio::spawn(async move {
            let _permit = permit;
            let (mut body, mut well) = (Vec::new(), true);
            while let Some(piece) = pieces.next().await {
                match &piece {
                    Ok(bytes) => {
                        body.extend_from_slice(bytes);
                        reading.iter_mut().for_each(|reading| reading.feed(bytes));
                    }
                    Err(_) => well = false,
                }
                // An agent that hung up wants no more; the cassette does.
                drop(sender.send(piece).await);
            }
            if well && reading.and_then(|mut reading| reading.finish()).is_none() {
                then(body);
            }
        });
        Self { status, headers, pieces: stream::poll_fn(move |context| receiver.poll_recv(context)).boxed() }
    }

    /// The same answer; the log learns how it ends, and what tokens it tells of. A good end is `ended`.
    pub(super) fn watched(self, mut reading: Reading, passing: Passing) -> Self {
        let Self { status, headers, mut pieces } = self;
        let (mut is_open, mut counted) = (true, TokenUsage::default());
        let mut watch = move |piece: Option<io::Result<Bytes>>| {
            if !is_open {
                return piece;
            }
            let ended = match &piece {
                Some(Ok(bytes)) => {
                    reading.feed(bytes);
                    reading.has_ended().then(|| passing.ended.clone())
                }
                Some(Err(error)) => Some(passing.broken(failure(error))),
                None => Some(reading.finish().map_or_else(|| passing.ended.clone(), |flaw| passing.broken(&flaw))),
            };
            is_open = !matches!(&piece, None | Some(Err(_)));
            passing.log.count(passing.number, &passing.model, reading.used().since(counted));
            counted = reading.used();
            if let Some(outcome) = ended {
                if matches!(outcome, RequestOutcome::Broken { .. }) {
                    passing.log.discount(&passing.model, counted);
                }
                passing.log.settle(passing.number, outcome);
            }
            piece
        };
        let pieces = stream::poll_fn(move |context| pieces.poll_next_unpin(context).map(&mut watch)).boxed();
        Self { status, headers, pieces }
    }
}

/// A request whose answer is on its way.
pub(super) struct Passing {
    pub(super) log: Arc<Log>,
    pub(super) number: usize,
    pub(super) model: String,
    /// How often the provider was asked.
    pub(super) attempts: u32,
    /// How the request ends if the answer ends well.
    pub(super) ended: RequestOutcome,
}

impl Passing {
    fn broken(&self, how: &str) -> RequestOutcome {
        RequestOutcome::Broken { attempts: self.attempts, reason: format!("the provider's answer {how}") }
    }
}

fn failure(error: &io::Error) -> &'static str {
    let cause = error.get_ref().and_then(|cause| cause.downcast_ref::<reqwest::Error>());
    if cause.is_some_and(reqwest::Error::is_timeout) { "fell silent" } else { "broke off" }
}
