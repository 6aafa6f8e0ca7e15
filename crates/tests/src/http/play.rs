//! Playing a case: starting the server, asking, capturing, restarting.

use std::{
    thread,
    time::{Duration, Instant},
};

use slopbench_sandbox::{
    Error, Observation, Peer, RawResponse, RequestBatch, ResponseEnd, Sandbox, Service, Task, message::HttpMessage,
};

use super::{
    answers,
    captures::Captures,
    steps::{HttpStep, Payload, Server, StepRequest},
};
use crate::{Mismatch, excerpt::excerpt, json::Json};

/// Between two questions whether the server is ready, or whether it is over.
const PAUSE: Duration = Duration::from_millis(5);

/// How long a server that broke off may take to be seen dead: then its death is the verdict, not the broken connection.
const DYING: Duration = Duration::from_millis(200);

/// Why a case was not played to its end.
pub(crate) enum Halt {
    /// The server was over; where that was noticed.
    Over(String),
    /// Something was not as expected.
    Wrong(Vec<Mismatch>),
    /// Something did not happen in time: on a busier machine, other things may not.
    Late(Mismatch),
}

impl Halt {
    /// What people want to know.
    pub(crate) fn details(self) -> Vec<Mismatch> {
        match self {
            Self::Over(step) => vec![Mismatch::sentence(&step, "the server was over then".to_owned())],
            Self::Wrong(mismatches) => mismatches,
            Self::Late(mismatch) => vec![mismatch],
        }
    }
}

/// Why playing stops: the case's end, or the sandbox's.
enum Stop {
    Halt(Halt),
    Error(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

/// Plays the steps. Nothing of them but requests goes into the sandbox.
pub(crate) fn play(
    sandbox: &mut dyn Sandbox,
    server: &Server,
    steps: &[HttpStep],
    task: Task,
) -> Result<(Observation, Option<Halt>), Error> {
    let service = Service { task, port_variable: server.port_variable.clone() };
    let mut halt = None;
    let observation =
        sandbox.serve(&service, &mut |peer| match (StepPlayer { peer, server, captures: Captures::default() })
            .play(steps)
        {
            Ok(()) => Ok(()),
            Err(Stop::Error(error)) => Err(error),
            Err(Stop::Halt(reason)) => {
                halt = Some(reason);
                Ok(())
            }
        })?;
    Ok((observation, halt))
}

struct StepPlayer<'a> {
    peer: &'a mut dyn Peer,
    server: &'a Server,
    captures: Captures,
}

impl StepPlayer<'_> {
    fn play(&mut self, steps: &[HttpStep]) -> Result<(), Stop> {
        self.wait_until_ready("start")?;
        for (number, step) in (1..).zip(steps) {
            let name = format!("step {number}");
            match step {
                HttpStep::Ask(requests) => self.ask(&name, requests)?,
                HttpStep::Restart => {
                    let name = format!("{name} restart");
                    if !self.peer.restart()? {
                        return Err(Stop::Halt(Halt::Over(name)));
                    }
                    self.wait_until_ready(&name)?;
                }
            }
        }
        Ok(())
    }

    /// Asks until there is an answer, whatever it says.
    fn wait_until_ready(&mut self, name: &str) -> Result<(), Stop> {
        let deadline = Instant::now() + self.server.ready_within;
        let bytes = StepRequest::get(&self.server.ready).bytes(&self.captures);
        loop {
            let time_limit = self.server.answer_within.min(deadline.saturating_duration_since(Instant::now()));
            let ending = match self.exchange(name, vec![bytes.clone()], time_limit)?.as_slice() {
                [answer] => answer.ending,
                _ => ResponseEnd::Closed,
            };
            if ending == ResponseEnd::Whole {
                return Ok(());
            }
            if Instant::now() >= deadline {
                let seen = match ending {
                    ResponseEnd::Refused => "no one listens on 127.0.0.1 at the port given",
                    _ => "who listens at the port does not answer",
                };
                let within = self.server.ready_within.as_millis();
                return Err(late(name, format!("the server was not ready within {within} ms: {seen}")));
            }
            thread::sleep(PAUSE);
        }
    }

    /// Plays one step.
    fn ask(&mut self, name: &str, requests: &[StepRequest]) -> Result<(), Stop> {
        let bytes: Vec<_> = requests.iter().map(|request| request.bytes(&self.captures)).collect();
        let answers = self.exchange(name, bytes.clone(), self.server.answer_within)?;
        let mut asked = Vec::new();
        for ((request, bytes), answer) in requests.iter().zip(bytes).zip(&answers) {
            match request.message(answer) {
                Ok(message) => asked.push((request, bytes, message)),
                Err(detail) => {
                    let what = format!("{name} answer");
                    let detail = format!("{} {}: {detail}", request.method, request.target);
                    return Err(match answer.ending {
                        ResponseEnd::Refused | ResponseEnd::Closed => {
                            self.wait_for_death(name)?;
                            // It may still die.
                            late(&what, detail)
                        }
                        ResponseEnd::Late => late(&what, detail),
                        _ => wrong(&what, detail),
                    });
                }
            }
        }
        let mismatches = match asked.as_slice() {
            [(request, _, message)] => {
                self.capture(name, request, message)?;
                request.mismatches(name, message, &self.captures)
            }
            many => answers::together(name, many, &self.captures),
        };
        if mismatches.is_empty() { Ok(()) } else { Err(Stop::Halt(Halt::Wrong(mismatches))) }
    }

    /// Keeps what is to be captured. Where the status is wrong, that is what people have to hear of first.
    fn capture(&mut self, name: &str, request: &StepRequest, message: &HttpMessage) -> Result<(), Stop> {
        if request.capture.is_empty() {
            return Ok(());
        }
        let body = std::str::from_utf8(&message.body).map_err(|_| "not valid UTF-8".to_owned());
        let value = body.and_then(|body| Json::parse(body, &str::to_owned));
        for (capture, pointer) in &request.capture {
            let why = match value.as_ref().map(|value| value.pointer(pointer)) {
                Ok(Some(found)) => {
                    self.captures.keep(capture, found.clone());
                    continue;
                }
                Ok(None) => format!("there is nothing at {pointer:?} of the body"),
                Err(error) => format!("the body is {error}"),
            };
            if request.status.is_none_or(|status| status == message.status) {
                let body = excerpt(&String::from_utf8_lossy(&message.body));
                return Err(wrong(&format!("{name} capture {capture}"), format!("{why}: {body}")));
            }
        }
        Ok(())
    }

    /// A broken connection is often the first that is seen of a server's death.
    fn wait_for_death(&mut self, name: &str) -> Result<(), Stop> {
        let deadline = Instant::now() + DYING;
        while Instant::now() < deadline {
            self.exchange(name, Vec::new(), Duration::ZERO)?;
            thread::sleep(PAUSE);
        }
        Ok(())
    }

    fn exchange(&mut self, name: &str, requests: Vec<Vec<u8>>, time_limit: Duration) -> Result<Vec<RawResponse>, Stop> {
        let answers = self.peer.exchange(&RequestBatch { requests, time_limit })?;
        answers.ok_or_else(|| Stop::Halt(Halt::Over(name.to_owned())))
    }
}

impl StepRequest {
    /// A request that expects nothing.
    fn get(target: &str) -> Self {
        Self {
            method: "GET".to_owned(),
            target: target.to_owned(),
            headers: Vec::new(),
            payload: Payload::None,
            capture: Vec::new(),
            status: None,
            expect_headers: Vec::new(),
            expect_body: None,
        }
    }
}

fn late(what: &str, detail: String) -> Stop {
    Stop::Halt(Halt::Late(Mismatch::sentence(what, detail)))
}

fn wrong(what: &str, detail: String) -> Stop {
    Stop::Halt(Halt::Wrong(vec![Mismatch::sentence(what, detail)]))
}
