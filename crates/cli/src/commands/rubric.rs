use std::fs;

use slopbench_digest::canonical;
use slopbench_report::{judging_estimate, rubric};
use slopbench_slopcode::run::{RunFolder, STUDY, estimate_rubric, judge_run};

use crate::{
    Failure,
    args::{Args, RubricArgs},
    catalogue,
    files::{put, unwritable},
    judging::JudgeChoice,
    output::{print, print_json},
};

pub(crate) fn run(args: &Args, asked: &RubricArgs) -> Result<(), Failure> {
    let folder = RunFolder::open(&asked.run, STUDY)?;
    let choice = JudgeChoice {
        model: &asked.model,
        cache: &asked.out.join("judgements"),
        offline: asked.offline,
        script: asked.script.as_deref(),
        budget: asked.budget_usd,
    };
    let judge = choice.judge(&catalogue::load(&asked.catalogue)?)?;
    if asked.dry_run {
        let estimate = estimate_rubric(&folder, &judge)?;
        return match args.json {
            true => print_json(&estimate),
            false => print(judging_estimate(&estimate)),
        };
    }
    let judged = judge_run(&folder, &judge, asked.calibration.as_deref())?;
    let path = asked.out.join("rubric.json");
    fs::create_dir_all(&asked.out).map_err(|error| unwritable(&asked.out, &error))?;
    put(&path, &canonical::to_vec(&judged).map_err(Failure::infrastructure)?)?;
    match args.json {
        true => print_json(&judged),
        false => {
            let spent = judge.budget().spent_usd();
            let more = if judge.budget().has_unpriced() { ", and what has no price" } else { "" };
            let mut text = rubric(&judged);
            text += format!("spent ${spent:.4}{more}; written to {}\n", path.display());
            print(text)
        }
    }
}
