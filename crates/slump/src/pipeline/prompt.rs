//! What a model is told.

use minijinja::{Environment, UndefinedBehavior};
use serde_json::{Value, json};
use slopbench_digest::{Sha256, canonical};

use super::{error::PipelineError, stage::PipelineStage};
use crate::Error;

/// What every stage is told first.
pub(super) const SYSTEM: &str = include_str!("../../prompts/pipeline/system.md");

/// What is said of an answer that cannot be used, before and behind what is wrong with it.
pub(super) const AGAIN: [&str; 2] =
    ["That cannot be used:\n", "Answer again: the whole JSON value, mended, and nothing beside it."];

fn template(stage: PipelineStage) -> &'static str {
    match stage {
        PipelineStage::Specification => include_str!("../../prompts/pipeline/specification.md"),
        PipelineStage::Components => include_str!("../../prompts/pipeline/components.md"),
        PipelineStage::Trajectory => include_str!("../../prompts/pipeline/trajectory.md"),
        PipelineStage::Requests => include_str!("../../prompts/pipeline/requests.md"),
    }
}

/// The prompt of a stage, filled.
pub(super) fn filled(stage: PipelineStage, material: &Value) -> Result<String, PipelineError> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let text = environment.render_str(template(stage), minijinja::value::Serde(material));
    text.map_err(|error| PipelineError::Prompt { stage: stage.name(), message: format!("{error:#}") })
}

/// The digest of all that is said in a stage but the material.
pub(super) fn digest(stage: PipelineStage, schema: &Value) -> Result<Sha256, Error> {
    Ok(Sha256::of(&canonical::to_vec(&json!([SYSTEM, template(stage), schema, AGAIN]))?))
}

/// The schema of an object with these members, all required: providers take no other.
pub(super) fn object(members: Value) -> Value {
    let names: Vec<_> = members.as_object().into_iter().flat_map(|members| members.keys().cloned()).collect();
    json!({"type": "object", "additionalProperties": false, "required": names, "properties": members})
}

/// The schema of a list.
pub(super) fn list(of: &Value) -> Value {
    json!({"type": "array", "items": of})
}
