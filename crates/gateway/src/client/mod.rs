//! Calls of our own, as of judges and pipelines: one typed request to a model of any API, and a typed answer.
//!
//! They pass what agents' requests pass: the same retry policy, cassettes and scripted models. Only their request keys are
//! exact, since nothing in them changes from run to run by itself: whatever is asked otherwise is another request.

mod anthropic;
mod bounds;
mod chat;
mod error;
mod example;
mod gemini;
mod parsed_reply;
mod reply;
mod request;
mod responses;

use std::{path::Path, sync::Arc};

use bytes::BytesMut;
use futures_util::StreamExt;
use serde_json::Value;

use self::parsed_reply::{ParsedReply, TurnEnd};
pub use self::{
    error::ClientError,
    reply::Reply,
    request::{ChatMessage, Request, ToolDefinition},
};
use crate::{
    api::Api,
    backoff::is_retryable,
    cassette::{Cassette, CassetteError, Replay},
    player::Player,
    prices::Prices,
    request_key::SessionPaths,
    server::{Asked, Log, Mode, Recorder, RequestOutcome, Responder},
    turn::{Prompt, TokenUsage, Turn},
};

/// One who asks models.
#[derive(Debug)]
pub struct Client {
    api: Api,
    responder: Responder,
    provider: String,
    prices: Prices,
    date: String,
    /// Whether a scripted model answers what its script has no answer to.
    makes_up: bool,
}

impl Client {
    /// Asks in `api`, and has its answers from where `mode` says. What they cost is what `provider` charges by
    /// `prices` on `date` (YYYY-MM-DD).
    pub fn new(api: Api, mode: Mode, provider: &str, prices: Prices, date: &str) -> Self {
        let responder = Responder::new(mode, Arc::new(Log::default()));
        Self { api, responder, provider: provider.to_owned(), prices, date: date.to_owned(), makes_up: true }
    }

    /// The same, whose scripted model makes nothing up: what its script has no answer to is [`ClientError::NoAnswer`].
    #[must_use]
    pub fn by_the_script(self) -> Self {
        Self { makes_up: false, ..self }
    }

    /// A recorder of what `who`, as in `judge 1`, asks; it is saved as agents' are.
    pub fn recorder(who: &str) -> Recorder {
        Recorder::new(who, SessionPaths::nowhere())
    }

    /// What was recorded with [`Client::recorder`], to be answered from.
    ///
    /// # Errors
    ///
    /// [`CassetteError`] if the cassette cannot be read, or is an agent's.
    pub fn replay(cassette: &Path) -> Result<Replay, CassetteError> {
        Replay::new(Cassette::load(cassette)?, &SessionPaths::nowhere())
    }

    /// Every request so far, and the tokens used.
    pub fn log(&self) -> &Log {
        self.responder.log()
    }

    /// Asks, and waits for the whole answer. To be called within a tokio runtime.
    ///
    /// # Errors
    ///
    /// [`ClientError`] says whose turn it is: the model's, the provider's or the caller's.
    pub async fn ask(&self, request: &Request) -> Result<Reply, ClientError> {
        let (path, body) = self.written(request)?;
        let asked = Asked::own(self.api, &path, body, self.responder.is_recorded()).map_err(ClientError::Request)?;
        let number = self.responder.log().begin(&asked);
        let answer = match self.responder.player() {
            Some(player) => self.scripted(player, request, number)?,
            None => self.answered(&asked, number).await?,
        };
        let usage = self.api.usage(&answer);
        let reply = match self.api {
            Api::AnthropicMessages => anthropic::parse(&answer),
            Api::OpenaiResponses => responses::parse(&answer),
            Api::OpenaiChat => chat::parse(&answer),
            Api::Gemini => gemini::parse(&answer),
        };
        let ParsedReply { text, calls, end } = reply.map_err(ClientError::Malformed)?;
        match end {
            TurnEnd::Complete => {}
            TurnEnd::CutOff => return Err(ClientError::CutOff { text, usage }),
            TurnEnd::Refused(reason) => return Err(ClientError::Refused { reason, usage }),
            TurnEnd::Unusable(reason) => return Err(ClientError::Unusable { reason, usage }),
        }
        let cost_usd = self.cost_usd(&request.model, &usage);
        if request.schema.is_none() || !calls.is_empty() {
            return Ok(Reply { text, calls, value: None, usage, cost_usd });
        }
        match serde_json::from_str(&text) {
            Ok(value) => Ok(Reply { text, calls, value: Some(value), usage, cost_usd }),
            Err(error) => Err(ClientError::NotJson { text, reason: error.to_string(), usage }),
        }
    }

    /// What `usage` of a model costs, in US dollars; nothing where it has no price.
    pub fn cost_usd(&self, model: &str, usage: &TokenUsage) -> Option<f64> {
        self.prices.of(&self.provider).cost_usd(model, &self.date, usage).ok()
    }

    /// The request's path and body.
    fn written(&self, request: &Request) -> Result<(String, Value), ClientError> {
        if let Some(word) = request.schema.as_ref().and_then(bounds::first) {
            let message =
                format!("its schema has the word \"{word}\", which not every provider takes; use an `enum`, and check");
            return Err(ClientError::Request(message));
        }
        let (path, body) = match self.api {
            Api::AnthropicMessages => ("/v1/messages".to_owned(), anthropic::body(request)),
            Api::OpenaiResponses => ("/v1/responses".to_owned(), responses::body(request)),
            Api::OpenaiChat => ("/v1/chat/completions".to_owned(), chat::body(request)),
            Api::Gemini => (format!("/v1beta/models/{}:generateContent", request.model), gemini::body(request)),
        };
        match Api::of_path(&path) {
            Some(_) => Ok((path, body)),
            None => {
                Err(ClientError::Request(format!("{} is no name of a model of {}", request.model, self.api.title())))
            }
        }
    }

    fn scripted(&self, player: &Player, request: &Request, number: usize) -> Result<Value, ClientError> {
        let said = |message: &ChatMessage| match message {
            ChatMessage::User(text) | ChatMessage::Assistant { text, .. } => text.clone(),
            ChatMessage::ToolResult { content, .. } => content.clone(),
        };
        let asked: Vec<_> = [request.system.clone()].into_iter().chain(request.messages.iter().map(said)).collect();
        let asked = asked.join("\n");
        let log = self.responder.log();
        if !self.makes_up && !player.has_answer(&asked) {
            let reason = "the script has no answer to it".to_owned();
            log.settle(number, RequestOutcome::Refused { reason });
            let last = request.messages.iter().map(said).next_back().unwrap_or_default();
            return Err(ClientError::NoAnswer { asked: beginning(&last).to_owned() });
        }
        let example = request.schema.as_ref().map(|schema| example::of(schema).to_string());
        let has_looked = request.messages.iter().any(|message| matches!(message, ChatMessage::ToolResult { .. }));
        let may_call = !request.tools.is_empty() && !request.forbid_calls && !has_looked;
        let turn: Turn = player.answer(&asked, may_call, example);
        log.count(number, &request.model, turn.usage);
        log.settle(number, RequestOutcome::Scripted);
        let prompt = Prompt { model: request.model.clone(), ..Prompt::default() };
        Ok(self.api.whole(&prompt, &turn, number))
    }

    /// The answer's JSON, once all of it is there.
    async fn answered(&self, asked: &Asked, number: usize) -> Result<Value, ClientError> {
        let log = self.responder.log();
        let answered = self.responder.reply(asked, number).await;
        let (answer, outcome) = answered.map_err(|refusal| {
            log.settle(number, RequestOutcome::Refused { reason: refusal.reason.clone() });
            ClientError::Request(refusal.reason)
        })?;
        let status = answer.status;
        log.amend(number, |entry| entry.status = Some(status));
        log.settle(number, outcome);
        let (mut pieces, mut body) = (answer.pieces, BytesMut::new());
        while let Some(piece) = pieces.next().await {
            // How it broke off is in the log.
            let Ok(bytes) = piece else { break };
            body.extend_from_slice(&bytes);
        }
        let attempts = match log.outcome(number) {
            Some(RequestOutcome::Missed { reason }) => return Err(ClientError::NotRecorded(reason)),
            Some(RequestOutcome::Unreached { reason, attempts } | RequestOutcome::Broken { reason, attempts }) => {
                return Err(ClientError::Unreached { reason: format!("{reason} (attempt {attempts})") });
            }
            Some(RequestOutcome::Forwarded { attempts } | RequestOutcome::Recorded { attempts }) => attempts,
            _ => 1,
        };
        match status {
            200..300 => serde_json::from_slice(&body).map_err(|error| ClientError::Malformed(error.to_string())),
            429 => Err(ClientError::RateLimited { attempts }),
            _ if is_retryable(status) => Err(ClientError::Unavailable { status, attempts }),
            _ => Err(ClientError::Rejected { status, message: message(&body) }),
        }
    }
}

/// What an error's body says, in the words of any API; its beginning where it says it in none.
fn message(body: &[u8]) -> String {
    let value: Value = serde_json::from_slice(body).unwrap_or_default();
    let places = ["/error/message", "/0/error/message", "/message"];
    let said = places.iter().find_map(|place| value.pointer(place)?.as_str().map(str::to_owned));
    let text = said.unwrap_or_else(|| String::from_utf8_lossy(body).into_owned());
    beginning(&text).to_owned()
}

/// As much of a text as an error says.
fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(500)]
}
