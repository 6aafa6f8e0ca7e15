//! Stage A: the canonical specification.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    flaw::{AnswerFlaw, Flaws},
    prompt::{list, object},
};
use crate::task::{
    names::is_id,
    words::{holds, words},
};

/// How long the idea is at least, in words, as in the paper's prompt A.
const WORDS_OF_IDEA: usize = 600;

/// What is to be built, and what might have been.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CanonicalSpecification {
    pub(super) document_title: String,
    pub(super) method_name: String,
    pub(super) hidden: Vec<String>,
    pub(super) summary: String,
    pub(super) packages: Vec<String>,
    pub(super) idea: String,
    pub(super) evaluation: PlannedEvaluation,
    pub(super) implementation: String,
    pub(super) design_alternatives: Vec<PlannedDesign>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlannedEvaluation {
    pub(super) datasets: Vec<String>,
    pub(super) metrics: Vec<String>,
    pub(super) description: String,
}

/// A choice, and what might have been chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlannedDesign {
    pub(super) design_id: String,
    pub(super) description: String,
    pub(super) options: Vec<String>,
}

pub(super) fn schema() -> Value {
    let text = json!({"type": "string"});
    let texts = list(&text);
    let evaluation = object(json!({"datasets": texts, "metrics": texts, "description": text}));
    let design = object(json!({"design_id": text, "description": text, "options": texts}));
    object(json!({
        "document_title": text, "method_name": text, "hidden": texts, "summary": text, "packages": texts, "idea": text,
        "evaluation": evaluation, "implementation": text, "design_alternatives": list(&design),
    }))
}

/// How many words the idea of a document has at least: of a short one, half as many as it has itself.
pub(super) fn least_words(document: &str) -> usize {
    WORDS_OF_IDEA.min(words(document).len() / 2)
}

/// What is wrong with an answer about `document`.
pub(super) fn check(answer: &CanonicalSpecification, document: &str) -> Vec<AnswerFlaw> {
    let mut flaws = Flaws::default();
    let said = words(document);
    for (key, text) in [("document_title", &answer.document_title), ("method_name", &answer.method_name)] {
        flaws.note(!holds(&said, text), key, format!("is \"{text}\"; expected words that stand in the document"));
    }
    flaws.note(answer.hidden.is_empty(), "hidden", "is empty; expected the words that give the method away");
    for (index, word) in answer.hidden.iter().enumerate() {
        flaws.note(words(word).is_empty(), format!("hidden[{index}]"), "has no word in it");
    }
    let evaluation = &answer.evaluation.description;
    let texts = [
        ("summary", &answer.summary),
        ("implementation", &answer.implementation),
        ("evaluation.description", evaluation),
    ];
    texts.iter().for_each(|(key, text)| flaws.expect_text(key, text));
    let (count, least) = (words(&answer.idea).len(), least_words(document));
    flaws.note(count < least, "idea", format!("has {count} words; expected at least {least}"));
    let lacks_formulas = document.contains('$') && !answer.idea.contains('$');
    flaws.note(lacks_formulas, "idea", "has no formula; expected the document's, as $…$");
    for (key, text) in [("idea", &answer.idea)].into_iter().chain(texts) {
        for id in words(text).into_iter().filter(|word| is_id(word)) {
            flaws.note(true, key, format!("holds \"{id}\", which would be a component's id; expected other words"));
        }
    }
    designs(&answer.design_alternatives, &mut flaws);
    flaws.0
}

fn designs(designs: &[PlannedDesign], flaws: &mut Flaws) {
    flaws.note(designs.is_empty(), "design_alternatives", "is empty; expected the choices of the larger parts");
    let mut seen = BTreeSet::new();
    for (index, design) in designs.iter().enumerate() {
        let place = |key: &str| format!("design_alternatives[{index}].{key}");
        flaws.expect_text(place("design_id"), &design.design_id);
        flaws.expect_text(place("description"), &design.description);
        let (id, count) = (&design.design_id, design.options.len());
        flaws.note(!seen.insert(id), place("design_id"), format!("\"{id}\" is there already; expected another id"));
        flaws.note(count < 2, place("options"), format!("has {count}; expected two or more"));
    }
}
