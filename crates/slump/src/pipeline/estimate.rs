//! What making a task may cost, before anybody is asked.

use serde_json::Value;
use slopbench_judge::JudgingEstimate;

use super::{
    components,
    document::PipelineDocument,
    make::{PipelineRequest, done},
    requests, specification,
    stage::{PipelineStage, StageStep},
    trajectory,
};
use crate::{Error, task::VERSIONS_OF_TASK};

/// Tokens of a stage's own words, taken high.
const OWN_WORDS: u64 = 2_000;

/// What making a task may cost at most: every answer as long as it may be, and asked for as often as it may be.
///
/// # Errors
///
/// As [`super::make_task`], as far as they do not depend on answers.
pub fn estimate_task(request: &PipelineRequest<'_>) -> Result<JudgingEstimate, Error> {
    let done = done(request)?;
    let kept = done.stages.len() as u64;
    let left = done.next.map_or_else(Vec::new, |next| left(next, done.versions, request.until));
    let document = PipelineDocument::read(request.document, None)?;
    let mut sum = JudgingEstimate { questions: kept, cached: kept, ..JudgingEstimate::none() };
    let model = request.model;
    let longest = u64::from(model.settings.max_tokens);
    for (before, step) in (kept..).zip(left) {
        sum.questions += 1;
        let first = model.request(document.text.clone(), schema(step.stage));
        for attempt in 0..u64::from(model.attempts.get()) {
            let mut usage = JudgingEstimate::of_request(&first);
            // What is told of an answer of no use is no longer than the answer.
            usage.input += OWN_WORDS + (before + 2 * attempt) * longest;
            sum.requests += 1;
            sum.input_tokens += usage.input;
            sum.output_tokens += usage.output;
            let cost = model.client.cost_usd(&model.settings.model, &usage);
            sum.usd = sum.usd.zip(cost).map(|(sum, cost)| sum + cost);
        }
    }
    Ok(sum)
}

/// The steps from `next` on; of versions that nobody knows yet as many as there may be.
fn left(next: StageStep, versions: Option<usize>, until: Option<PipelineStage>) -> Vec<StageStep> {
    let versions = versions.unwrap_or(*VERSIONS_OF_TASK.end());
    let first = [PipelineStage::Specification, PipelineStage::Components, PipelineStage::Trajectory];
    let last = (1..).take(versions).map(StageStep::of_version);
    let all = first.map(PipelineStage::step).into_iter().chain(last);
    all.filter(|step| *step >= next && until.is_none_or(|until| step.stage <= until)).collect()
}

fn schema(stage: PipelineStage) -> Value {
    match stage {
        PipelineStage::Specification => specification::schema(),
        PipelineStage::Components => components::schema(),
        PipelineStage::Trajectory => trajectory::schema(),
        PipelineStage::Requests => requests::schema(),
    }
}
