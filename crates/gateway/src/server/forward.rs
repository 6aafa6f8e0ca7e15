//! Passing a request on to its provider, with the key that only the gateway knows.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use hyper::header::{HeaderMap, HeaderName};

use super::{
    answer::StreamedAnswer,
    asked::{Asked, RequestRefusal},
    redact::Redactor,
};
use crate::{
    backoff::{Clock, RetryPolicy, chance, is_retryable, wait_said},
    provider::{Header, Provider},
};

/// The way to the providers.
#[derive(Debug)]
pub struct Forwarder {
    providers: Vec<Provider>,
    retry_policy: RetryPolicy,
    clock: Arc<dyn Clock>,
    http: reqwest::Client,
}

/// What became of a request.
pub(super) struct ForwardedRequest {
    /// What the agent gets.
    pub(super) answer: StreamedAnswer,
    /// How often the provider was asked.
    pub(super) attempts: u32,
    /// Why the answer is ours and not the provider's, where it is.
    pub(super) unreached: Option<String>,
}

/// No HTTPS client can be made on this machine.
#[derive(Debug, thiserror::Error)]
#[error("no HTTPS client can be made: {0}; are there CA certificates?")]
pub struct ForwardError(#[from] reqwest::Error);

/// The headers of a request that a provider gets. Others may choose an account, or what nobody has thought of.
const ASKED: &[&str] = &[
    "accept",
    "anthropic-beta",
    "anthropic-dangerous-direct-browser-access",
    "anthropic-version",
    "content-type",
    "conversation_id",
    "openai-beta",
    "originator",
    "session_id",
    "user-agent",
    "x-app",
    "x-goog-api-client",
];

/// Headers of an answer that belong to one connection, or that lead elsewhere.
const DROPPED: &[&str] = &[
    "connection",
    "content-encoding",
    "content-length",
    "keep-alive",
    "location",
    "proxy-connection",
    "set-cookie",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// The most that is read of a failure's text, in bytes.
const LONGEST_FAILURE: usize = 1 << 20;

impl Forwarder {
    /// A way to these providers; the first that speaks an API gets its requests. A stream that is silent for `idle` is
    /// taken for dead.
    ///
    /// # Errors
    ///
    /// [`ForwardError`] if this machine has no certificates to check servers with.
    pub fn new(
        providers: Vec<Provider>,
        retry_policy: RetryPolicy,
        clock: Arc<dyn Clock>,
        idle: Duration,
    ) -> Result<Self, ForwardError> {
        // Another part of the process may have chosen one already; that is as good.
        drop(rustls::crypto::ring::default_provider().install_default());
        let http = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .read_timeout(idle)
            .build()?;
        Ok(Self { providers, retry_policy, clock, http })
    }

    /// Asks the provider, and tells of every attempt. Answers that may be other ones later are waited for, until the retry policy
    /// ends; then the last is passed on as it is.
    pub(super) async fn send(
        &self,
        asked: &Asked,
        attempted: impl Fn(u32),
    ) -> Result<ForwardedRequest, RequestRefusal> {
        let provider = self.providers.iter().find(|provider| provider.apis.contains(&asked.api)).ok_or_else(|| {
            let reason = format!("no provider speaks {}", asked.api.title());
            RequestRefusal::new(Some(asked.api), 403, reason)
        })?;
        let (mut waited, mut attempts) = (Duration::ZERO, 0);
        loop {
            attempts += 1;
            attempted(attempts);
            let (answer, unreached, said) = match self.request(provider, asked).send().await {
                Ok(response) if response.status().is_redirection() => {
                    // The key must not go to wherever that is.
                    let reason = "the provider redirects to another address, which is not followed".to_owned();
                    let answer = StreamedAnswer::json(502, &asked.api.error(502, &reason));
                    return Ok(ForwardedRequest { answer, attempts, unreached: Some(reason) });
                }
                Ok(response) if !is_retryable(response.status().as_u16()) => {
                    return Ok(ForwardedRequest { answer: answer(response, provider), attempts, unreached: None });
                }
                Ok(response) => {
                    let (answer, said) = self.failure(response, provider).await;
                    (answer, None, said)
                }
                Err(error) => {
                    let reason = unreached(&error);
                    (StreamedAnswer::json(502, &asked.api.error(502, &reason)), Some(reason), None)
                }
            };
            let Some(pause) = self.retry_policy.pause(attempts, waited, said, chance(&*self.clock)) else {
                return Ok(ForwardedRequest { answer, attempts, unreached });
            };
            self.clock.sleep(pause).await;
            waited += pause;
        }
    }

    fn request(&self, provider: &Provider, asked: &Asked) -> reqwest::RequestBuilder {
        let mark = if asked.query.is_empty() { "" } else { "?" };
        let url = format!("{}{mark}{}", provider.url(&asked.path), asked.query);
        let is_passed = |name: &HeaderName| ASKED.contains(&name.as_str()) || name.as_str().starts_with("x-stainless-");
        let mut headers = only(&asked.headers, is_passed);
        for (name, value) in provider.headers.iter().map(Header::pair) {
            headers.insert(name, value);
        }
        self.http.post(url).headers(headers).body(asked.body.clone())
    }

    /// A failure, read whole, and what it says about when to come back.
    async fn failure(
        &self,
        mut response: reqwest::Response,
        provider: &Provider,
    ) -> (StreamedAnswer, Option<Duration>) {
        let (status, kept) = (response.status().as_u16(), response.headers().clone());
        let mut body = Vec::new();
        // A failure whose text breaks off is still that failure.
        while let Ok(Some(piece)) = response.chunk().await {
            body.extend_from_slice(&piece);
            if body.len() > LONGEST_FAILURE {
                break;
            }
        }
        let header = |name: &str| kept.get(name)?.to_str().ok().map(str::to_owned);
        let said = wait_said(header, &body, self.clock.now());
        let redactor = provider.redactor();
        let headers = headers(&kept, &redactor);
        (StreamedAnswer { status, headers, pieces: redactor.pieces(stream::iter([Ok(body.into())]).boxed()) }, said)
    }
}

fn answer(response: reqwest::Response, provider: &Provider) -> StreamedAnswer {
    let redactor = provider.redactor();
    let (status, headers) = (response.status().as_u16(), headers(response.headers(), &redactor));
    let pieces = response.bytes_stream().map_ok(Bytes::from).map_err(std::io::Error::other);
    StreamedAnswer { status, headers, pieces: redactor.pieces(pieces.boxed()) }
}

fn unreached(error: &reqwest::Error) -> String {
    // Without the address, which may hold what the agent put there.
    let kind = if error.is_timeout() { "it was silent for too long" } else { "the connection failed" };
    format!("the provider gave no answer: {kind}")
}

fn only(headers: &HeaderMap, is_wanted: impl Fn(&HeaderName) -> bool) -> HeaderMap {
    let wanted = headers.iter().filter(|(name, _)| is_wanted(name));
    wanted.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// An answer's headers as the agent gets them.
fn headers(headers: &HeaderMap, redactor: &Redactor) -> Vec<(String, String)> {
    let kept = only(headers, |name| !DROPPED.contains(&name.as_str()));
    let text = kept.iter().filter_map(|(name, value)| Some((name.to_string(), redactor.text(value.to_str().ok()?))));
    text.collect()
}

impl Provider {
    fn redactor(&self) -> Redactor {
        Redactor::of(self.secrets())
    }
}
