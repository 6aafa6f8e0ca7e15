//! Passing a request on to its provider, with the key that only the gateway knows.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use hyper::header::{HeaderMap, HeaderName};

use super::{
    answer::Answer,
    asked::{Asked, Refusal},
};
use crate::{
    patience::{Clock, Patience, chance, may_pass, wait_said},
    provider::Provider,
};

/// The way to the providers.
#[derive(Debug)]
pub struct Forwarder {
    providers: Vec<Provider>,
    patience: Patience,
    clock: Arc<dyn Clock>,
    http: reqwest::Client,
}

/// What became of a request.
pub(super) struct Sent {
    /// What the agent gets.
    pub(super) answer: Answer,
    /// How often the provider was asked.
    pub(super) attempts: u32,
    /// Why the answer is ours and not the provider's, where it is.
    pub(super) unreached: Option<String>,
}

/// No HTTPS client can be made on this machine.
#[derive(Debug, thiserror::Error)]
#[error("no HTTPS client can be made: {0}; are there CA certificates?")]
pub struct ForwardError(#[from] reqwest::Error);

/// Headers that belong to one connection, or that tell who asks.
const DROPPED: &[&str] = &[
    "accept-encoding",
    "authorization",
    "connection",
    "content-encoding",
    "content-length",
    "cookie",
    "host",
    "keep-alive",
    "proxy-authorization",
    "proxy-connection",
    "set-cookie",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "x-api-key",
    "x-goog-api-key",
];

impl Forwarder {
    /// A way to these providers; the first that speaks an API gets its requests. A stream that is silent for `idle` is
    /// taken for dead.
    pub fn new(
        providers: Vec<Provider>,
        patience: Patience,
        clock: Arc<dyn Clock>,
        idle: Duration,
    ) -> Result<Self, ForwardError> {
        // Another part of the process may have chosen one already; that is as good.
        drop(rustls::crypto::ring::default_provider().install_default());
        let http = reqwest::Client::builder().no_proxy().read_timeout(idle).build()?;
        Ok(Self { providers, patience, clock, http })
    }

    /// Asks the provider, and tells of every attempt. Answers that may be other ones later are waited for, until patience
    /// ends; then the last is passed on as it is.
    pub(super) async fn send(&self, asked: &Asked, attempted: impl Fn(u32)) -> Result<Sent, Refusal> {
        let provider = self.providers.iter().find(|provider| provider.api == asked.api).ok_or_else(|| {
            let reason = format!("no provider speaks {}", asked.api.title());
            Refusal::new(Some(asked.api), 403, reason)
        })?;
        let (mut waited, mut attempts) = (Duration::ZERO, 0);
        loop {
            attempts += 1;
            attempted(attempts);
            let (answer, unreached, said) = match self.request(provider, asked).send().await {
                Ok(response) if !may_pass(response.status().as_u16()) => {
                    return Ok(Sent { answer: answer(response), attempts, unreached: None });
                }
                Ok(response) => {
                    let (answer, said) = self.failure(response).await;
                    (answer, None, said)
                }
                Err(error) => {
                    let reason = unreached(&error);
                    (Answer::json(502, &asked.api.error(502, &reason)), Some(reason), None)
                }
            };
            let Some(pause) = self.patience.pause(attempts, waited, said, chance(&*self.clock)) else {
                return Ok(Sent { answer, attempts, unreached });
            };
            self.clock.sleep(pause).await;
            waited += pause;
        }
    }

    fn request(&self, provider: &Provider, asked: &Asked) -> reqwest::RequestBuilder {
        // Some clients put the key into the query.
        let query = asked.query.split('&').filter(|pair| !pair.is_empty() && !pair.starts_with("key="));
        let query = query.collect::<Vec<_>>().join("&");
        let mark = if query.is_empty() { "" } else { "?" };
        let url = format!("{}{}{mark}{query}", provider.base, asked.path);
        let request = self.http.post(url).headers(kept(&asked.headers)).body(asked.raw.clone());
        request.header(provider.header.as_str(), provider.secret.reveal())
    }

    /// A failure, read whole, and what it says about when to come back.
    async fn failure(&self, response: reqwest::Response) -> (Answer, Option<Duration>) {
        let (status, headers) = (response.status().as_u16(), kept(response.headers()));
        // A failure whose text breaks off is still that failure.
        let body = response.bytes().await.unwrap_or_default();
        let header = |name: &str| headers.get(name)?.to_str().ok().map(str::to_owned);
        let said = wait_said(header, &body, self.clock.now());
        let pieces = stream::iter([Ok(body)]).boxed();
        (Answer { status, headers: pairs(&headers), pieces }, said)
    }
}

fn answer(response: reqwest::Response) -> Answer {
    let (status, headers) = (response.status().as_u16(), pairs(&kept(response.headers())));
    let pieces = response.bytes_stream().map_ok(Bytes::from).map_err(std::io::Error::other);
    Answer { status, headers, pieces: pieces.boxed() }
}

fn unreached(error: &reqwest::Error) -> String {
    // Without the address, which may hold what the agent put there.
    let kind = if error.is_timeout() { "it was silent for too long" } else { "the connection failed" };
    format!("the provider gave no answer: {kind}")
}

fn kept(headers: &HeaderMap) -> HeaderMap {
    let is_kept = |name: &HeaderName| !DROPPED.contains(&name.as_str());
    let kept = headers.iter().filter(|(name, _)| is_kept(name));
    kept.map(|(name, value)| (name.clone(), value.clone())).collect()
}

fn pairs(headers: &HeaderMap) -> Vec<(String, String)> {
    let text = headers.iter().filter_map(|(name, value)| Some((name.to_string(), value.to_str().ok()?.to_owned())));
    text.collect()
}
