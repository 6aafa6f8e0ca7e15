//! What a case does with a server, checked once when it is loaded.

use std::{num::NonZeroU32, ops::RangeInclusive, time::Duration};

use toml::Spanned;

use super::{
    captures::Known,
    format::{AnswerFile, ServerFile, StepFile},
};
use crate::{
    error::Flaw,
    expect::{Expectation, expectation},
    expect_format::ComparisonFile,
    json::Json,
};

/// How a problem's servers are started.
#[derive(Debug)]
pub struct Server {
    /// The environment variable with the port that the server has to listen on, on 127.0.0.1; without one, its arguments tell it.
    pub port_variable: Option<String>,
    /// The path that is asked until there is an answer, whatever it is.
    pub ready: String,
    /// How long the first answer may take.
    pub ready_within: Duration,
    /// How long any other answer may take.
    pub answer_within: Duration,
}

/// One step of a case.
#[derive(Debug)]
pub(crate) enum HttpStep {
    /// Kill the server and start it again.
    Restart,
    /// Send these requests at the same time.
    Ask(Vec<StepRequest>),
}

/// One request, and what is expected of its answer.
#[derive(Clone, Debug)]
pub(crate) struct StepRequest {
    pub(crate) method: String,
    pub(crate) target: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) payload: Payload,
    pub(crate) capture: Vec<(String, String)>,
    pub(crate) status: Option<u16>,
    pub(crate) expect_headers: Vec<(String, Expectation)>,
    pub(crate) expect_body: Option<Expectation>,
}

/// A request's body.
#[derive(Clone, Debug)]
pub(crate) enum Payload {
    None,
    Text(String),
    Json(Json),
}

/// How long a server may take where a problem does not say.
const TIMEOUT: Duration = Duration::from_secs(5);

/// How many requests a step may send at the same time.
const TOGETHER: RangeInclusive<usize> = 1..=64;

impl Server {
    pub(crate) fn new(file: ServerFile) -> Result<Self, Flaw> {
        let is_wrong = |name: &&Spanned<String>| name.as_ref().is_empty() || name.as_ref().contains(['=', '\0']);
        if let Some(name) = file.port_variable.as_ref().filter(is_wrong) {
            return Err(Flaw::at(name, "not the name of an environment variable"));
        }
        check_target(&file.ready, file.ready.as_ref())?;
        let millis =
            |given: Option<NonZeroU32>| given.map_or(TIMEOUT, |given| Duration::from_millis(u64::from(given.get())));
        Ok(Self {
            port_variable: file.port_variable.map(Spanned::into_inner),
            ready: file.ready.into_inner(),
            ready_within: millis(file.ready_ms),
            answer_within: millis(file.answer_ms),
        })
    }
}

/// The steps of a case, in order.
pub(crate) fn steps(files: Vec<Spanned<StepFile>>) -> Result<Vec<HttpStep>, Flaw> {
    let mut known = Known::default();
    files.into_iter().map(|file| step(file, &mut known)).collect()
}

const KINDS: &str = "a step has either `request`, `together` or `restart = true`";

fn step(spanned: Spanned<StepFile>, known: &mut Known) -> Result<HttpStep, Flaw> {
    let wrong = Flaw::at(&spanned, KINDS);
    match spanned.as_ref() {
        StepFile { restart: None, together: None, request: Some(_), .. } => {
            let times = times(spanned.as_ref())?;
            Ok(HttpStep::Ask(vec![request(spanned, known)?; times]))
        }
        StepFile { restart: None, together: Some(_), request: None, .. } => together(spanned, known),
        StepFile { restart: Some(restart), together: None, request: None, .. } if *restart.as_ref() => {
            only(&spanned, "restart")?;
            Ok(HttpStep::Restart)
        }
        _ => Err(wrong),
    }
}

fn together(spanned: Spanned<StepFile>, known: &mut Known) -> Result<HttpStep, Flaw> {
    only(&spanned, "together")?;
    let count = Flaw::at(&spanned, format!("{} to {} requests go together", TOGETHER.start(), TOGETHER.end()));
    let mut requests = Vec::new();
    for part in spanned.into_inner().together.map(Spanned::into_inner).unwrap_or_default() {
        let file = part.as_ref();
        if file.request.is_none() || file.restart.is_some() || file.together.is_some() {
            return Err(Flaw::at(&part, "what goes together is requests, each with `request`"));
        }
        if let Some(name) = file.capture.keys().next() {
            return Err(Flaw::at(
                name,
                "capture in a step of its own: which of several answers comes first is not known",
            ));
        }
        let times = times(file)?;
        requests.extend(vec![request(part, known)?; times]);
    }
    if TOGETHER.contains(&requests.len()) { Ok(HttpStep::Ask(requests)) } else { Err(count) }
}

/// Refuses a step with anything beside its key.
fn only(spanned: &Spanned<StepFile>, key: &str) -> Result<(), Flaw> {
    let StepFile { times, headers, body, json, capture, expect, .. } = spanned.as_ref();
    let is_alone = times.is_none()
        && headers.is_empty()
        && body.is_none()
        && json.is_none()
        && capture.is_empty()
        && matches!(expect, AnswerFile { status: None, body: None, headers } if headers.is_empty());
    if is_alone { Ok(()) } else { Err(Flaw::at(spanned, format!("beside `{key}`, nothing stands in its step"))) }
}

fn times(file: &StepFile) -> Result<usize, Flaw> {
    let Some(times) = &file.times else { return Ok(1) };
    let count = usize::try_from(times.as_ref().get()).unwrap_or(usize::MAX);
    if !TOGETHER.contains(&count) {
        return Err(Flaw::at(times, format!("{} to {} requests go together", TOGETHER.start(), TOGETHER.end())));
    }
    if count > 1 && !file.capture.is_empty() {
        return Err(Flaw::at(times, "capture in a step of its own: which of several answers comes first is not known"));
    }
    Ok(count)
}

fn request(spanned: Spanned<StepFile>, known: &mut Known) -> Result<StepRequest, Flaw> {
    let two = Flaw::at(&spanned, "a request has `body` or `json`, not both");
    let StepFile { request, headers, body, json, capture, expect, .. } = spanned.into_inner();
    let (method, target) = request.map(|line| request_line(line, known)).transpose()?.unwrap_or_default();
    let headers = headers.into_iter().map(|field| header(field, known)).collect::<Result<_, _>>()?;
    let payload = match (body, json) {
        (None, None) => Payload::None,
        (Some(text), None) => {
            known.check(&text, text.as_ref())?;
            Payload::Text(text.into_inner())
        }
        (None, Some(text)) => {
            known.check(&text, text.as_ref())?;
            Payload::Json(Json::parse(text.as_ref(), &str::to_owned).map_err(|error| Flaw::at(&text, error))?)
        }
        (Some(_), Some(_)) => return Err(two),
    };
    let capture = capture.into_iter().map(|place| pointer(place, known)).collect::<Result<_, _>>()?;
    let want = |(name, file): (Spanned<String>, Spanned<ComparisonFile>)| {
        check_places(&file, known)?;
        Ok((name.into_inner(), expectation(file, true)?))
    };
    let expect_headers = expect.headers.into_iter().map(want).collect::<Result<_, _>>()?;
    let expect_body = expect.body.map(|file| check_places(&file, known).and_then(|()| expectation(file, false)));
    let expect_body = expect_body.transpose()?;
    Ok(StepRequest { method, target, headers, payload, capture, status: expect.status, expect_headers, expect_body })
}

fn request_line(line: Spanned<String>, known: &Known) -> Result<(String, String), Flaw> {
    known.check(&line, line.as_ref())?;
    let Some((method, target)) = line.as_ref().split_once(' ') else {
        return Err(Flaw::at(&line, "a request is a method and a path, as in \"GET /jobs\""));
    };
    if method.is_empty() || !method.bytes().all(|byte| byte.is_ascii_uppercase()) {
        return Err(Flaw::at(&line, format!("`{method}` is no method: expected upper-case letters")));
    }
    check_target(&line, target)?;
    Ok((method.to_owned(), target.to_owned()))
}

fn check_target<T>(at: &Spanned<T>, target: &str) -> Result<(), Flaw> {
    if target.starts_with('/') && target.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Ok(());
    }
    Err(Flaw::at(
        at,
        format!("`{target}` is no path: expected `/` first, no blank, and only ASCII; escape others as %20"),
    ))
}

fn header((name, value): (Spanned<String>, Spanned<String>), known: &Known) -> Result<(String, String), Flaw> {
    known.check(&value, value.as_ref())?;
    let token = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if name.as_ref().is_empty() || !name.as_ref().bytes().all(token) {
        return Err(Flaw::at(&name, "a header's name is letters, digits, `-` and `_`"));
    }
    if value.as_ref().contains(['\r', '\n', '\0']) {
        return Err(Flaw::at(&value, "a header's value is one line"));
    }
    Ok((name.into_inner(), value.into_inner()))
}

fn pointer((name, pointer): (Spanned<String>, Spanned<String>), known: &mut Known) -> Result<(String, String), Flaw> {
    known.learn(&name)?;
    if !pointer.as_ref().is_empty() && !pointer.as_ref().starts_with('/') {
        return Err(Flaw::at(&pointer, "a JSON pointer is empty or begins with `/` (RFC 6901)"));
    }
    Ok((name.into_inner(), pointer.into_inner()))
}

/// Values go into texts and JSON only.
fn check_places(file: &Spanned<ComparisonFile>, known: &Known) -> Result<(), Flaw> {
    let json = file.as_ref().json.as_ref().map(|text| known.check(text, text.as_ref()));
    json.unwrap_or(Ok(()))?;
    file.as_ref().text.as_ref().map_or(Ok(()), |text| known.check(file, text))
}
