//! The gateway of one session: where its model's answers come from, and whether they came.

use std::{
    collections::BTreeSet,
    net::TcpListener,
    path::{Path, PathBuf},
};

use slopbench_gateway::{
    backoff::is_retryable,
    cassette::{Cassette, Replay},
    packages::PackageMirror,
    player::Player,
    provider::{Provider, Secret},
    request_key::SessionPaths,
    script::Script,
    server::{AllowList, Allowed, Faults, Gateway, LogEntry, Mode, Models, Recorder, RequestOutcome},
};

use super::{ModelChoice, ProviderAccess, StageError};
use crate::{definition::Agent, events::SessionEnd};

/// What an agent presents as its key; the real one never leaves the gateway.
pub(crate) const KEY: &str = "slopbench";

/// What a session's gateway is made from.
pub(crate) struct GatewaySettings<'a> {
    pub(crate) agent: &'a Agent,
    pub(crate) version: &'a str,
    pub(crate) model: &'a ModelChoice,
    /// What answers in the model's place.
    pub(crate) cassette: Option<PathBuf>,
    /// Whether a cassette of what the model answers is kept.
    pub(crate) records: bool,
    pub(crate) allowed_hosts: &'a BTreeSet<String>,
    pub(crate) packages: Option<&'a PackageMirror>,
    pub(crate) provider_access: &'a ProviderAccess,
    /// Folders as the agent sees them.
    pub(crate) workspace: &'a Path,
    pub(crate) home: &'a Path,
}

/// A session's gateway, and what has to live as long.
pub(crate) struct Served {
    pub(crate) gateway: Gateway,
    pub(crate) recorder: Option<Recorder>,
    /// The planned model, as its provider calls it.
    model: String,
    _scripted: Option<Gateway>,
}

impl GatewaySettings<'_> {
    /// Starts the gateway; `script` is what a scripted model does.
    pub(crate) async fn open(
        &self,
        listener: TcpListener,
        script: impl FnOnce() -> Result<Script, StageError>,
    ) -> Result<Served, StageError> {
        let places = SessionPaths::new(self.workspace, self.home);
        let models = Models::Only(self.models());
        let hosts = AllowList::from_iter(self.allowed_hosts);
        let allowed = Allowed { models, hosts, packages: self.packages.cloned() };
        let serve = |mode, recorder, scripted| {
            let gateway = Gateway::serve(listener, mode, Faults::new(), allowed)?;
            Ok(Served { gateway, recorder, model: self.model.id.clone(), _scripted: scripted })
        };
        if let Some(cassette) = &self.cassette {
            let cassette = Cassette::load(cassette)?;
            return serve(Mode::Replay(Replay::new(cassette, &places)?), None, None);
        }
        let recorder = self.records.then(|| Recorder::new(&format!("{} {}", self.agent.name, self.version), places));
        let Some(name) = &self.model.provider else {
            let player = Mode::Scripted(Player {
                script: script()?,
                workspace: self.workspace.to_path_buf(),
                tools: self.agent.tools.clone(),
                finish_command: self.agent.finish_command.clone(),
            });
            let Some(recorder) = recorder else { return serve(player, None, None) };
            // The scripted model takes a provider's place, so that what is recorded is what a provider would have sent.
            let scripted = Gateway::start(([127, 0, 0, 1], 0).into(), player, Faults::new()).await?;
            let provider = Provider::keyed(self.agent.api, scripted.url(), "x-key", &Secret::new(KEY));
            let mode = Mode::Record(self.provider_access.forwarder(vec![provider])?, recorder.clone());
            return serve(mode, Some(recorder), Some(scripted));
        };
        let forwarder = self.provider_access.to(name)?;
        let mode = match &recorder {
            Some(recorder) => Mode::Record(forwarder, recorder.clone()),
            None => Mode::Forward(forwarder),
        };
        serve(mode, recorder, None)
    }

    /// The planned model, and those that the agent asks beside it.
    fn models(&self) -> BTreeSet<String> {
        let side = self.agent.side_models(self.model.provider.as_deref());
        side.iter().chain([&self.model.id]).cloned().collect()
    }
}

impl Served {
    /// For a worker that has no model: it only reaches the hosts that the plan allows.
    pub(crate) fn without_model(
        listener: TcpListener,
        allowed_hosts: &BTreeSet<String>,
        packages: Option<&PackageMirror>,
        provider_access: &ProviderAccess,
    ) -> Result<Self, StageError> {
        let hosts = AllowList::from_iter(allowed_hosts);
        let allowed = Allowed { models: Models::Only(BTreeSet::new()), hosts, packages: packages.cloned() };
        let gateway =
            Gateway::serve(listener, Mode::Forward(provider_access.forwarder(Vec::new())?), Faults::new(), allowed)?;
        Ok(Self { gateway, recorder: None, model: String::new(), _scripted: None })
    }

    /// What a provider or a cassette left unanswered, so that a session with this ending says nothing of its agent: in one
    /// sentence; `None` if nothing.
    pub(crate) fn trouble(&self, ending: &SessionEnd) -> Option<String> {
        trouble(&self.gateway.log().entries(), &self.model, ending)
    }
}

/// Only what the planned model was asked counts: an agent may ask others, or what no API has, at will. One that went on after
/// an outage has overcome it: what counts is its last turn. One that is not done may have failed by a request beside its
/// turns, too, such as one for a summary.
fn trouble(log: &[LogEntry], model: &str, ending: &SessionEnd) -> Option<String> {
    let asks_it = |entry: &&LogEntry| {
        entry.model.as_deref() == Some(model) && !matches!(entry.outcome, RequestOutcome::Refused { .. })
    };
    let turn = log.iter().filter(asks_it).rfind(|entry| entry.turn);
    let last = log.iter().rfind(asks_it).filter(|_| *ending != SessionEnd::Done);
    turn.into_iter().chain(last).find_map(|entry| unanswered(entry, ending))
}

fn unanswered(entry: &LogEntry, ending: &SessionEnd) -> Option<String> {
    match (&entry.outcome, entry.status) {
        (RequestOutcome::Missed { reason }, _) => Some(reason.clone()),
        (RequestOutcome::Broken { reason, attempts } | RequestOutcome::Unreached { reason, attempts }, _) => {
            Some(format!("{reason} (attempt {attempts})"))
        }
        (RequestOutcome::Forwarded { attempts } | RequestOutcome::Recorded { attempts }, Some(status))
            if says_nothing(status) =>
        {
            Some(format!("the provider answered with status {status} (attempt {attempts})"))
        }
        (RequestOutcome::Unfinished { attempts }, _) if was_let_down(*attempts, ending) => {
            Some(format!("the provider had not answered yet (attempt {attempts})"))
        }
        (RequestOutcome::Faulted { fault }, _) => Some(format!("spoilt on purpose: {fault:?}")),
        _ => None,
    }
}

/// Whether a session ended because an answer was not there yet: the agent gave up waiting for it, or its time ran out while
/// the provider turned it away. An agent that was stopped while its model was at work had its time.
fn was_let_down(attempts: u32, ending: &SessionEnd) -> bool {
    match ending {
        SessionEnd::Done => false,
        SessionEnd::Failed { .. } | SessionEnd::Crashed { .. } | SessionEnd::Silent => true,
        SessionEnd::Killed { .. } | SessionEnd::TimedOut | SessionEnd::Limited { .. } => attempts > 1,
    }
}

/// Statuses that are about the provider, our key or the planned model's name, and not about what the agent asked.
fn says_nothing(status: u16) -> bool {
    is_retryable(status) || matches!(status, 401..=404)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(turn: bool, status: impl Into<Option<u16>>, outcome: RequestOutcome) -> LogEntry {
        let (method, target) = ("POST".to_owned(), "/v1/messages".to_owned());
        let (model, status) = (Some(MODEL.to_owned()), status.into());
        LogEntry { number: 0, method, target, turn, model, status, outcome, usage: None }
    }

    const MODEL: &str = "planned";

    fn trouble(log: &[LogEntry], ending: &SessionEnd) -> Option<String> {
        super::trouble(log, MODEL, ending)
    }

    const WELL: RequestOutcome = RequestOutcome::Forwarded { attempts: 1 };
    const CRASHED: SessionEnd = SessionEnd::Crashed { code: 1 };

    #[test]
    fn what_a_provider_owes_is_told_from_what_an_agent_does() {
        let forwarded = RequestOutcome::Forwarded { attempts: 7 };
        let because = |reason: &str| reason.to_owned();
        let rows = [
            (Some(200), forwarded.clone(), None),
            (Some(400), forwarded.clone(), None),
            (Some(401), forwarded.clone(), Some("the provider answered with status 401 (attempt 7)")),
            (Some(404), forwarded.clone(), Some("the provider answered with status 404 (attempt 7)")),
            (Some(429), forwarded.clone(), Some("the provider answered with status 429 (attempt 7)")),
            (Some(503), forwarded, Some("the provider answered with status 503 (attempt 7)")),
            (
                Some(502),
                RequestOutcome::Unreached { attempts: 8, reason: because("no answer") },
                Some("no answer (attempt 8)"),
            ),
            (Some(403), RequestOutcome::Refused { reason: because("the host x is not on the gateway's list") }, None),
            (Some(200), RequestOutcome::Broken { attempts: 1, reason: because("cut") }, Some("cut (attempt 1)")),
            (None, RequestOutcome::Unfinished { attempts: 2 }, Some("the provider had not answered yet (attempt 2)")),
            (Some(400), RequestOutcome::Missed { reason: because("no recording") }, Some("no recording")),
            (Some(200), RequestOutcome::Replayed { drifted: true }, None),
        ];
        for (status, outcome, expected) in rows {
            let entry = entry(true, status, outcome);
            assert_eq!(trouble(std::slice::from_ref(&entry), &CRASHED).as_deref(), expected, "{entry:?}");
        }
    }

    #[test]
    fn an_agent_that_went_on_after_an_outage_fails_by_itself() {
        let outage = || entry(true, 529, RequestOutcome::Forwarded { attempts: 8 });
        assert_eq!(trouble(&[outage(), entry(true, 200, WELL)], &CRASHED), None);
        // A host that it asks for afterwards is no answer of its model's.
        let elsewhere = entry(false, 403, RequestOutcome::Refused { reason: "x".to_owned() });
        assert!(trouble(&[outage(), elsewhere], &CRASHED).is_some());
    }

    #[test]
    fn beside_its_turns_an_agent_that_is_done_needs_nothing() {
        let log = [entry(true, 200, WELL), entry(false, 500, RequestOutcome::Forwarded { attempts: 8 })];
        assert_eq!(trouble(&log, &SessionEnd::Done), None);
        assert!(trouble(&log, &CRASHED).is_some(), "the summary that it needed, perhaps");
        let broken = RequestOutcome::Broken { attempts: 1, reason: "it broke off".to_owned() };
        assert!(
            trouble(&[entry(true, 200, broken)], &SessionEnd::Done).is_some(),
            "half an answer was taken for a whole one"
        );
    }

    #[test]
    fn what_another_model_answers_or_does_not_is_the_agents_affair() {
        let of = |model: Option<&str>, status: u16| LogEntry {
            model: model.map(str::to_owned),
            ..entry(true, status, RequestOutcome::Forwarded { attempts: 1 })
        };
        for status in [401, 403, 404, 529] {
            let log = [entry(true, 200, WELL), of(Some("another"), status), of(None, status)];
            assert_eq!(trouble(&log, &CRASHED), None);
            assert_eq!(trouble(&log, &SessionEnd::Done), None);
        }
        let refused = RequestOutcome::Refused { reason: "x".to_owned() };
        assert_eq!(trouble(&[entry(true, 200, WELL), entry(true, 400, refused)], &CRASHED), None);
    }

    #[test]
    fn a_model_at_work_when_time_is_up_is_no_outage_but_one_that_turned_away_is() {
        let unfinished = |attempts| [entry(true, None, RequestOutcome::Unfinished { attempts })];
        assert_eq!(trouble(&unfinished(1), &SessionEnd::TimedOut), None);
        assert!(trouble(&unfinished(2), &SessionEnd::TimedOut).is_some());
        assert!(trouble(&unfinished(1), &CRASHED).is_some(), "it gave up waiting");
    }
}
