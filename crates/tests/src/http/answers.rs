//! Comparing answers with what is expected of them.

use slopbench_sandbox::{RawResponse, ResponseEnd, message::HttpMessage};

use super::{
    captures::Captures,
    steps::{Payload, StepRequest},
};
use crate::{Mismatch, excerpt::excerpt, matching};

impl StepRequest {
    /// The request's bytes, with captured values in their places.
    pub(crate) fn bytes(&self, captures: &Captures) -> Vec<u8> {
        let (body, kind) = match &self.payload {
            Payload::None => (String::new(), None),
            Payload::Text(text) => (captures.fill(text), None),
            Payload::Json(value) => (captures.fill_json(value).to_string(), Some("application/json")),
        };
        let length =
            (!body.is_empty() || !matches!(self.method.as_str(), "GET" | "HEAD")).then(|| body.len().to_string());
        let usual = [
            ("Host", Some("localhost")),
            ("Connection", Some("close")),
            ("Content-Type", kind),
            ("Content-Length", length.as_deref()),
        ];
        let mut head = format!("{} {} HTTP/1.1\r\n", self.method, captures.fill(&self.target));
        let own = |name: &str| self.headers.iter().any(|(other, _)| other.eq_ignore_ascii_case(name));
        for (name, value) in usual.into_iter().filter(|(name, _)| !own(name)) {
            head.extend(value.map(|value| format!("{name}: {value}\r\n")));
        }
        head.extend(self.headers.iter().map(|(name, value)| format!("{name}: {}\r\n", captures.fill(value))));
        format!("{head}\r\n{body}").into_bytes()
    }

    /// Reads an answer, or says in one sentence why it is none.
    pub(crate) fn message(&self, answer: &RawResponse) -> Result<HttpMessage, String> {
        let length = answer.bytes.len();
        Err(match answer.ending {
            ResponseEnd::Whole => {
                let message = HttpMessage::parse(&answer.bytes, self.method == "HEAD");
                return message.ok_or_else(|| "the answer is not HTTP/1.1".to_owned());
            }
            ResponseEnd::Refused => "no one listens any more".to_owned(),
            ResponseEnd::Closed => format!("the connection ended after {length} bytes, before the answer did"),
            ResponseEnd::Late => format!("no whole answer in time, {length} bytes of one"),
            ResponseEnd::TooLarge => format!("the answer is larger than the limit, {length} bytes"),
            ResponseEnd::Garbage => {
                let start = String::from_utf8_lossy(answer.bytes.get(..length.min(80)).unwrap_or_default());
                format!("the answer is not HTTP/1.1; it begins with {start:?}")
            }
        })
    }

    /// What of an answer is not as expected; `step` names it.
    pub(crate) fn mismatches(&self, step: &str, message: &HttpMessage, captures: &Captures) -> Vec<Mismatch> {
        let status = self.status.filter(|expected| *expected != message.status).map(|expected| {
            let body = String::from_utf8_lossy(&message.body);
            let detail = format!("expected {expected}, got {}: {}", message.status, excerpt(&body));
            Mismatch::sentence(
                &format!("{step} status"),
                format!("{} {}: {detail}", self.method, captures.fill(&self.target)),
            )
        });
        let headers = self.expect_headers.iter().filter_map(|(name, expectation)| {
            let what = format!("{step} header {}", name.to_ascii_lowercase());
            let values: Vec<&[u8]> = message
                .headers
                .iter()
                .filter(|(other, _)| other.eq_ignore_ascii_case(name))
                .map(|(_, value)| value.as_slice())
                .collect();
            match (values.is_empty(), expectation.is_absent()) {
                (true, true) => None,
                (true, false) => Some(Mismatch::sentence(&what, "expected a header, there is none".to_owned())),
                _ => expectation.filled(captures).check(&what, &values.join(b", ".as_slice())),
            }
        });
        let body = self.expect_body.as_ref();
        let body = body.and_then(|body| body.filled(captures).check(&format!("{step} body"), &message.body));
        status.into_iter().chain(headers).chain(body).collect()
    }
}

/// Compares the answers to requests that were sent at the same time. Those to the very same request are compared in
/// whatever order fits: no one knows which the server took first.
pub(crate) fn together(
    step: &str,
    asked: &[(&StepRequest, Vec<u8>, HttpMessage)],
    captures: &Captures,
) -> Vec<Mismatch> {
    let mut mismatches = Vec::new();
    for (index, (request, bytes, message)) in asked.iter().enumerate() {
        let same: Vec<usize> =
            asked.iter().enumerate().filter(|(_, (_, other, _))| other == bytes).map(|(index, _)| index).collect();
        match same.as_slice() {
            [_] => mismatches.extend(request.mismatches(&format!("{step}.{}", index + 1), message, captures)),
            [first, ..] if *first == index => {
                mismatches.extend(unmatched(&format!("{step}.{}", index + 1), asked, &same, captures));
            }
            _ => {}
        }
    }
    mismatches
}

/// The first of the `same` requests that gets none of their answers, whichever way they are dealt out.
fn unmatched(
    step: &str,
    asked: &[(&StepRequest, Vec<u8>, HttpMessage)],
    same: &[usize],
    captures: &Captures,
) -> Option<Mismatch> {
    let group: Vec<_> = same.iter().filter_map(|index| asked.get(*index)).collect();
    let fits = |request: usize, answer: usize| {
        let pair = group.get(request).zip(group.get(answer));
        pair.is_some_and(|((request, ..), (.., message))| request.mismatches(step, message, captures).is_empty())
    };
    let lost = matching::unpaired(group.len(), group.len(), fits)?;
    let (request, ..) = group.get(lost)?;
    let mut statuses: Vec<u16> = group.iter().map(|(.., message)| message.status).collect();
    statuses.sort_unstable();
    let example = group.iter().flat_map(|(.., message)| request.mismatches(step, message, captures)).next();
    let example = example.map_or(String::new(), |mismatch| format!("; {}: {}", mismatch.what, mismatch.detail));
    let detail = format!("of {} answers to the same request (status {statuses:?}), too few fit{example}", group.len());
    Some(Mismatch::sentence(&format!("{step} answers"), detail))
}
