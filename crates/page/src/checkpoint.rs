//! What is known of one checkpoint beside its row: cases, measurements, steps, usage, and with sources what changed.

use std::collections::BTreeMap;

use serde::Serialize;
use slopbench_agents::stage::{Footprint, StageRecord};
use slopbench_gateway::turn::TokenUsage;
use slopbench_metrics::{Tier, grading::Grading, measurement::Callable};
use slopbench_slopcode::{
    results::{CaseVerdict, Verdicts},
    run::{changes, grading, record, steps, verdicts},
};
use slopbench_tests::{Category, Verdict};

use crate::{
    Error,
    brief::{Brief, clipped},
    limits::DetailLimits,
    sources::{PageSource, sources},
    steps::StepList,
    study::{PageStudy, Placed},
};

/// All checkpoints of a trajectory.
#[derive(Clone, Debug, Serialize)]
pub struct TrajectoryDetail {
    checkpoints: Vec<CheckpointDetail>,
}

/// One of them.
#[derive(Clone, Debug, Serialize)]
pub struct CheckpointDetail {
    checkpoint: u32,
    session: Option<SessionDetail>,
    verdicts: Option<VerdictsDetail>,
    code: Option<CodeDetail>,
    steps: Option<StepList>,
    /// A unified diff to the workspace before; absent without sources.
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sources: Option<Vec<PageSource>>,
}

/// How a session ended, and what it took.
#[derive(Clone, Debug, Serialize)]
struct SessionDetail {
    outcome: String,
    /// The run's folder has it as `trees/ID`.
    workspace: Option<String>,
    began: String,
    seconds: Brief,
    usage: BTreeMap<String, TokenUsage>,
    cost_usd: Option<Brief>,
    reported_cost_usd: Option<Brief>,
    footprint: Footprint,
}

#[derive(Clone, Debug, Serialize)]
struct VerdictsDetail {
    build_failed: Option<String>,
    cases: Vec<PageCase>,
}

/// Name, category, whether it is about earlier behaviour, what became of it, and what was not as expected.
#[derive(Clone, Debug, Serialize)]
struct PageCase(String, Category, bool, &'static str, #[serde(skip_serializing_if = "String::is_empty")] String);

/// What the code is like.
#[derive(Clone, Debug, Serialize)]
struct CodeDetail {
    withheld: Option<String>,
    unmeasured: Vec<String>,
    files: usize,
    total_lines: u64,
    flagged_lines: u64,
    clone_lines: u64,
    verbose_lines: u64,
    /// Those of the largest mass: path, name, first and last line, CC, SLOC, mass.
    callables: Vec<(String, String, u32, u32, u32, u32, Brief)>,
    callables_in_all: usize,
    /// How often each rule matches, and whether that counts in verbosity.
    rules: Vec<(String, usize, bool)>,
    /// Path, first and last line, and the rule's place among the rules.
    matches: Vec<(String, u32, u32, usize)>,
}

impl TrajectoryDetail {
    pub(crate) fn of(study: &PageStudy, placed: &Placed<'_>, limits: &DetailLimits) -> Result<Self, Error> {
        let stops = placed.folder.plan.design.stops(&placed.trajectory.problem);
        let checkpoint = |number| CheckpointDetail::of(study, placed, number, limits);
        Ok(Self { checkpoints: stops.into_iter().map(checkpoint).collect::<Result<_, _>>()? })
    }
}

impl CheckpointDetail {
    fn of(study: &PageStudy, placed: &Placed<'_>, checkpoint: u32, limits: &DetailLimits) -> Result<Self, Error> {
        let (store, id) = (&placed.folder.store, &placed.trajectory.id);
        let record = record(store, id, checkpoint)?;
        let graded = grading(store, id, checkpoint)?;
        let steps = steps(store, id, checkpoint)?;
        let mut detail = Self {
            checkpoint,
            session: record.as_ref().map(SessionDetail::of),
            verdicts: verdicts(store, id, checkpoint)?.map(|verdicts| VerdictsDetail::of(verdicts, limits)),
            code: graded.as_ref().map(|grading| CodeDetail::of(study, grading, limits)),
            steps: steps.map(|trajectory| StepList::of(&trajectory, limits)),
            diff: None,
            sources: None,
        };
        if let Some(record) = record.filter(|_| limits.source_chars > 0) {
            detail.add_sources(study, placed, &record, graded.as_ref(), limits)?;
        }
        Ok(detail)
    }

    /// A made-up run may have no workspaces; of any other, each is as it was kept.
    fn add_sources(
        &mut self,
        study: &PageStudy,
        placed: &Placed<'_>,
        record: &StageRecord,
        graded: Option<&Grading>,
        limits: &DetailLimits,
    ) -> Result<(), Error> {
        let is_made_up = study.set.runs[placed.run].synthetic.is_some();
        let tree = record.workspace.map(|id| placed.folder.store.tree(id));
        if is_made_up && tree.as_ref().is_some_and(Result::is_err) {
            return Ok(());
        }
        self.diff = Some(clipped(&changes(placed.folder, record)?, limits.diff_chars));
        if let (Some(tree), Some(graded)) = (tree.transpose().map_err(slopbench_slopcode::Error::from)?, graded) {
            self.sources = Some(sources(study, &tree, graded, limits)?);
        }
        Ok(())
    }
}

impl SessionDetail {
    fn of(record: &StageRecord) -> Self {
        Self {
            outcome: record.outcome.to_string(),
            workspace: record.workspace.map(|id| id.to_string()),
            began: record.began.clone(),
            seconds: Brief(record.seconds),
            usage: record.usage.clone(),
            cost_usd: record.cost_usd.map(Brief),
            reported_cost_usd: record.reported_cost_usd.map(Brief),
            footprint: record.footprint.clone(),
        }
    }
}

impl VerdictsDetail {
    fn of(verdicts: Verdicts, limits: &DetailLimits) -> Self {
        let case = |case: CaseVerdict| {
            let (word, said) = described(&case.verdict);
            PageCase(case.case, case.category, case.regression, word, clipped(&said, limits.case_chars))
        };
        let build_failed = verdicts.build_failed.map(|said| clipped(&said, limits.case_chars));
        Self { build_failed, cases: verdicts.cases.into_iter().map(case).collect() }
    }
}

/// What became of a case in a word, and what else is known.
fn described(verdict: &Verdict) -> (&'static str, String) {
    match verdict {
        Verdict::Pass => ("pass", String::new()),
        Verdict::Fail { mismatches } => ("fail", mismatches.join("; ")),
        Verdict::Crashed { signal } => ("crashed", format!("signal {signal}")),
        Verdict::Limit { limit } => ("limit", limit.to_string()),
        Verdict::Skipped => ("skipped", String::new()),
        Verdict::Missing => ("missing", "there is no solution".to_owned()),
        Verdict::NoEnvironment => ("no environment", "its packages cannot be had".to_owned()),
        Verdict::BuildFailed => ("build failed", String::new()),
        Verdict::Infrastructure => ("infrastructure", "says nothing of the solution".to_owned()),
    }
}

impl CodeDetail {
    fn of(study: &PageStudy, grading: &Grading, limits: &DetailLimits) -> Self {
        let named = grading.unmeasured.files.iter().take(limits.matches);
        let unmeasured = named.map(|file| format!("{}: {}", file.skipped.path, file.skipped.detail)).collect();
        let empty = slopbench_metrics::Measurement::default();
        let measurement = grading.measurement.as_ref().unwrap_or(&empty);
        let mut counted: BTreeMap<&str, usize> = BTreeMap::new();
        measurement.matches.iter().for_each(|found| *counted.entry(&found.rule).or_default() += 1);
        let rules: Vec<_> = counted
            .into_iter()
            .map(|(rule, count)| (rule.to_owned(), count, study.rules.is_in(Tier::Verbosity, rule)))
            .collect();
        let place = |rule: &str| rules.iter().position(|(name, ..)| name == rule).unwrap_or_default();
        let shown = measurement.matches.iter().take(limits.matches);
        let matches = shown.map(|one| (one.path.clone(), one.start_line, one.end_line, place(&one.rule))).collect();
        let mut callables: Vec<&Callable> = measurement.callables.iter().collect();
        callables.sort_by(|a, b| b.mass.total_cmp(&a.mass));
        callables.truncate(limits.callables);
        let total = &measurement.total;
        Self {
            withheld: grading.withheld.clone(),
            unmeasured,
            files: measurement.files.len(),
            total_lines: total.total_lines,
            flagged_lines: total.flagged_lines,
            clone_lines: total.clone_lines,
            verbose_lines: total.verbose_lines,
            callables: callables.into_iter().map(row).collect(),
            callables_in_all: measurement.callables.len(),
            matches,
            rules,
        }
    }
}

fn row(one: &Callable) -> (String, String, u32, u32, u32, u32, Brief) {
    let (path, name) = (one.path.clone(), one.qualified_name.clone());
    (path, name, one.start_line, one.end_line, one.cc, one.sloc, Brief(one.mass))
}
