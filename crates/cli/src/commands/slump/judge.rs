use std::collections::BTreeMap;

use slopbench_report::slump_scores;
use slopbench_slump::{
    SlumpTask,
    judging::{JudgedExposure, SlumpJudging, estimate_slump, judge_slump},
    study::{SLUMP_STUDY, SlumpFolder},
};

use super::tasks::tasks_dir;
use crate::{
    Failure,
    args::{Args, SlumpJudgeArgs},
    judging::{judge, say_estimate, say_judged},
    output::Status,
};

pub(super) fn run(args: &Args, asked: &SlumpJudgeArgs) -> Result<Status, Failure> {
    let folder = SlumpFolder::open(&asked.run, SLUMP_STUDY)?;
    let dir = tasks_dir(args, asked.tasks.as_deref())?;
    let task = |name: &String| Ok((name.clone(), SlumpTask::find(&dir, name)?));
    let tasks: BTreeMap<_, _> = folder.plan.design.tasks.keys().map(task).collect::<Result<_, Failure>>()?;
    let exposures = asked.exposures.iter().map(|path| JudgedExposure::load(path)).collect::<Result<Vec<_>, _>>()?;
    let judge = judge(&asked.judging)?.with_votes(asked.votes);
    if asked.judging.dry_run {
        say_estimate(args, &estimate_slump(&folder, &tasks, &judge, &exposures)?)?;
        return Ok(Status::Ok);
    }
    let calibration = asked.calibration.as_deref();
    let SlumpJudging { scores, items } = judge_slump(&folder, &tasks, &judge, &exposures, calibration)?;
    if let Some(items) = items {
        items.write(&asked.judging.out.join("judgements.json"))?;
    }
    say_judged(args, &asked.judging, &judge, "scores.json", &scores, || slump_scores(&scores))?;
    Ok(Status::Ok)
}
