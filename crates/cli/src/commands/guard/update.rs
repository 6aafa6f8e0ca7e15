use std::path::Path;

use slopbench_guard::{
    FinishedTurn, Guard, GuardStage, ModelFailure, ModelFailureKind, SemanticOutcome, SourceTree, TurnReport,
};

use super::{asking, place::read, spending::took};
use crate::{
    Failure,
    args::{Args, GuardModelArgs},
    output::{Status, print, print_json, refuse, warn},
};

pub(super) fn run(
    args: &Args,
    guard: Guard,
    tree: &SourceTree,
    request: &str,
    answer: Option<&Path>,
    model: &GuardModelArgs,
) -> Result<Status, Failure> {
    let answer = answer.map(read).transpose()?.unwrap_or_default();
    let (mut guard, recorder) = asking::with_model(guard, model)?;
    let report = guard.after(&FinishedTurn { request, answer: &answer }, tree);
    // Whatever became of it: the answers are paid for.
    asking::save(&guard, recorder.as_ref(), model)?;
    let report = report?;
    match args.json {
        true => print_json(&report)?,
        false => print(text(&report))?,
    }
    let status = told(&report.records);
    if status == Status::Ok && !model.no_model && report.unread_turns > 0 {
        warn(&format!("{} turns are not read yet; the next update with --model reads on", report.unread_turns));
    }
    Ok(status)
}

/// Says what was not done, and gives the exit code.
fn told(outcome: &SemanticOutcome) -> Status {
    match outcome {
        SemanticOutcome::NothingCommitted { .. } | SemanticOutcome::Merged { .. } => Status::Ok,
        SemanticOutcome::NotAsked => {
            warn(
                "no model was asked: what this turn commits the project to is not recorded; the next update with --model reads it",
            );
            Status::Ok
        }
        SemanticOutcome::Failed { stage, failure, .. } => {
            let who = match stage {
                GuardStage::Extractor => "extractor",
                GuardStage::Merger => "merger",
            };
            refuse(&format!("{who}: {failure}; the records do not have this turn, and the next update reads it again"));
            failed_call(failure)
        }
    }
}

/// The exit code where a model's answer came to nothing.
pub(super) fn failed_call(failure: &ModelFailure) -> Status {
    match failure.kind {
        ModelFailureKind::Provider => Status::Infrastructure,
        _ => Status::Difference,
    }
}

fn text(report: &TurnReport) -> String {
    let change = &report.structure;
    let mut text = format!(
        "turn {}: {} files added, {} modified, {} removed, {} renamed\n",
        report.turn,
        change.added.len(),
        change.modified.len(),
        change.removed.len(),
        change.renamed.len()
    );
    for changed in &change.signatures {
        let after = changed.after.as_deref().unwrap_or("gone");
        text += &format!("{}: {} -> {after}", changed.path, changed.before);
        text += &match &changed.importers[..] {
            [] => "\n".to_owned(),
            importers => format!(" (imported by {})\n", importers.join(", ")),
        };
    }
    text += &records(&report.records);
    if report.used.calls > 0 {
        text += &format!("{}\n", took(&report.used));
    }
    text + &format!("state: {:.1} kB\n", report.size.kilobytes())
}

fn records(outcome: &SemanticOutcome) -> String {
    let list = |ids: Vec<&str>| if ids.is_empty() { "none".to_owned() } else { ids.join(", ") };
    match outcome {
        SemanticOutcome::NotAsked => String::new(),
        SemanticOutcome::Failed { changes, .. } if changes.is_empty() => String::new(),
        SemanticOutcome::NothingCommitted { .. } => "records: nothing to change\n".to_owned(),
        SemanticOutcome::Merged { changes, .. } | SemanticOutcome::Failed { changes, .. } => {
            let [added, edited, retired] = [&changes.added, &changes.edited, &changes.retired]
                .map(|ids| list(ids.iter().map(String::as_str).collect()));
            format!("records: added {added}; edited {edited}; retired {retired}; {} relations\n", changes.relations)
        }
    }
}
