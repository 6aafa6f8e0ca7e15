use slopbench_report::rubric;
use slopbench_slopcode::run::{RunFolder, STUDY, estimate_rubric, judge_run, problems};

use crate::{
    Failure,
    args::{Args, RubricArgs},
    judging::{judge, say_estimate, say_judged},
    setup,
};

pub(crate) fn run(args: &Args, asked: &RubricArgs) -> Result<(), Failure> {
    let folder = RunFolder::open(&asked.run, STUDY)?;
    let problems = problems(&setup::repository(args)?, &folder.plan.design, false)?;
    let judge = judge(&asked.judging)?;
    if asked.judging.dry_run {
        return say_estimate(args, &estimate_rubric(&folder, &problems, &judge)?);
    }
    let judged = judge_run(&folder, &problems, &judge, asked.calibration.as_deref())?;
    say_judged(args, &asked.judging, &judge, "rubric.json", &judged, || rubric(&judged))
}
