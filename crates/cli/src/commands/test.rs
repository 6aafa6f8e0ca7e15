use serde::Serialize;
use slopbench_slopcode::{grade, results::Verdicts};
use slopbench_tests::CaseOutcome;

use super::problems::find_checkpoint;
use crate::{
    Failure,
    args::{Args, TestArgs},
    output::{Status, print, print_json},
    setup,
};

/// The answer as JSON.
#[derive(Serialize)]
struct TestAnswer<'a> {
    verdicts: &'a Verdicts,
    details: &'a [CaseOutcome],
}

pub(crate) fn run(args: &Args, test: &TestArgs) -> Result<Status, Failure> {
    let repository = setup::repository(args)?;
    let track = test.track.track;
    let problem = repository.problem(&test.problem)?.in_track(track);
    let last = problem.checkpoints.len() as u32;
    let checkpoint = find_checkpoint(&problem, test.checkpoint.unwrap_or(last))?.number;
    let entry = test.solution.join(problem.entry.required());
    if !entry.is_file() {
        let message = format!("{} is not a file; a solution of {} in {track} has it", entry.display(), problem.name);
        return Err(Failure::configuration(message));
    }
    let graded = setup::with_grading_context(&test.sandbox.place, track, test.sandbox.jobs, &repository, |context| {
        Ok(grade(context, &problem, checkpoint, &test.solution)?)
    })?;
    match args.json {
        true => print_json(&TestAnswer { verdicts: &graded.verdicts, details: &graded.outcomes })?,
        false => {
            print(slopbench_report::outcomes(&graded, test.all))?;
            print(slopbench_report::slowest(&graded.outcomes, test.slowest))?;
        }
    }
    Ok(Status::of_check(graded.verdicts.solve.strict))
}
