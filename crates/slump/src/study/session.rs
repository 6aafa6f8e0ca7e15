//! `summary.json`: what sessions took, and how much of what they left is used.

use std::{collections::BTreeMap, ops::Not};

use serde::{Deserialize, Serialize};
use slopbench_digest::{Sha256, TreeId};
use slopbench_gateway::turn::TokenUsage;
use slopbench_guard::{Brief, ModelUse, SemanticOutcome, StateSize};
use slopbench_metrics::integration::Integration;
use slopbench_runner::RunStore;

use super::{
    design::{SlumpDesign, SlumpSession},
    guarding::{GuardUpdate, guard_brief, guard_update},
    left::{SessionLeft, left_after},
    slump::SlumpFolder,
    testing::own_tests,
    turn::turn_record,
};
use crate::{Error, condition::SlumpCondition, own_tests::OwnTests, scores::RepositoryScores};

/// What is known of a run of this study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlumpSummary {
    /// `slopbench.slump-summary/1`.
    pub format: String,
    /// The plan's digest.
    pub plan: Sha256,
    /// Whether every request of every session is done.
    pub complete: bool,
    /// In the plan's order.
    pub sessions: Vec<SessionSummary>,
}

/// One session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionSummary {
    /// The session.
    pub id: String,
    /// Its task.
    pub task: String,
    /// Its condition.
    pub condition: SlumpCondition,
    /// Who worked.
    pub platform: String,
    /// From 1.
    pub repeat: u32,
    /// How many requests it has.
    pub requests: usize,
    /// How many of them are done.
    pub done: usize,
    /// How requests ended, by word.
    pub outcomes: BTreeMap<String, usize>,
    /// How often the conversation began anew after the first request.
    pub restarts: usize,
    /// How often it was compacted; absent where the agent does not tell.
    pub compactions: Option<u64>,
    /// All tokens.
    pub tokens: TokenUsage,
    /// In US dollars; absent where one request's are not known.
    pub cost_usd: Option<f64>,
    /// What the model read in each of its turns, by request.
    pub contexts: Vec<Vec<u64>>,
    /// What its guard took; absent without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guard: Option<GuardSummary>,
    /// What it left; absent where there is no file, and where it was not kept.
    pub workspace: Option<TreeId>,
    /// Whether what it left in the end was not kept, as where it is too large: then nobody knows what it is worth, which is no 0.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub not_kept: bool,
    /// How much of that is used; absent until the session is done, and where what it left was not kept.
    pub integration: Option<Integration>,
    /// What became of the tests that the agent wrote; absent where they are not run, or not yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_tests: Option<OwnTests>,
}

/// What the guard of a session took. Tokens and cost are beside those of the session.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GuardSummary {
    /// How many requests its state has.
    pub updates: usize,
    /// How often it began the conversation anew.
    pub restarts: usize,
    /// How many briefs lack a forecast, and updates their commitments, because a model's answer came to nothing.
    pub failures: usize,
    /// What its model's calls took.
    pub used: ModelUse,
    /// How large its state is in the end.
    pub size: StateSize,
}

impl GuardSummary {
    /// Adds what was done around a request, as far as that is done.
    fn add(&mut self, brief: Option<&Brief>, update: Option<&GuardUpdate>) {
        if let Some(brief) = brief {
            self.restarts += usize::from(brief.restart.is_some());
            self.failures += usize::from(brief.failure.is_some());
            self.take(&brief.used);
        }
        if let Some(GuardUpdate { report, .. }) = update {
            self.updates += 1;
            self.failures += usize::from(matches!(report.records, SemanticOutcome::Failed { .. }));
            self.take(&report.used);
            self.size = report.size;
        }
    }

    fn take(&mut self, used: &ModelUse) {
        self.used.calls += used.calls;
        self.used.tokens += used.tokens;
        self.used.cost_usd += used.cost_usd;
        self.used.unpriced += used.unpriced;
    }
}

impl SlumpSummary {
    /// Reads every request that is done, and what is left after the last.
    ///
    /// # Errors
    ///
    /// [`Error::Run`] if something is not as it was kept.
    pub fn read(folder: &SlumpFolder) -> Result<Self, Error> {
        let SlumpFolder { plan, store } = folder;
        let summary = |session: &SlumpSession| SessionSummary::read(store, &plan.design, session);
        let sessions: Vec<_> = plan.design.sessions.iter().map(summary).collect::<Result<_, _>>()?;
        Ok(Self {
            format: "slopbench.slump-summary/1".to_owned(),
            plan: store.plan(),
            complete: sessions.iter().all(|session| session.is_complete(&plan.design)),
            sessions,
        })
    }

    /// The sessions that are done, and whose end was kept.
    pub fn done(&self) -> impl Iterator<Item = &SessionSummary> {
        self.sessions.iter().filter(|session| session.integration.is_some())
    }

    /// The figures of each of these, without a judge's.
    pub fn scores(&self) -> Vec<RepositoryScores> {
        let score = |session: &SessionSummary| {
            Some(RepositoryScores {
                task: session.task.clone(),
                platform: session.platform.clone(),
                condition: session.condition.name().to_owned(),
                repeat: session.repeat,
                faithfulness: None,
                dir: session.integration.as_ref()?.dir,
                compactions: session.compactions,
                state_kb: session.guard.as_ref().map(|guard| guard.size.kilobytes()),
                own_tests: session.own_tests.clone(),
            })
        };
        self.done().filter_map(score).collect()
    }
}

impl SessionSummary {
    /// Whether every request is done, its guard has them all, and its own tests were run where `design` says so.
    fn is_complete(&self, design: &SlumpDesign) -> bool {
        self.done == self.requests
            && self.guard.as_ref().is_none_or(|guard| guard.updates == self.requests)
            && (design.own_tests.is_none() || self.own_tests.is_some())
    }

    fn read(store: &RunStore, design: &SlumpDesign, session: &SlumpSession) -> Result<Self, Error> {
        let requests = design.turns(session);
        let mut this = Self {
            id: session.id.clone(),
            task: session.task.clone(),
            condition: session.condition,
            platform: session.platform(),
            repeat: session.repeat,
            requests,
            done: 0,
            outcomes: BTreeMap::new(),
            restarts: 0,
            compactions: Some(0),
            tokens: TokenUsage::default(),
            cost_usd: Some(0.0),
            contexts: Vec::new(),
            guard: session.condition.guarded.then(GuardSummary::default),
            workspace: None,
            not_kept: false,
            integration: None,
            own_tests: own_tests(store, &session.id)?,
        };
        for request in 1..=requests {
            let Some((record, turn)) = turn_record(store, &session.id, request)? else { break };
            this.done += 1;
            *this.outcomes.entry(record.outcome.word().to_owned()).or_default() += 1;
            this.restarts += usize::from(request > 1 && !turn.continued);
            this.compactions = this.compactions.zip(turn.compactions).map(|(all, one)| all + one);
            this.tokens += record.total();
            this.cost_usd = this.cost_usd.zip(record.cost_usd).map(|(all, one)| all + one);
            this.contexts.push(turn.contexts);
        }
        if let Some(guard) = &mut this.guard {
            for request in 1..=requests {
                let brief = guard_brief(store, &session.id, request)?;
                guard.add(brief.as_ref(), guard_update(store, &session.id, request)?.as_ref());
            }
        }
        if this.is_complete(design) {
            this.integration = match left_after(store, &session.id, requests)? {
                Some(SessionLeft::Workspace(id)) => {
                    this.workspace = Some(id);
                    Some(Integration::of_folder(&store.tree(id)?)?)
                }
                Some(SessionLeft::Nothing) => Some(Integration::of_sources(&[])),
                Some(SessionLeft::NotKept) => {
                    this.not_kept = true;
                    None
                }
                None => None,
            };
        }
        Ok(this)
    }
}
