//! A request, read whole and understood.

use std::fmt;

use bytes::Bytes;
use http_body_util::{BodyExt, Limited};
use hyper::{HeaderMap, Method, body::Incoming, http::request::Parts};
use serde_json::Value;

use crate::api::{Api, Wish};

/// The largest request body that is read, in bytes. Prompts of a million tokens take some 5 MB.
const BODY_LIMIT: usize = 64 << 20;

/// A request to a provider's API.
pub(super) struct Asked {
    pub(super) api: Api,
    pub(super) path: String,
    pub(super) query: String,
    pub(super) headers: HeaderMap,
    /// The body as it came, and as JSON.
    pub(super) raw: Bytes,
    pub(super) body: Value,
    pub(super) wish: Wish,
}

/// Why a request is not answered by any model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) api: Option<Api>,
    pub(super) status: u16,
    pub(super) reason: String,
}

impl Refusal {
    pub(super) fn new(api: Option<Api>, status: u16, reason: impl fmt::Display) -> Self {
        Self { api, status, reason: reason.to_string() }
    }
}

impl Asked {
    pub(super) async fn read(parts: &Parts, body: Incoming) -> Result<Self, Refusal> {
        let path = parts.uri.path();
        let known = if parts.method == Method::POST { Api::of_path(path) } else { None };
        let Some(api) = known else {
            let reason = format!("the gateway has no route {} {path}", parts.method);
            return Err(Refusal::new(None, 404, reason));
        };
        let refuse = |reason: &dyn fmt::Display| Refusal::new(Some(api), 400, reason);
        let raw: Bytes = match Limited::new(body, BODY_LIMIT).collect().await {
            Ok(body) => body.to_bytes(),
            Err(error) => return Err(refuse(&format_args!("the request's body cannot be read: {error}"))),
        };
        let body: Value = serde_json::from_slice(&raw)
            .map_err(|error| refuse(&format_args!("the request's body is not JSON: {error}")))?;
        let wish = api.wish(path, &body).map_err(|error| refuse(&error))?;
        let query = parts.uri.query().unwrap_or_default().to_owned();
        Ok(Self { api, path: path.to_owned(), query, headers: parts.headers.clone(), raw, body, wish })
    }
}
