use serde::Serialize;
use slopbench_audit::wording::{Wording, wording};
use slopbench_report::{Role, Text, trajectory};
use slopbench_slopcode::{Repository, reference, results::ReferenceSummary};
use slopbench_tests::{Problem, Track};

use super::named;
use crate::{
    Failure,
    args::{Args, SandboxArgs},
    output::{Status, print, print_json},
    setup,
};

/// What checking one problem found.
#[derive(Serialize)]
struct Checked {
    problem: String,
    flaws: Vec<String>,
    /// What texts alone cannot decide.
    notes: Vec<String>,
    summary: ReferenceSummary,
}

pub(super) fn run(
    args: &Args,
    repository: &Repository,
    names: &[String],
    track: Track,
    sandbox: &SandboxArgs,
) -> Result<Status, Failure> {
    let problems: Vec<_> = named(repository, names)?.into_iter().map(|problem| problem.in_track(track)).collect();
    let checked = setup::with_grading_context(&sandbox.place, track, sandbox.jobs, repository, |context| {
        let check = |problem: &Problem| {
            let reference = reference::run(context, problem)?;
            let Wording { flaws, notes } = wording(problem)?;
            let flaws = reference.flaws().into_iter().chain(flaws).collect();
            Ok(Checked { problem: problem.name.clone(), flaws, notes, summary: reference.summary })
        };
        problems.iter().map(check).collect::<Result<Vec<_>, Failure>>()
    })?;
    match args.json {
        true => print_json(&checked)?,
        false => print(checked.iter().map(describe).collect::<Text>())?,
    }
    Ok(Status::of_check(checked.iter().all(|problem| problem.flaws.is_empty())))
}

fn describe(checked: &Checked) -> Text {
    let mut text = Text::of(Role::Title, &checked.problem);
    text += "\n";
    text += trajectory(&checked.summary);
    text += "\n";
    text += match checked.flaws.len() {
        0 => Text::of(Role::Good, "no flaw found"),
        1 => Text::of(Role::Bad, "1 flaw:"),
        count => Text::of(Role::Bad, &format!("{count} flaws:")),
    };
    text.extend(checked.flaws.iter().map(|flaw| format!("  {flaw}\n")));
    text.extend(checked.notes.iter().map(|note| format!("note: {note}\n")));
    text
}
