//! What a judge is asked: whether a repository has a component, and how much of one a conversation gives away.
//!
//! The judge of a repository sees one component and the repository, never the task's other files. The judge of an exposure sees
//! one component and the requests up to a point, and no repository.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use slopbench_judge::{Citation, Judge, JudgedTree, Question, Votes};

use crate::{
    Error,
    exposure::MOST_LEVEL,
    scores::MOST_SCORE,
    task::{SlumpTask, TaskComponent},
};

/// Whether a repository has a component (section 3.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComponentQuestion {
    /// Its name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// Its formula, or that it has none.
    pub formula: String,
    /// What it takes.
    pub inputs: String,
    /// What it gives.
    pub outputs: String,
    /// What it is connected with, by name, and what goes over these connections.
    pub connections: String,
}

/// A judge's verdict on a component.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComponentVerdict {
    /// From 0, absent, to 4, faithful.
    pub score: u8,
    /// Where it is, as `path:line`; `not found` where it is not.
    pub evidence: String,
    /// In what it differs; `none` where it does not.
    pub deviation: String,
}

/// How much of a component some requests give away (section 3.3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExposureQuestion {
    /// The component.
    pub component: ComponentQuestion,
    /// Every request so far.
    pub requests: Vec<String>,
}

/// A judge's verdict on an exposure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExposureVerdict {
    /// R(c), from 0, not recoverable, to 4, stated.
    pub level: u8,
    /// What is still missing; `none` where nothing is.
    pub missing: String,
}

impl ComponentQuestion {
    /// Of a component of `task`. Others appear by their names alone: ids mean nothing to a judge.
    pub fn of(task: &SlumpTask, component: &TaskComponent) -> Self {
        let or_none = |text: String| if text.is_empty() { "none".to_owned() } else { text };
        let names = component.connections.iter().filter_map(|id| Some(task.component(id)?.name.as_str()));
        let names = names.collect::<Vec<_>>().join(", ");
        Self {
            name: component.name.clone(),
            description: task.named(&component.description),
            formula: or_none(task.named(&component.formula)),
            inputs: or_none(task.named(&component.inputs.join("; "))),
            outputs: or_none(task.named(&component.outputs.join("; "))),
            connections: or_none(
                [names, task.named(&component.wiring)]
                    .into_iter()
                    .filter(|part| !part.is_empty())
                    .collect::<Vec<_>>()
                    .join(". "),
            ),
        }
    }
}

impl ComponentQuestion {
    /// What is asked about, as a person can read it.
    pub fn text(&self) -> String {
        let parts = [
            ("component", &self.name),
            ("what it does", &self.description),
            ("formula", &self.formula),
            ("it takes", &self.inputs),
            ("it gives", &self.outputs),
            ("it is connected with", &self.connections),
        ];
        parts.map(|(what, text)| format!("{what}: {text}")).join("\n")
    }
}

impl Question for ComponentQuestion {
    type Answer = ComponentVerdict;

    fn kind(&self) -> &str {
        "slump.component/1"
    }

    fn template(&self) -> &str {
        include_str!("../../prompts/component.md")
    }

    fn schema(&self) -> Value {
        json!({
            "type": "object", "required": ["score", "evidence", "deviation"], "additionalProperties": false,
            "properties": {
                "score": {"type": "integer", "enum": (0..=MOST_SCORE).collect::<Vec<_>>()},
                "evidence": {"type": "string"},
                "deviation": {"type": "string"},
            },
        })
    }

    fn check(&self, answer: &ComponentVerdict) -> Result<(), String> {
        match answer.score <= MOST_SCORE {
            true => Ok(()),
            false => Err(format!("the score is {}, expected 0 to {MOST_SCORE}", answer.score)),
        }
    }

    fn citations(&self, answer: &ComponentVerdict) -> Vec<Citation> {
        Citation::all_in(&answer.evidence)
    }

    fn score(&self, answer: &ComponentVerdict) -> Option<f64> {
        Some(f64::from(answer.score))
    }
}

impl Question for ExposureQuestion {
    type Answer = ExposureVerdict;

    fn kind(&self) -> &str {
        "slump.exposure/1"
    }

    fn template(&self) -> &str {
        include_str!("../../prompts/exposure.md")
    }

    fn schema(&self) -> Value {
        json!({
            "type": "object", "required": ["level", "missing"], "additionalProperties": false,
            "properties": {
                "level": {"type": "integer", "enum": (0..=MOST_LEVEL).collect::<Vec<_>>()},
                "missing": {"type": "string"},
            },
        })
    }

    fn check(&self, answer: &ExposureVerdict) -> Result<(), String> {
        match answer.level <= MOST_LEVEL {
            true => Ok(()),
            false => Err(format!("the level is {}, expected 0 to {MOST_LEVEL}", answer.level)),
        }
    }

    fn score(&self, answer: &ExposureVerdict) -> Option<f64> {
        Some(f64::from(answer.level))
    }
}

/// The verdict on each component of `task` in a repository, by id.
///
/// # Errors
///
/// [`Error::Judge`] where nobody could be asked.
pub async fn judge_components(
    judge: &Judge,
    task: &SlumpTask,
    tree: &JudgedTree,
) -> Result<BTreeMap<String, Votes<ComponentVerdict>>, Error> {
    let mut judged = BTreeMap::new();
    for component in &task.components {
        let votes = judge.votes(&ComponentQuestion::of(task, component), Some(tree), judge.vote_count()).await?;
        judged.insert(component.id.clone(), votes);
    }
    Ok(judged)
}
