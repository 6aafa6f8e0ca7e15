//! A provider's answer, read along while it passes: whether it is a whole one, and what tokens it tells of.

use std::mem;

use serde_json::Value;

use crate::{
    api::{Api, passing_failure},
    turn::TokenUsage,
};

/// The most that is kept of an answer to be read, in bytes: of one that is no stream, and of a stream's event.
const LARGEST: usize = 16 << 20;

/// An answer with a good status, as far as it came.
pub(super) struct Reading {
    api: Api,
    body: PartialBody,
    flaw: Option<String>,
    used: TokenUsage,
}

enum PartialBody {
    /// One JSON value.
    Whole(Vec<u8>),
    /// Server-sent events: the line and the event that are not whole yet, and whether the last event was there.
    Events { line: Vec<u8>, data: Vec<u8>, ended: bool },
}

impl Reading {
    /// Begins to read an answer of `api` with this content type.
    pub(super) fn new(api: Api, content_type: &str) -> Self {
        let body = match content_type.starts_with("text/event-stream") {
            true => PartialBody::Events { line: Vec::new(), data: Vec::new(), ended: false },
            false => PartialBody::Whole(Vec::new()),
        };
        Self { api, body, flaw: None, used: TokenUsage::default() }
    }

    /// Reads on.
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        let PartialBody::Events { line, data, .. } = &mut self.body else {
            return self.keep(bytes);
        };
        if line.len() + data.len() + bytes.len() > LARGEST {
            self.flaw.get_or_insert_with(|| "is too large".to_owned());
            return;
        }
        let mut pieces = bytes.split(|byte| *byte == b'\n');
        line.extend_from_slice(pieces.next().unwrap_or_default());
        for piece in pieces {
            self.end_line(piece);
        }
    }

    /// Whether an agent has all that it waits for, though the connection may still be open.
    pub(super) fn has_ended(&self) -> bool {
        self.flaw.is_none() && matches!(self.body, PartialBody::Events { ended: true, .. })
    }

    /// The tokens that it tells of, as far as it came.
    pub(super) fn used(&self) -> TokenUsage {
        self.used
    }

    /// What is wrong with the answer, now that all of it is there: what comes after "the provider's answer".
    pub(super) fn finish(&mut self) -> Option<String> {
        // The last event may lack its empty line.
        self.end_line(b"");
        self.end_line(b"");
        let flaw = match &self.body {
            PartialBody::Events { ended, .. } => (!ended).then(|| "ended before its last event".to_owned()),
            PartialBody::Whole(body) => match serde_json::from_slice::<Value>(body) {
                Ok(answer) => {
                    self.used = self.api.usage(&answer);
                    None
                }
                Err(_) => Some(not_json()),
            },
        };
        self.flaw.take().or(flaw)
    }

    fn keep(&mut self, bytes: &[u8]) {
        let PartialBody::Whole(body) = &mut self.body else { return };
        if body.len() + bytes.len() > LARGEST {
            self.flaw.get_or_insert_with(|| "is too large".to_owned());
            return;
        }
        body.extend_from_slice(bytes);
    }

    /// The current line is whole, and `next` is the beginning of the one after it.
    fn end_line(&mut self, next: &[u8]) {
        let PartialBody::Events { line, data, .. } = &mut self.body else { return };
        let ended = mem::replace(line, next.to_vec());
        match (ended.trim_ascii_end(), ended.strip_prefix(b"data:")) {
            (b"", _) => {
                let event = mem::take(data);
                self.event(event.trim_ascii());
            }
            (_, Some(more)) => {
                data.extend_from_slice(more);
                data.push(b'\n');
            }
            _ => {}
        }
    }

    fn event(&mut self, text: &[u8]) {
        let last = match text {
            b"" => return,
            b"[DONE]" => true,
            _ => match serde_json::from_slice(text) {
                Ok(event) => {
                    self.used = self.used.most(self.api.usage(&event));
                    let failure = passing_failure(&event);
                    self.flaw = self.flaw.take().or(failure.map(|kind| format!("ended in the error {kind}")));
                    self.api.is_last(&event)
                }
                Err(_) => {
                    self.flaw = self.flaw.take().or_else(|| Some(not_json()));
                    false
                }
            },
        };
        if let PartialBody::Events { ended, .. } = &mut self.body {
            *ended |= last;
        }
    }
}

fn not_json() -> String {
    "is not JSON".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::turn::{Prompt, Turn};

    const APIS: [Api; 4] = [Api::AnthropicMessages, Api::OpenaiResponses, Api::OpenaiChat, Api::Gemini];

    fn read<'a>(api: Api, content_type: &str, pieces: impl IntoIterator<Item = &'a [u8]>) -> (bool, Option<String>) {
        let mut reading = Reading::new(api, content_type);
        pieces.into_iter().for_each(|piece| reading.feed(piece));
        (reading.has_ended(), reading.finish())
    }

    fn events(api: Api) -> String {
        let prompt = Prompt { model: "m".into(), stream: true, ..Prompt::default() };
        let turn = Turn { text: "Done.".into(), ..Turn::default() };
        api.events(&prompt, &turn, 1).iter().map(crate::api::StreamEvent::to_wire).collect()
    }

    #[test]
    fn every_api_says_when_a_turn_ends_however_it_is_cut_into_pieces() {
        for api in APIS {
            let text = events(api);
            for size in [1, 7, text.len()] {
                let read = read(api, "text/event-stream; charset=utf-8", text.as_bytes().chunks(size));
                assert_eq!(read, (true, None), "{api:?} in pieces of {size}");
            }
            let half = &text.as_bytes()[..text.len() / 3];
            let half = half.rsplitn(2, |byte| *byte == b'\n').last().unwrap();
            let read = read(api, "text/event-stream", [half]);
            assert!(!read.0 && read.1.is_some(), "{api:?}: {read:?}");
        }
    }

    #[test]
    fn a_failure_inside_a_success_is_told_by_its_kind() {
        let rows = [
            (Api::AnthropicMessages, r#"{"type": "error", "error": {"type": "overloaded_error"}}"#, "overloaded_error"),
            (
                Api::OpenaiResponses,
                r#"{"type": "response.failed", "response": {"error": {"code": "server_error"}}}"#,
                "server_error",
            ),
            (Api::OpenaiChat, r#"{"error": {"code": 503, "message": "x"}}"#, "503"),
            (Api::Gemini, r#"{"error": {"code": 503, "status": "UNAVAILABLE"}}"#, "503"),
        ];
        for (api, event, kind) in rows {
            let text = format!("data: {event}\n\n");
            let expected = (false, Some(format!("ended in the error {kind}")));
            assert_eq!(read(api, "text/event-stream", [text.as_bytes()]), expected);
        }
        // What the agent asked for in vain is its own affair.
        let refused = r#"data: {"type": "response.failed", "response": {"error": {"code": "invalid_prompt"}}}"#;
        assert_eq!(read(Api::OpenaiResponses, "text/event-stream", [refused.as_bytes()]).1, None);
    }

    #[test]
    fn what_is_no_json_is_no_answer() {
        let flaw = |content_type, body: &str| read(Api::AnthropicMessages, content_type, [body.as_bytes()]).1;
        let not_json = Some("is not JSON".to_owned());
        assert_eq!(flaw("text/event-stream", "data: {\"half\": \n\n"), not_json);
        assert_eq!(flaw("application/json", "{\"half\": "), not_json);
        assert_eq!(flaw("text/html", "<p>Log in to this network first."), not_json);
        assert_eq!(flaw("application/json", "{\"input_tokens\": 1}"), None);
        assert_eq!(flaw("text/event-stream", ": ping\r\n\r\n"), Some("ended before its last event".to_owned()));
    }
}
