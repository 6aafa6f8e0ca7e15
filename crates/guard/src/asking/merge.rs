//! The merger: commitments become edits of records, and new records only where there is nothing to edit.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::extract::Commitment;
use super::failure::{ModelFailure, ModelUse};
use super::model::{GuardModel, Question};
use crate::semantic::SemanticState;
use crate::semantic::record::{ProjectRecord, RecordKind, RecordStatus, checked_id, checked_title};
use crate::semantic::relations::{RecordRelation, RelationKind};

const SYSTEM: &str = include_str!("../../prompts/merger.md");

/// The longest text that an operation may bring, in bytes.
const LONGEST_TEXT: usize = 4_000;

/// The longest text of a record that an operation may leave behind, in bytes.
const LONGEST_RECORD: usize = 16_000;

/// What the texts of records may take of a question, in bytes. Those that most recently changed come first to it, the others are
/// there by title alone.
const MOST_TEXTS: usize = 240_000;

/// The most operations of an answer, for each commitment.
const MOST_OPERATIONS: usize = 8;

/// What an operation does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Verb {
    Edit,
    Append,
    Retitle,
    Add,
    Retire,
    Relate,
    Unrelate,
}

const VERBS: [Verb; 7] =
    [Verb::Edit, Verb::Append, Verb::Retitle, Verb::Add, Verb::Retire, Verb::Relate, Verb::Unrelate];

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Operation {
    operation: Verb,
    commitment: usize,
    record: String,
    kind: String,
    title: String,
    find: String,
    text: String,
    relation: String,
    to: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Merge {
    operations: Vec<Operation>,
}

/// What a merge changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MergeCounts {
    /// Ids of records that are new.
    pub added: BTreeSet<String>,
    /// Ids of records that were there and say something else now.
    pub edited: BTreeSet<String>,
    /// Ids of records that no longer hold.
    pub retired: BTreeSet<String>,
    /// Relations added or taken out.
    pub relations: u32,
}

impl MergeCounts {
    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds what a further merge changed.
    pub(crate) fn extend(&mut self, further: Self) {
        let (new, known) = (further.added, &mut self.added);
        self.edited.extend(further.edited.into_iter().filter(|id| !known.contains(id)));
        known.extend(new);
        self.retired.extend(further.retired);
        self.relations += further.relations;
    }
}

/// Asks how the commitments change the records, and gives the records as they are then.
pub(crate) fn merge(
    model: &GuardModel,
    turn: u32,
    commitments: &[Commitment],
    state: &SemanticState,
    most_records: usize,
    used: &mut ModelUse,
) -> Result<(SemanticState, MergeCounts), ModelFailure> {
    let most = MOST_OPERATIONS * commitments.len();
    let limits = format!(
        "\n## Limits\n\nAt most {most} operations, of at most {LONGEST_TEXT} bytes of text each. At most {most_records} records may hold.\n"
    );
    let question = Question { system: SYSTEM, user: text(turn, commitments, state) + &limits, schema: schema() };
    let Merge { operations } = model.ask(question, used)?;
    if operations.len() > most {
        return Err(ModelFailure::unsound(format!("{} operations, of at most {most}", operations.len())));
    }
    let mut merger = Merger { state: state.clone(), commitments, counts: MergeCounts::default() };
    for (number, operation) in (1..).zip(&operations) {
        let done = merger.carry_out(operation);
        done.map_err(|problem| ModelFailure::unsound(format!("operation {number}: {problem}")))?;
    }
    let committed = merger.state.committed().len();
    if committed > most_records && !merger.counts.added.is_empty() {
        let problem = format!("{committed} records would hold, of at most {most_records}: edit or retire some");
        return Err(ModelFailure::unsound(problem));
    }
    Ok((merger.state, merger.counts))
}

struct Merger<'a> {
    state: SemanticState,
    commitments: &'a [Commitment],
    counts: MergeCounts,
}

impl Merger<'_> {
    fn carry_out(&mut self, operation: &Operation) -> Result<(), String> {
        let turn = match operation.commitment {
            0 => None,
            number => {
                let commitment = self.commitments.get(number - 1);
                Some(commitment.ok_or_else(|| format!("there is no commitment {number}"))?.turn)
            }
        };
        if turn.is_none() && !matches!(operation.operation, Verb::Relate | Verb::Unrelate) {
            return Err("it carries out no commitment: only `relate` and `unrelate` may".to_owned());
        }
        if operation.text.len() > LONGEST_TEXT {
            return Err(format!("a text of {} bytes, of at most {LONGEST_TEXT}", operation.text.len()));
        }
        match operation.operation {
            Verb::Add => self.add(operation, turn),
            Verb::Relate | Verb::Unrelate => self.relate(operation),
            Verb::Edit => self.change(operation, turn, |record| {
                let places = if operation.find.is_empty() { 0 } else { record.text.matches(&operation.find).count() };
                if places != 1 {
                    return Err(format!("`{}` has what is to be edited {places} times, not once", record.id));
                }
                record.text = record.text.replacen(&operation.find, &operation.text, 1);
                Ok(())
            }),
            Verb::Append => self.change(operation, turn, |record| {
                record.text = format!("{}\n\n{}", record.text, operation.text.trim());
                if operation.text.trim().is_empty() { Err("nothing to append".to_owned()) } else { Ok(()) }
            }),
            Verb::Retitle => {
                let title = self.new_title(operation)?;
                self.change(operation, turn, |record| {
                    record.title = title;
                    Ok(())
                })
            }
            Verb::Retire => self.change(operation, turn, |record| {
                record.status = RecordStatus::Retired;
                if !operation.text.trim().is_empty() {
                    record.text = format!("{}\n\nRetired: {}", record.text, operation.text.trim());
                }
                Ok(())
            }),
        }
    }

    fn change(
        &mut self,
        operation: &Operation,
        turn: Option<u32>,
        change: impl FnOnce(&mut ProjectRecord) -> Result<(), String>,
    ) -> Result<(), String> {
        let id = &operation.record;
        let known = self.state.get(id).filter(|record| record.is_committed());
        let mut record = known.ok_or_else(|| format!("no record `{id}` holds"))?.clone();
        if record.pinned {
            return Err(format!("`{id}` is pinned: only people may change it"));
        }
        let before = record.text.len();
        change(&mut record)?;
        record.text = record.text.trim().to_owned();
        if record.text.len() > LONGEST_RECORD.max(before) {
            return Err(format!(
                "`{id}` would have {} bytes, of at most {LONGEST_RECORD}: add a record",
                record.text.len()
            ));
        }
        cite(&mut record, turn);
        let is_retired = !record.is_committed();
        self.state.put(record);
        match is_retired {
            true => self.counts.retired.insert(id.clone()),
            false => !self.counts.added.contains(id) && self.counts.edited.insert(id.clone()),
        };
        Ok(())
    }

    /// The title that an operation gives, which no other record may have.
    fn new_title(&self, operation: &Operation) -> Result<String, String> {
        let title = checked_title(operation.title.trim())?;
        let same = |record: &&&ProjectRecord| {
            record.id != operation.record && record.title.to_lowercase() == title.to_lowercase()
        };
        match self.state.committed().iter().find(same) {
            Some(other) => Err(format!("`{}` has this title already: edit it", other.id)),
            None => Ok(title),
        }
    }

    fn add(&mut self, operation: &Operation, turn: Option<u32>) -> Result<(), String> {
        let id = checked_id(&operation.record)?;
        if self.state.get(id).is_some() {
            return Err(format!("there is a record `{id}` already: edit it"));
        }
        let kind = RecordKind::ALL.into_iter().find(|kind| kind.name() == operation.kind);
        let kind = kind.ok_or_else(|| format!("`{}` is no kind of record", operation.kind))?;
        let title = self.new_title(operation)?;
        let text = operation.text.trim().to_owned();
        let (id, status) = (id.to_owned(), RecordStatus::Committed);
        let mut record = ProjectRecord { id, kind, title, status, turns: Vec::new(), pinned: false, text };
        cite(&mut record, turn);
        self.counts.added.insert(record.id.clone());
        self.state.put(record);
        Ok(())
    }

    fn relate(&mut self, operation: &Operation) -> Result<(), String> {
        let kind = RelationKind::all().find(|kind| kind.name() == operation.relation);
        let kind = kind.ok_or_else(|| format!("`{}` is no relation", operation.relation))?;
        let relation = RecordRelation { from: operation.record.clone(), kind, to: operation.to.clone() };
        let changed = match operation.operation {
            Verb::Unrelate => self.state.unrelate(&relation),
            _ => self.state.relate(relation)?,
        };
        self.counts.relations += u32::from(changed);
        Ok(())
    }
}

/// Notes that a record comes from a turn, too.
fn cite(record: &mut ProjectRecord, turn: Option<u32>) {
    if let Some(turn) = turn
        && let Err(place) = record.turns.binary_search(&turn)
    {
        record.turns.insert(place, turn);
    }
}

fn text(turn: u32, commitments: &[Commitment], state: &SemanticState) -> String {
    let mut text = format!("# Merger, turn {turn}\n\n## Records that hold\n");
    let records = state.committed();
    let shown = with_text(&records);
    for record in records {
        let pinned = if record.pinned { ", pinned" } else { "" };
        let (id, kind, title) = (&record.id, record.kind.name(), &record.title);
        let whole = if shown.contains(id.as_str()) {
            &record.text
        } else {
            "(There is no room for its text here: append to it, or leave it.)"
        };
        text += &format!("\n### {id} ({kind}{pinned}): {title}\n\n{whole}\n");
    }
    text += "\n## Relations\n\n";
    for (_, relation) in state.relations().iter() {
        text += &format!("- {} {} {}\n", relation.from, relation.kind.name(), relation.to);
    }
    text += "\n## Ids of records that no longer hold\n\n";
    let retired = state.records().into_iter().filter(|record| !record.is_committed());
    text += &retired.map(|record| record.id.as_str()).collect::<Vec<_>>().join(", ");
    text += "\n\n## Commitments\n";
    for (number, commitment) in (1..).zip(commitments) {
        let Commitment { kind, title, statement, quote, turn, .. } = commitment;
        let kind = kind.name();
        text += &format!("\n### {number} ({kind}, turn {turn}): {title}\n\n{statement}\n\nQuoted: {quote}\n");
    }
    text
}

/// The ids of the records whose texts have room.
fn with_text<'a>(records: &[&'a ProjectRecord]) -> BTreeSet<&'a str> {
    let mut latest = records.to_vec();
    latest.sort_by_key(|record| Reverse(record.turns.last().copied()));
    let mut left = MOST_TEXTS;
    let fits = |record: &&ProjectRecord| match left.checked_sub(record.text.len()) {
        Some(rest) => {
            left = rest;
            true
        }
        None => false,
    };
    latest.into_iter().filter(fits).map(|record| record.id.as_str()).collect()
}

pub(super) fn schema() -> serde_json::Value {
    let text = json!({"type": "string"});
    let operation = json!({
        "type": "object", "additionalProperties": false,
        "required": ["operation", "commitment", "record", "kind", "title", "find", "text", "relation", "to"],
        "properties": {
            "operation": {"enum": VERBS, "type": "string"},
            "commitment": {"type": "integer"},
            "record": text, "kind": text, "title": text, "find": text, "text": text, "relation": text, "to": text,
        },
    });
    json!({
        "type": "object", "additionalProperties": false, "required": ["operations"],
        "properties": {"operations": {"type": "array", "items": operation}},
    })
}
