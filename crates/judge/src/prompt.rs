//! What a model is told: instructions that are the same for all questions, and the question's own template filled.

use minijinja::{Environment, UndefinedBehavior, context};
use serde_json::{Value, json};
use slopbench_digest::{Sha256, canonical};

use crate::{
    error::JudgeError,
    inspector::{INSPECTOR, Inspector},
    question::Question,
};

/// How one is told who may look into a tree, and one who may not.
const INSTRUCTIONS: [&str; 2] = [include_str!("../prompts/tree.md"), include_str!("../prompts/alone.md")];

/// What is said to a model that has given no verdict.
pub(crate) const VERDICT_ALONE: &str = "Give the verdict now, alone: one JSON value in the form that was asked for, and nothing else. \
     You cannot look any further. Judge by what you have seen.";

/// What a question becomes.
#[derive(Debug)]
pub(crate) struct FilledPrompt {
    pub(crate) system: String,
    pub(crate) user: String,
    pub(crate) schema: Value,
    /// The input as JSON.
    pub(crate) input: Value,
    /// The digest of all but the input, the inspector's ways included.
    pub(crate) digest: Sha256,
}

/// Fills the templates; `calls` is how often the model may look into the tree, if there is one.
pub(crate) fn fill<Q: Question>(question: &Q, calls: Option<u32>) -> Result<FilledPrompt, JudgeError> {
    let failed = |error: minijinja::Error| JudgeError::Template {
        kind: question.kind().to_owned(),
        message: format!("{error:#}"),
    };
    let input = serde_json::to_value(question).map_err(JudgeError::Unwritable)?;
    let schema = question.schema();
    let instructions = INSTRUCTIONS[usize::from(calls.is_none())];
    let system = rendered(instructions, context! { calls }).map_err(failed)?;
    let user = rendered(question.template(), minijinja::value::Serde(&input).into()).map_err(failed)?;
    let tools: Vec<_> = calls
        .iter()
        .flat_map(|_| Inspector::tools())
        .map(|tool| json!([tool.name, tool.description, tool.parameters]))
        .collect();
    let fixed = json!([question.kind(), system, question.template(), schema, tools, VERDICT_ALONE, INSPECTOR]);
    let digest = Sha256::of(&canonical::to_vec(&fixed).map_err(JudgeError::Unwritable)?);
    Ok(FilledPrompt { system, user, schema, input, digest })
}

fn rendered(template: &str, input: minijinja::Value) -> Result<String, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.render_str(template, input)
}
