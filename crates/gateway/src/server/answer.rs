//! An answer on its way to an agent.

use std::{io, pin::Pin, time::Duration};

use bytes::Bytes;
use futures_util::{Stream, StreamExt, stream};
use http_body_util::{BodyExt, StreamBody, combinators::UnsyncBoxBody};
use hyper::{Response, StatusCode, body::Frame, header};
use serde_json::Value;

use super::{asked::RequestRefusal, reading::Reading};
use crate::{
    api::{Api, StreamEvent},
    turn::{Prompt, Turn},
};

pub(super) type Body = UnsyncBoxBody<Bytes, io::Error>;

pub(crate) type Pieces = Pin<Box<dyn Stream<Item = io::Result<Bytes>> + Send>>;

/// An answer whose body is still to come.
pub(crate) struct StreamedAnswer {
    pub(crate) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(crate) pieces: Pieces,
}

impl StreamedAnswer {
    /// A model's turn, as its API says it.
    pub(super) fn turn(api: Api, prompt: &Prompt, turn: &Turn) -> Self {
        let number = prompt.calls_so_far;
        if !prompt.stream {
            return Self::json(200, &api.whole(prompt, turn, number));
        }
        let events = api.events(prompt, turn, number);
        Self::new(200, "text/event-stream", events.iter().map(StreamEvent::to_wire).map(Bytes::from).collect())
    }

    pub(super) fn json(status: u16, value: &Value) -> Self {
        Self::new(status, "application/json", vec![value.to_string().into()])
    }

    pub(super) fn refusal(refusal: &RequestRefusal) -> Self {
        // An agent that asks for what no API has gets the shape that most clients understand.
        let api = refusal.api.unwrap_or(Api::OpenaiChat);
        Self::json(refusal.status, &api.error(refusal.status, &refusal.reason))
    }

    pub(super) fn new(status: u16, content_type: &str, pieces: Vec<Bytes>) -> Self {
        let headers = vec![(header::CONTENT_TYPE.to_string(), content_type.to_owned())];
        Self { status, headers, pieces: Box::pin(stream::iter(pieces.into_iter().map(Ok))) }
    }

    /// A status alone.
    pub(super) fn empty(status: u16) -> Self {
        Self { status, headers: Vec::new(), pieces: Box::pin(stream::empty()) }
    }

    /// What should be JSON and is not.
    pub(super) fn invalid_json(stream: bool) -> Self {
        match stream {
            true => Self::new(200, "text/event-stream", vec!["data: {\"half\": \n\n".into()]),
            false => Self::new(200, "application/json", vec!["{\"half\": ".into()]),
        }
    }

    /// The same, broken off after so many pieces.
    pub(super) fn cut(self, after: usize) -> Self {
        let broken = || Err(io::Error::from(io::ErrorKind::ConnectionAborted));
        // What came before is given time to leave: an error throws away what is not yet sent.
        let broken = stream::once(async move {
            tokio::time::sleep(Duration::from_millis(20)).await;
            broken()
        });
        Self { pieces: Box::pin(self.pieces.take(after).chain(broken)), ..self }
    }

    /// The same, silent after so many pieces.
    pub(super) fn stall(self, after: usize) -> Self {
        Self { pieces: Box::pin(self.pieces.take(after).chain(stream::pending())), ..self }
    }

    /// A reader of what it says in `api`; an answer without success has its say in its status.
    pub(super) fn reading(&self, api: Api) -> Option<Reading> {
        let content_type = self.headers.iter().find(|(name, _)| name == "content-type");
        let content_type = content_type.map_or("", |(_, value)| value.as_str());
        (200..300).contains(&self.status).then(|| Reading::new(api, content_type))
    }

    pub(super) fn into_response(self) -> Response<Body> {
        let body = StreamBody::new(self.pieces.map(|piece| piece.map(Frame::data)));
        let mut response = Response::new(BodyExt::boxed_unsync(body));
        *response.status_mut() = StatusCode::from_u16(self.status).unwrap_or(StatusCode::BAD_GATEWAY);
        for (name, value) in self.headers {
            if let (Ok(name), Ok(value)) = (header::HeaderName::try_from(name), value.try_into()) {
                response.headers_mut().append(name, value);
            }
        }
        response
    }
}
