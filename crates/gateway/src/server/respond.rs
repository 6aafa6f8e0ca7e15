//! Answers to requests that may be answered, from wherever the mode says: for agents, and for calls of our own.

use std::sync::Arc;

use super::{
    Forwarder, Log, Mode, RequestOutcome,
    answer::StreamedAnswer,
    asked::{Asked, RequestRefusal},
    forward::ForwardedRequest,
    reading::Reading,
    record::{MOST_RECORDED, Passing},
};
use crate::{
    api::RequestPurpose,
    cassette::{RecordedAnswer, Replay},
    player::Player,
    request_key::SessionPaths,
};

/// Where answers come from, and the log of them.
#[derive(Debug)]
pub(crate) struct Responder {
    mode: Mode,
    log: Arc<Log>,
}

impl Responder {
    pub(crate) fn new(mode: Mode, log: Arc<Log>) -> Self {
        Self { mode, log }
    }

    pub(crate) fn log(&self) -> &Log {
        &self.log
    }

    /// The scripted model, if that is who answers.
    pub(crate) fn player(&self) -> Option<&Player> {
        match &self.mode {
            Mode::Scripted(player) => Some(player),
            _ => None,
        }
    }

    /// Whether requests are told apart by their content.
    pub(crate) fn is_recorded(&self) -> bool {
        matches!(self.mode, Mode::Replay(_) | Mode::Record(..))
    }

    /// Whether nothing is asked of the network.
    pub(super) fn is_offline(&self) -> bool {
        matches!(self.mode, Mode::Replay(_))
    }

    /// Where the agent works, if requests are told apart by their content.
    pub(super) fn places(&self) -> Option<SessionPaths> {
        match &self.mode {
            Mode::Replay(replay) => Some(replay.places().clone()),
            Mode::Record(_, recorder) => Some(recorder.places()),
            Mode::Scripted(_) | Mode::Forward(_) => None,
        }
    }

    /// The answer as it begins, and how it came about as far as that is known by then.
    pub(crate) async fn reply(
        &self,
        asked: &Asked,
        number: usize,
    ) -> Result<(StreamedAnswer, RequestOutcome), RequestRefusal> {
        match &self.mode {
            Mode::Scripted(player) => {
                let answer = match &asked.wish {
                    RequestPurpose::TokenCount => StreamedAnswer::json(200, &asked.api.token_count(1000)),
                    RequestPurpose::Turn(prompt) => {
                        let turn =
                            player.turn(prompt).map_err(|error| RequestRefusal::new(Some(asked.api), 400, error))?;
                        self.log.count(number, &asked.model, turn.usage);
                        StreamedAnswer::turn(asked.api, prompt, &turn)
                    }
                };
                Ok((answer, RequestOutcome::Scripted))
            }
            Mode::Forward(forwarder) => {
                let sent = self.send(forwarder, asked, number).await?;
                let ended = RequestOutcome::Forwarded { attempts: sent.attempts };
                Ok(self.passed(sent, asked, number, ended))
            }
            Mode::Record(_, recorder) if !recorder.has_room() => {
                let reason = format!("the recording has {MOST_RECORDED} bytes, and there is no room for more");
                Err(RequestRefusal::new(Some(asked.api), 413, reason))
            }
            Mode::Record(forwarder, recorder) => {
                let sent = self.send(forwarder, asked, number).await?;
                let ended = RequestOutcome::Recorded { attempts: sent.attempts };
                let answer = recorder.tape(asked, sent.answer).await;
                Ok(self.passed(ForwardedRequest { answer, ..sent }, asked, number, ended))
            }
            Mode::Replay(replay) => Ok(self.replayed(replay, asked, number)),
        }
    }

    async fn send(
        &self,
        forwarder: &Forwarder,
        asked: &Asked,
        number: usize,
    ) -> Result<ForwardedRequest, RequestRefusal> {
        forwarder.send(asked, |attempts| self.log.settle(number, RequestOutcome::Unfinished { attempts })).await
    }

    /// A provider's answer, and what is known of it as it begins; the log learns how it ends.
    fn passed(
        &self,
        sent: ForwardedRequest,
        asked: &Asked,
        number: usize,
        ended: RequestOutcome,
    ) -> (StreamedAnswer, RequestOutcome) {
        let ForwardedRequest { answer, attempts, unreached } = sent;
        if let Some(reason) = unreached {
            return (answer, RequestOutcome::Unreached { attempts, reason });
        }
        match answer.reading(asked.api) {
            None => (answer, ended),
            Some(reading) => {
                let (log, model) = (Arc::clone(&self.log), asked.model.clone());
                let passing = Passing { log, number, model, attempts, ended };
                (answer.watched(reading, passing), RequestOutcome::Unfinished { attempts })
            }
        }
    }

    /// A recorded answer. A miss is a client's error, which agents do not retry for long.
    fn replayed(&self, replay: &Replay, asked: &Asked, number: usize) -> (StreamedAnswer, RequestOutcome) {
        let found = asked.fingerprint.as_ref().map_or_else(
            || Err("the request was not told apart from others".to_owned()),
            |request| replay.find(&asked.path, request),
        );
        match found {
            Ok(RecordedAnswer { exchange, drifted }) => {
                let mut reading = Reading::new(asked.api, &exchange.content_type);
                reading.feed(exchange.body.as_bytes());
                reading.finish();
                self.log.count(number, &asked.model, reading.used());
                let body = exchange.body.clone().into();
                (
                    StreamedAnswer::new(exchange.status, &exchange.content_type, vec![body]),
                    RequestOutcome::Replayed { drifted },
                )
            }
            Err(reason) => {
                (StreamedAnswer::json(400, &asked.api.error(400, &reason)), RequestOutcome::Missed { reason })
            }
        }
    }
}
