//! Reading turns for what they commit the project to, some at a time.

use crate::asking::extract::{UnreadTurn, extract};
use crate::asking::merge::{MergeCounts, merge};
use crate::asking::model::GuardModel;
use crate::asking::{ModelFailure, ModelUse};
use crate::semantic::SemanticState;
use crate::turns::{GuardStage, LoggedTurn, SemanticOutcome};

/// How many turns an extractor reads at a time.
const BATCH: usize = 20;

/// How many times an update reads turns: what is left is for the next one, so that none takes hours.
const MOST_BATCHES: usize = 5;

/// Who reads, and what it has come to. What is read stays read, whatever becomes of the turns after.
pub(crate) struct Reading<'a> {
    model: &'a GuardModel,
    most_records: usize,
    known: &'a SemanticState,
    /// The records as they are to be, if they are to change.
    pub(crate) state: Option<SemanticState>,
    changes: Option<MergeCounts>,
    ungrounded: Vec<String>,
    /// The number of the last turn that is read.
    pub(crate) read_to: Option<u32>,
    pub(crate) used: ModelUse,
}

impl<'a> Reading<'a> {
    pub(crate) fn new(model: &'a GuardModel, most_records: usize, known: &'a SemanticState) -> Self {
        let (used, ungrounded) = (ModelUse::default(), Vec::new());
        Self { model, most_records, known, state: None, changes: None, ungrounded, read_to: None, used }
    }

    /// Reads turns, of which `before` is the last that is read already.
    pub(crate) fn read(&mut self, before: Option<&LoggedTurn>, unread: &[LoggedTurn]) -> SemanticOutcome {
        let mut before = before;
        for turns in unread.chunks(BATCH).take(MOST_BATCHES) {
            if let Err((stage, failure)) = self.read_batch(before, turns) {
                return SemanticOutcome::Failed { stage, failure, changes: self.changes.take().unwrap_or_default() };
            }
            before = turns.last();
            self.read_to = before.map(|turn| turn.turn);
        }
        let ungrounded = std::mem::take(&mut self.ungrounded);
        match self.changes.take() {
            Some(changes) => SemanticOutcome::Merged { changes, ungrounded },
            None => SemanticOutcome::NothingCommitted { ungrounded },
        }
    }

    fn read_batch(
        &mut self,
        before: Option<&LoggedTurn>,
        turns: &[LoggedTurn],
    ) -> Result<(), (GuardStage, ModelFailure)> {
        let known = self.state.as_ref().unwrap_or(self.known);
        let unread: Vec<_> = turns.iter().map(unread_turn).collect();
        let extracted = extract(self.model, before.map(unread_turn), &unread, known, &mut self.used);
        let extracted = extracted.map_err(|failure| (GuardStage::Extractor, failure))?;
        if !extracted.commitments.is_empty() {
            let last = turns.last().map_or(0, |turn| turn.turn);
            let merged = merge(self.model, last, &extracted.commitments, known, self.most_records, &mut self.used);
            let (next, changes) = merged.map_err(|failure| (GuardStage::Merger, failure))?;
            self.state = Some(next);
            self.changes.get_or_insert_default().extend(changes);
        }
        self.ungrounded.extend(extracted.ungrounded);
        Ok(())
    }
}

fn unread_turn(turn: &LoggedTurn) -> UnreadTurn<'_> {
    UnreadTurn { number: turn.turn, request: &turn.request, answer: &turn.answer, changed: &turn.changed }
}
