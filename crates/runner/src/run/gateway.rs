//! The gateway of one session: where its model's answers come from, and whether they came.

use std::{net::TcpListener, path::Path, sync::Arc, time::Duration};

use slopbench_agents::{
    cassette::{Cassette, Replay},
    definition::Agent,
    fingerprint::Places,
    gateway::{AllowList, Entry, Faults, Forwarder, Gateway, Mode, Outcome, Recorder},
    patience::{Patience, SystemClock, may_pass},
    player::Player,
    provider::{Provider, Secret},
    script::Script,
};

use super::{
    equipment::provider,
    plan::{Answers, ModelChoice},
};
use crate::Error;

/// How long a provider's stream may be silent.
const IDLE: Duration = Duration::from_secs(10 * 60);

/// What an agent presents as its key; the real one never leaves the gateway.
pub(crate) const KEY: &str = "slopbench";

/// What a session's gateway is made from.
pub(crate) struct Line<'a> {
    pub(crate) agent: &'a Agent,
    pub(crate) version: &'a str,
    pub(crate) model: &'a ModelChoice,
    pub(crate) answers: &'a Answers,
    /// Folders as the agent sees them.
    pub(crate) workspace: &'a Path,
    pub(crate) home: &'a Path,
    /// The session's place in a run's folder.
    pub(crate) step: &'a str,
}

/// A session's gateway, and what has to live as long.
pub(crate) struct Served {
    pub(crate) gateway: Gateway,
    pub(crate) recorder: Option<Recorder>,
    _scripted: Option<Gateway>,
}

impl Line<'_> {
    /// Starts the gateway; `script` is what a scripted model does.
    pub(crate) async fn open(
        &self,
        listener: TcpListener,
        script: impl FnOnce() -> Result<Script, Error>,
    ) -> Result<Served, Error> {
        let places = Places::new(self.workspace, self.home);
        if let Answers::Replayed { run } = self.answers {
            let cassette = Cassette::load(&run.join(self.step).join("cassette.jsonl"))?;
            return Served::new(listener, Mode::Replay(Replay::new(cassette, &places)?), None, None);
        }
        let recorder = (*self.answers == Answers::Recorded)
            .then(|| Recorder::new(&format!("{} {}", self.agent.name, self.version), places));
        let Some(name) = &self.model.provider else {
            let player = Mode::Scripted(Player {
                script: script()?,
                workspace: self.workspace.to_path_buf(),
                finish_command: self.agent.finish_command.clone(),
            });
            let Some(recorder) = recorder else { return Served::new(listener, player, None, None) };
            // The scripted model takes a provider's place, so that what is recorded is what a provider would have sent.
            let scripted = Gateway::start(([127, 0, 0, 1], 0).into(), player, Faults::new()).await?;
            let (api, base, header) = (self.agent.api, scripted.url(), "x-key".to_owned());
            let provider = Provider { api, base, header, secret: Secret::new(KEY) };
            let mode = Mode::Record(forwarder(provider)?, recorder.clone());
            return Served::new(listener, mode, Some(recorder), Some(scripted));
        };
        let forwarder = forwarder(provider(name)?)?;
        let mode = match &recorder {
            Some(recorder) => Mode::Record(forwarder, recorder.clone()),
            None => Mode::Forward(forwarder),
        };
        Served::new(listener, mode, recorder, None)
    }
}

impl Served {
    fn new(
        listener: TcpListener,
        mode: Mode,
        recorder: Option<Recorder>,
        scripted: Option<Gateway>,
    ) -> Result<Self, Error> {
        let gateway = Gateway::serve(listener, mode, Faults::new(), AllowList::default())?;
        Ok(Self { gateway, recorder, _scripted: scripted })
    }

    /// What a provider or a cassette left unanswered, in one sentence; `None` if nothing.
    pub(crate) fn trouble(&self) -> Option<String> {
        self.gateway.log().entries().iter().rev().find_map(trouble)
    }
}

fn forwarder(provider: Provider) -> Result<Forwarder, Error> {
    Ok(Forwarder::new(vec![provider], Patience::default(), Arc::new(SystemClock), IDLE)?)
}

/// Statuses that are about the provider or our key, and not about what the agent asked.
fn says_nothing(status: u16) -> bool {
    may_pass(status) || matches!(status, 401..=403)
}

fn trouble(entry: &Entry) -> Option<String> {
    match (&entry.outcome, entry.status) {
        (Outcome::Missed { reason } | Outcome::Broken { reason }, _) => Some(reason.clone()),
        (Outcome::Refused { reason }, Some(502)) => Some(reason.clone()),
        (Outcome::Forwarded { attempts } | Outcome::Recorded { attempts }, Some(status)) if says_nothing(status) => {
            Some(format!("the provider answered with status {status}, the last of {attempts} times"))
        }
        (Outcome::Faulted { fault }, _) => Some(format!("spoilt on purpose: {fault:?}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_provider_owes_is_told_from_what_an_agent_does() {
        let forwarded = Outcome::Forwarded { attempts: 7 };
        let because = |reason: &str| reason.to_owned();
        let rows = [
            (Some(200), forwarded.clone(), None),
            (Some(400), forwarded.clone(), None),
            (Some(401), forwarded.clone(), Some("the provider answered with status 401, the last of 7 times")),
            (Some(429), forwarded.clone(), Some("the provider answered with status 429, the last of 7 times")),
            (Some(503), forwarded, Some("the provider answered with status 503, the last of 7 times")),
            (Some(502), Outcome::Refused { reason: because("no answer") }, Some("no answer")),
            (Some(403), Outcome::Refused { reason: because("the host x is not on the gateway's list") }, None),
            (Some(200), Outcome::Broken { reason: because("it broke off") }, Some("it broke off")),
            (Some(400), Outcome::Missed { reason: because("no recording") }, Some("no recording")),
            (Some(200), Outcome::Replayed { drifted: true }, None),
        ];
        for (status, outcome, expected) in rows {
            let (method, target) = ("POST".to_owned(), "/v1/messages".to_owned());
            let entry = Entry { number: 0, method, target, status, outcome };
            assert_eq!(trouble(&entry).as_deref(), expected, "{entry:?}");
        }
    }
}
