//! A request, read whole, understood, and found to be one that may be passed on.

use std::{collections::BTreeSet, error::Error, fmt, time::Duration};

use bytes::Bytes;
use http_body_util::{BodyExt, Limited};
use hyper::{
    HeaderMap, Method,
    body::{Body as _, Incoming},
    header::{self, HeaderValue},
    http::request::Parts,
};
use serde_json::Value;

use super::memory::{BodyMemory, LARGEST_BODY, MOST_VALUES, MemoryShare, parsing};
use crate::{
    api::{Api, RequestPurpose},
    json::count_values,
    request_key::{Fingerprint, SessionPaths},
};

/// How long a body may take to come: it comes from this machine.
const BODY_TIME: Duration = Duration::from_secs(30);

/// Which models an agent may ask.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Models {
    /// All, where no provider is behind the gateway.
    #[default]
    Any,
    /// These, by their providers' names.
    Only(BTreeSet<String>),
}

/// What a request has to pass.
pub(super) struct RequestGate<'a> {
    pub(super) models: &'a Models,
    pub(super) memory: &'a BodyMemory,
    /// Where the agent works, if requests are told apart by their content.
    pub(super) places: Option<SessionPaths>,
}

/// A request to a provider's API.
pub(crate) struct Asked {
    pub(super) api: Api,
    pub(super) path: String,
    /// The parameters that the API takes; no other is passed on.
    pub(super) query: String,
    pub(super) headers: HeaderMap,
    pub(super) model: String,
    pub(super) wish: RequestPurpose,
    /// What a provider gets: written anew from what was checked, so that it cannot be read in another way.
    pub(super) body: Bytes,
    /// Where requests are told apart by their content.
    pub(super) fingerprint: Option<Fingerprint>,
    _memory: Option<MemoryShare>,
}

/// Why a request is not answered by any model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RequestRefusal {
    pub(super) api: Option<Api>,
    pub(super) status: u16,
    pub(crate) reason: String,
}

impl RequestRefusal {
    pub(super) fn new(api: Option<Api>, status: u16, reason: impl fmt::Display) -> Self {
        Self { api, status, reason: reason.to_string() }
    }
}

impl Asked {
    /// A request of our own; the error is what is wrong with it.
    pub(crate) fn own(api: Api, path: &str, body: Value, is_recorded: bool) -> Result<Self, String> {
        api.check(&body).map_err(|what| format!("the gateway does not pass on {what}"))?;
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if api == Api::AnthropicMessages {
            headers.insert("anthropic-version", HeaderValue::from_static("2023-06-01"));
        }
        Ok(Self {
            api,
            path: path.to_owned(),
            query: String::new(),
            headers,
            model: api.model(path, &body).to_owned(),
            wish: api.wish(path, &body).map_err(|error| error.to_string())?,
            fingerprint: is_recorded.then(|| Fingerprint::exact(path, &body)),
            body: body.to_string().into(),
            _memory: None,
        })
    }

    pub(super) async fn read(parts: &Parts, body: Incoming, gate: &RequestGate<'_>) -> Result<Self, RequestRefusal> {
        let path = parts.uri.path();
        let known = if parts.method == Method::POST { Api::of_path(path) } else { None };
        let Some(api) = known else {
            let reason = format!("the gateway has no route {} {path}", parts.method);
            return Err(RequestRefusal::new(None, 404, reason));
        };
        let (raw, memory) = read_body(api, body, gate.memory).await?;
        let _alone = parsing().await;
        Self::understand(api, parts, raw, memory, gate)
    }

    /// While this takes its time, a body is in memory in several forms.
    fn understand(
        api: Api,
        parts: &Parts,
        raw: Bytes,
        memory: MemoryShare,
        gate: &RequestGate<'_>,
    ) -> Result<Self, RequestRefusal> {
        let path = parts.uri.path();
        let refuse = |reason: &dyn fmt::Display| RequestRefusal::new(Some(api), 400, reason);
        if count_values(&raw) > MOST_VALUES {
            return Err(RequestRefusal::new(Some(api), 413, "the request's body has too many values"));
        }
        let body: Value = serde_json::from_slice(&raw)
            .map_err(|error| refuse(&format_args!("the request's body is not JSON: {error}")))?;
        drop(raw);
        api.check(&body).map_err(|what| refuse(&format_args!("the gateway does not pass on {what}")))?;
        let wish = api.wish(path, &body).map_err(|error| refuse(&error))?;
        let model = api.model(path, &body).to_owned();
        if !gate.models.has(&model) {
            return Err(refuse(&format_args!("the model {model} is not one of this session's")));
        }
        Ok(Self {
            api,
            path: path.to_owned(),
            query: query(api, parts.uri.query().unwrap_or_default()),
            headers: parts.headers.clone(),
            model,
            wish,
            fingerprint: gate.places.as_ref().map(|places| Fingerprint::of(path, &body, places)),
            body: body.to_string().into(),
            _memory: Some(memory),
        })
    }
}

async fn read_body(api: Api, body: Incoming, memory: &BodyMemory) -> Result<(Bytes, MemoryShare), RequestRefusal> {
    let refuse = |status, reason: &dyn fmt::Display| RequestRefusal::new(Some(api), status, reason);
    let too_large = || refuse(413, &format_args!("the request's body has more than {LARGEST_BODY} bytes"));
    // One that does not say how long it is may be as long as any.
    let length = body.size_hint().upper().map_or(LARGEST_BODY, |length| usize::try_from(length).unwrap_or(usize::MAX));
    if length > LARGEST_BODY {
        return Err(too_large());
    }
    // However long that takes: it is no fault of the agent's.
    let share = memory.reserve(length).await.ok_or_else(too_large)?;
    match tokio::time::timeout(BODY_TIME, whole(body)).await {
        Ok(Ok(body)) => Ok((body.into(), share)),
        Ok(Err(error)) if error.is::<http_body_util::LengthLimitError>() => Err(too_large()),
        Ok(Err(error)) => Err(refuse(400, &format_args!("the request's body cannot be read: {error}"))),
        Err(_) => Err(refuse(408, &"the request's body did not come in time")),
    }
}

/// A body as one piece from the start: kept piece by piece, one of many small chunks would take fifty times its size.
async fn whole(body: Incoming) -> Result<Vec<u8>, Box<dyn Error + Send + Sync>> {
    let (mut body, mut whole) = (Limited::new(body, LARGEST_BODY), Vec::new());
    while let Some(frame) = body.frame().await {
        // Trailers say nothing of a request.
        if let Ok(data) = frame?.into_data() {
            whole.extend_from_slice(&data);
        }
    }
    Ok(whole)
}

/// The parameters of `query` that `api` takes.
fn query(api: Api, query: &str) -> String {
    query.split('&').filter(|parameter| api.takes_parameter(parameter)).collect::<Vec<_>>().join("&")
}

impl Models {
    fn has(&self, model: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Only(models) => models.contains(model),
        }
    }
}
