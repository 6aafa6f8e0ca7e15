use std::{collections::BTreeMap, fs};

use slopbench_digest::canonical;
use slopbench_report::{judging_estimate, slump_scores};
use slopbench_slump::{
    SlumpTask,
    judging::{SlumpJudging, estimate_slump, judge_slump},
    study::{SLUMP_STUDY, SlumpFolder},
};

use super::tasks::tasks_dir;
use crate::{
    Failure,
    args::{Args, SlumpJudgeArgs},
    catalogue,
    files::{put, unwritable},
    judging::JudgeChoice,
    output::{Status, print, print_json},
};

pub(super) fn run(args: &Args, options: &SlumpJudgeArgs) -> Result<Status, Failure> {
    let asked = &options.judge;
    let folder = SlumpFolder::open(&asked.run, SLUMP_STUDY)?;
    let dir = tasks_dir(args, options.tasks.as_deref())?;
    let task = |name: &String| Ok((name.clone(), SlumpTask::find(&dir, name)?));
    let tasks: BTreeMap<_, _> = folder.plan.design.tasks.keys().map(task).collect::<Result<_, Failure>>()?;
    let choice = JudgeChoice {
        model: &asked.model,
        cache: &asked.out.join("judgements"),
        offline: asked.offline,
        script: asked.script.as_deref(),
        budget: asked.budget_usd,
    };
    let judge = choice.judge(&catalogue::load(&asked.catalogue)?)?;
    if asked.dry_run {
        let estimate = estimate_slump(&folder, &tasks, &judge)?;
        match args.json {
            true => print_json(&estimate)?,
            false => print(judging_estimate(&estimate))?,
        }
        return Ok(Status::Ok);
    }
    let SlumpJudging { scores, items } = judge_slump(&folder, &tasks, &judge, asked.calibration.as_deref())?;
    let path = asked.out.join("scores.json");
    fs::create_dir_all(&asked.out).map_err(|error| unwritable(&asked.out, &error))?;
    put(&path, &canonical::to_vec(&scores).map_err(Failure::infrastructure)?)?;
    if let Some(items) = items {
        items.write(&asked.out.join("judgements.json"))?;
    }
    match args.json {
        true => print_json(&scores)?,
        false => {
            let spent = judge.budget().spent_usd();
            let more = if judge.budget().has_unpriced() { ", and what has no price" } else { "" };
            let mut text = slump_scores(&scores);
            text += format!("spent ${spent:.4}{more}; written to {}\n", path.display());
            print(text)?;
        }
    }
    Ok(Status::Ok)
}
