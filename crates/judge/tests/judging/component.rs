//! A question as SLUMP's judge has it: is a component there, on a scale from 0 to 4?

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use slopbench_judge::{Citation, JudgeSettings, Question};

#[derive(Serialize)]
pub(crate) struct Component {
    pub(crate) component: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Verdict {
    pub(crate) score: u8,
    pub(crate) evidence: String,
}

impl Question for Component {
    type Answer = Verdict;

    fn kind(&self) -> &str {
        "test.component/1"
    }

    fn template(&self) -> &str {
        "Is this component there?\n\nCOMPONENT: {{ component }}\n\nScore it from 0 (absent) to 4 (faithful)."
    }

    fn schema(&self) -> Value {
        json!({
            "type": "object", "required": ["score", "evidence"], "additionalProperties": false,
            "properties": {"score": {"type": "integer", "enum": [0, 1, 2, 3, 4]}, "evidence": {"type": "string"}},
        })
    }

    fn check(&self, answer: &Verdict) -> Result<(), String> {
        if answer.score <= 4 { Ok(()) } else { Err(format!("the score is {}, expected 0 to 4", answer.score)) }
    }

    fn citations(&self, answer: &Verdict) -> Vec<Citation> {
        Citation::all_in(&answer.evidence)
    }

    fn score(&self, answer: &Verdict) -> Option<f64> {
        Some(f64::from(answer.score))
    }
}

pub(crate) fn component() -> Component {
    Component { component: "the loss is the mean of squares".to_owned() }
}

pub(crate) fn settings() -> JudgeSettings {
    JudgeSettings { max_tokens: 200, ..JudgeSettings::new("acme", "m") }
}

pub(crate) fn verdict(score: u8, evidence: &str) -> Value {
    json!({"score": score, "evidence": evidence})
}

/// A folder with these files.
pub(crate) fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = dir.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    dir
}

/// The one file that has the component, in line 2.
pub(crate) const LOSS: (&str, &str) = ("src/loss.py", "def loss(x, y):\n    return mean_of_squares(x - y)\n");
