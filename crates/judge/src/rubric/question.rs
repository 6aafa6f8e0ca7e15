//! The question about one part of a program.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    changes::ChangedPart,
    criteria::{Criterion, criteria},
};
use crate::question::{Citation, Question};

/// Where does this part meet a criterion?
#[derive(Clone, Debug, Serialize)]
pub struct RubricQuestion<'a> {
    /// What may be met.
    pub criteria: &'a [Criterion],
    /// What was asked of whoever changed the program; nothing where that is not to be seen.
    pub specification: Option<&'a str>,
    /// What is judged.
    pub part: &'a ChangedPart,
}

/// What a judge says of a part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RubricAnswer {
    /// Each place that meets a criterion.
    pub flags: Vec<RubricFlag>,
}

/// A place that meets a criterion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RubricFlag {
    /// The criterion's name.
    pub criterion: String,
    /// The first line, from 1.
    pub first: u32,
    /// The last line.
    pub last: u32,
    /// Why.
    pub why: String,
}

impl<'a> RubricQuestion<'a> {
    /// The question of all criteria.
    pub fn new(part: &'a ChangedPart, specification: Option<&'a str>) -> Self {
        Self { criteria: criteria(), specification, part }
    }
}

impl Question for RubricQuestion<'_> {
    type Answer = RubricAnswer;

    fn kind(&self) -> &str {
        "rubric/1"
    }

    fn template(&self) -> &str {
        include_str!("../../prompts/rubric.md")
    }

    fn schema(&self) -> Value {
        let names: Vec<_> = self.criteria.iter().map(|one| one.id.as_str()).collect();
        let line = json!({"type": "integer"});
        let flag = json!({
            "type": "object", "required": ["criterion", "first", "last", "why"], "additionalProperties": false,
            "properties": {
                "criterion": {"type": "string", "enum": names}, "first": line, "last": line, "why": {"type": "string"},
            },
        });
        json!({
            "type": "object", "required": ["flags"], "additionalProperties": false,
            "properties": {"flags": {"type": "array", "items": flag}},
        })
    }

    fn check(&self, answer: &RubricAnswer) -> Result<(), String> {
        for flag in &answer.flags {
            if !self.criteria.iter().any(|one| one.id == flag.criterion) {
                return Err(format!("there is no criterion \"{}\"", flag.criterion));
            }
        }
        Ok(())
    }

    fn citations(&self, answer: &RubricAnswer) -> Vec<Citation> {
        let citation =
            |flag: &RubricFlag| Citation { path: self.part.path.clone(), first: flag.first, last: flag.last };
        answer.flags.iter().map(citation).collect()
    }
}
