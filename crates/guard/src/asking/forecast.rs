//! The forecaster: what a request is for, and what of the project it has to do with.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::json;

use super::failure::{ModelFailure, ModelUse};
use super::model::{GuardModel, Question};
use crate::semantic::SemanticState;
use crate::structural::StructuralState;

const SYSTEM: &str = include_str!("../../prompts/forecaster.md");

/// The most records, modules or constraints of a forecast that are shown.
const MOST_ENTRIES: usize = 30;

/// The longest text of a forecast, in bytes.
const LONGEST_TEXT: usize = 600;

/// What is expected of a request before it is carried out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forecast {
    /// What it is for.
    pub purpose: String,
    /// How it is best gone about.
    pub approach: ForecastApproach,
    /// Why so.
    pub reason: String,
    /// Ids of the committed records that it has to respect.
    pub records: Vec<String>,
    /// The files that matter.
    pub modules: Vec<ForecastModule>,
    /// What has to stay compatible.
    pub constraints: Vec<String>,
    /// How many tokens of context it may take; 0 where nobody can tell.
    #[serde(deserialize_with = "at_least_none")]
    pub context_tokens: u64,
}

/// No provider takes a schema that bounds a number.
fn at_least_none<'a, D: Deserializer<'a>>(number: D) -> Result<u64, D::Error> {
    i64::deserialize(number).map(|number| u64::try_from(number).unwrap_or_default())
}

/// How a request is best gone about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ForecastApproach {
    /// Existing modules are changed, and stay compatible.
    Revise,
    /// Something that exists is replaced.
    Reimplement,
    /// Something new is added.
    Add,
}

/// A file that matters for a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ForecastModule {
    /// Its path.
    pub path: String,
    /// What to do with it.
    pub advice: ModuleAdvice,
    /// Why.
    pub why: String,
}

/// What to do with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModuleAdvice {
    /// Call it.
    Reuse,
    /// Change it.
    Revise,
    /// Do not break it.
    Preserve,
}

impl ForecastApproach {
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Revise => "revise existing modules, and keep them compatible",
            Self::Reimplement => "replace what exists",
            Self::Add => "add what is not there yet",
        }
    }
}

impl ModuleAdvice {
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Reuse => "reuse",
            Self::Revise => "revise",
            Self::Preserve => "preserve",
        }
    }
}

/// What a request is told by, besides its own words.
pub(crate) struct ForecastContext<'a> {
    /// The requests before, from the first.
    pub(crate) requests: Vec<&'a str>,
    /// Records and structure as text.
    pub(crate) state: String,
    pub(crate) semantic: &'a SemanticState,
    pub(crate) structural: &'a StructuralState,
}

/// Asks for a forecast. What it names that is not there is taken out, and given beside it.
pub(crate) fn forecast(
    model: &GuardModel,
    request: &str,
    context: &ForecastContext<'_>,
    used: &mut ModelUse,
) -> Result<(Forecast, Vec<String>), ModelFailure> {
    let mut forecast: Forecast =
        model.ask(Question { system: SYSTEM, user: text(request, context), schema: schema() }, used)?;
    let mut unknown = Vec::new();
    forecast.records.retain(|id| {
        let is_known = context.semantic.get(id).is_some_and(|record| record.is_committed());
        is_known || drop_name(id, &mut unknown)
    });
    forecast
        .modules
        .retain(|module| context.structural.files.contains_key(&module.path) || drop_name(&module.path, &mut unknown));
    forecast.records.truncate(MOST_ENTRIES);
    forecast.modules.truncate(MOST_ENTRIES);
    forecast.constraints.truncate(MOST_ENTRIES);
    let modules = forecast.modules.iter_mut().map(|module| &mut module.why);
    let texts = modules.chain(&mut forecast.constraints).chain([&mut forecast.purpose, &mut forecast.reason]);
    texts.for_each(|text| text.truncate(text.floor_char_boundary(LONGEST_TEXT)));
    Ok((forecast, unknown))
}

/// Notes the name; always false, as `retain` has it.
fn drop_name(name: &str, unknown: &mut Vec<String>) -> bool {
    unknown.push(name.to_owned());
    false
}

fn text(request: &str, context: &ForecastContext<'_>) -> String {
    let turn = context.requests.len() + 1;
    let mut text = format!("# Forecaster, turn {turn}\n\n## Requests so far\n\n");
    // The latest say most, and the first ones are what the records hold already.
    let (mut left, mut shown) = (MOST_REQUESTS, Vec::new());
    for (index, request) in context.requests.iter().enumerate().rev() {
        let number = index + 1;
        let line = format!("{number}. {}\n", on_one_line(request));
        if line.len() > left {
            shown.push(format!("Requests 1 to {number} are left out.\n"));
            break;
        }
        left -= line.len();
        shown.push(line);
    }
    shown.reverse();
    text += &shown.concat();
    text + &format!("\n{}\n## The next request\n\n{}\n", context.state, request.trim())
}

/// What the requests so far may take of a question, in bytes.
const MOST_REQUESTS: usize = 40_000;

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(super) fn schema() -> serde_json::Value {
    let text = json!({"type": "string"});
    let list = json!({"type": "array", "items": text});
    let advice = json!({"enum": [ModuleAdvice::Reuse, ModuleAdvice::Revise, ModuleAdvice::Preserve], "type": "string"});
    let approach = [ForecastApproach::Revise, ForecastApproach::Reimplement, ForecastApproach::Add];
    let module = json!({
        "type": "object", "additionalProperties": false, "required": ["path", "advice", "why"],
        "properties": {"path": text, "advice": advice, "why": text},
    });
    json!({
        "type": "object", "additionalProperties": false,
        "required": ["purpose", "approach", "reason", "records", "modules", "constraints", "context_tokens"],
        "properties": {
            "purpose": text, "approach": {"enum": approach, "type": "string"}, "reason": text, "records": list,
            "modules": {"type": "array", "items": module}, "constraints": list,
            "context_tokens": {"type": "integer"},
        },
    })
}
