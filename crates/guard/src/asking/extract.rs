//! The extractor: what the user has committed the project to, from requests first.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::failure::{ModelFailure, ModelUse};
use super::model::{GuardModel, Question};
use crate::semantic::SemanticState;
use crate::semantic::record::RecordKind;
use crate::shortening::both_ends;

const SYSTEM: &str = include_str!("../../prompts/extractor.md");

/// The shortest quotation that shows anything, in characters, unless all that was said is shorter.
const SHORTEST_QUOTE: usize = 12;

/// The most commitments of a turn.
const MOST_COMMITMENTS: usize = 20;

/// How much of a request an extractor is shown, in bytes: what is longer has mostly been pasted in.
const LONGEST_REQUEST: usize = 24_000;

/// A turn that the extractor has not read.
pub(crate) struct UnreadTurn<'a> {
    pub(crate) number: u32,
    pub(crate) request: &'a str,
    /// What the agent answered at the end; empty where that is not known.
    pub(crate) answer: &'a str,
    /// The files that changed.
    pub(crate) changed: &'a [String],
}

/// What the project is committed to by some turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Commitment {
    pub(crate) kind: RecordKind,
    pub(crate) title: String,
    /// What holds, whole.
    pub(crate) statement: String,
    /// The number of the turn.
    pub(crate) turn: u32,
    pub(crate) source: CommitmentSource,
    /// The words that commit to it, as they stand there.
    pub(crate) quote: String,
}

/// Who committed the project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum CommitmentSource {
    /// The user, in a request.
    Request,
    /// The agent, in its answer, by what it carried out.
    Answer,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Extraction {
    commitments: Vec<Commitment>,
}

/// What was extracted.
pub(crate) struct Extracted {
    pub(crate) commitments: Vec<Commitment>,
    /// Titles of what nobody has said in the words that are quoted for it.
    pub(crate) ungrounded: Vec<String>,
}

/// Asks what these turns commit the project to; `before` is the turn before them, which they may refer to.
pub(crate) fn extract(
    model: &GuardModel,
    before: Option<UnreadTurn<'_>>,
    turns: &[UnreadTurn<'_>],
    state: &SemanticState,
    used: &mut ModelUse,
) -> Result<Extracted, ModelFailure> {
    let question = Question { system: SYSTEM, user: text(before, turns, state), schema: schema() };
    let Extraction { commitments } = model.ask(question, used)?;
    let (count, most) = (commitments.len(), MOST_COMMITMENTS * turns.len());
    if count > most {
        return Err(ModelFailure::unsound(format!("{count} commitments, of at most {most}")));
    }
    let (grounded, ungrounded): (Vec<_>, Vec<_>) =
        commitments.into_iter().partition(|commitment| is_grounded(commitment, turns));
    let ungrounded = ungrounded.into_iter().map(|commitment| commitment.title).collect();
    Ok(Extracted { commitments: grounded, ungrounded })
}

/// Whether its quotation stands where it says. An answer counts only where something was carried out.
fn is_grounded(commitment: &Commitment, turns: &[UnreadTurn<'_>]) -> bool {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let Some(turn) = turns.iter().find(|turn| turn.number == commitment.turn) else { return false };
    let said = match commitment.source {
        CommitmentSource::Request => turn.request,
        CommitmentSource::Answer if !turn.changed.is_empty() => turn.answer,
        CommitmentSource::Answer => return false,
    };
    let (quote, said) = (words(&commitment.quote), words(said));
    quote.chars().count() >= SHORTEST_QUOTE.min(said.chars().count()).max(1) && said.contains(&quote)
}

fn text(before: Option<UnreadTurn<'_>>, turns: &[UnreadTurn<'_>], state: &SemanticState) -> String {
    let last = turns.last().map_or(0, |turn| turn.number);
    let mut text = format!("# Extractor, turn {last}\n\n## Records that hold\n\n");
    for record in state.committed() {
        text += &format!("- {} ({}): {}\n", record.id, record.kind.name(), record.title);
    }
    if let Some(UnreadTurn { number, request, answer, .. }) = before {
        let (request, answer) = (both_ends(request.trim(), LONGEST_REQUEST), answer.trim());
        text += &format!(
            "\n## Before: turn {number}, which is read already\n\n{request}\n\n### The agent's answer to it\n\n{answer}\n"
        );
    }
    for turn in turns {
        let changed = if turn.changed.is_empty() { "no file".to_owned() } else { turn.changed.join(", ") };
        text +=
            &format!("\n## Request of turn {}\n\n{}\n", turn.number, both_ends(turn.request.trim(), LONGEST_REQUEST));
        if !turn.answer.trim().is_empty() {
            text += &format!("\n### The agent's answer\n\n{}\n", turn.answer.trim());
        }
        text += &format!("\n### Source files changed\n\n{changed}\n");
    }
    text + &format!("\n## Limits\n\nAt most {} commitments.\n", MOST_COMMITMENTS * turns.len())
}

pub(super) fn schema() -> serde_json::Value {
    let text = json!({"type": "string"});
    let commitment = json!({
        "type": "object", "additionalProperties": false,
        "required": ["kind", "title", "statement", "turn", "source", "quote"],
        "properties": {
            "kind": {"enum": RecordKind::ALL, "type": "string"},
            "title": text, "statement": text, "turn": {"type": "integer"},
            "source": {"enum": [CommitmentSource::Request, CommitmentSource::Answer], "type": "string"},
            "quote": text,
        },
    });
    json!({
        "type": "object", "additionalProperties": false, "required": ["commitments"],
        "properties": {"commitments": {"type": "array", "items": commitment}},
    })
}
