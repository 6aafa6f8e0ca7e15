//! The check that every tagged sentence of the specifications is covered by a case.

use slopbench_tests::{Checkpoint, Problem};

use crate::{
    Error,
    report::{CheckEvidence, CheckState, SentenceCoverage, UncoveredSentence},
    subject::{Findings, Subject},
};

pub(crate) fn check(subject: &Subject<'_, '_>) -> Result<Findings, Error> {
    let rows = coverage(subject.problem);
    let flaws: Vec<_> = rows.iter().flat_map(|row| &row.uncovered).map(uncovered).collect();
    let untagged: Vec<_> = rows.iter().filter(|row| row.tagged == 0).map(|row| row.checkpoint.to_string()).collect();
    let mut notes = Vec::new();
    if untagged.len() == rows.len() {
        notes.push("no sentence is tagged".to_owned());
    } else if !untagged.is_empty() {
        notes.push(format!("no sentence is tagged at checkpoint {}", untagged.join(", ")));
    }
    notes.extend(rows.iter().filter(|row| !row.later.is_empty()).map(|row| {
        format!("of checkpoint {}, cases of later ones alone cover {}", row.checkpoint, row.later.join(", "))
    }));
    let mut findings = Findings::new(CheckEvidence::Sentences(rows), flaws, notes);
    if findings.state == CheckState::Sound && !untagged.is_empty() {
        findings.state = CheckState::NotDone;
    }
    Ok(findings)
}

/// A sentence that no case covers, as a flaw.
pub(crate) fn uncovered(sentence: &UncoveredSentence) -> String {
    format!("{}:{}: no case covers @{}", sentence.path, sentence.line, sentence.name)
}

/// Which tagged sentences cases cover, checkpoint by checkpoint.
pub(crate) fn coverage(problem: &Problem) -> Vec<SentenceCoverage> {
    problem.checkpoints.iter().map(|checkpoint| of_checkpoint(problem, checkpoint)).collect()
}

fn of_checkpoint(problem: &Problem, checkpoint: &Checkpoint) -> SentenceCoverage {
    let covers = |other: &Checkpoint, id: &str| other.cases.iter().any(|case| case.covers.contains(id));
    let mut row = SentenceCoverage {
        checkpoint: checkpoint.number,
        tagged: checkpoint.sentences.len(),
        covered: 0,
        later: Vec::new(),
        uncovered: Vec::new(),
    };
    for sentence in &checkpoint.sentences {
        let (folder, name) = sentence.id.split_once('/').unwrap_or_default();
        let is_covered = problem.checkpoints.iter().any(|other| covers(other, &sentence.id));
        row.covered += usize::from(is_covered);
        if !is_covered {
            let path = format!("{folder}/spec.md");
            row.uncovered.push(UncoveredSentence { name: name.to_owned(), path, line: sentence.line });
        } else if !covers(checkpoint, &sentence.id) {
            row.later.push(name.to_owned());
        }
    }
    row
}
