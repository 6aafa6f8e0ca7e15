use std::fs;

use slopbench_digest::canonical;
use slopbench_judge::JudgingEstimate;
use slopbench_report::judged_exposure;
use slopbench_slump::{
    SlumpTask,
    judging::{ExposureScope, estimate_exposure, judge_exposure},
    load_tasks,
};

use super::tasks::tasks_dir;
use crate::{
    Failure,
    args::{Args, SlumpExposureArgs},
    files::{put, unwritable},
    judging::{judge, say_estimate},
    output::{Status, print, print_json},
};

pub(super) fn run(args: &Args, asked: &SlumpExposureArgs) -> Result<Status, Failure> {
    let dir = tasks_dir(args, asked.tasks.as_deref())?;
    let tasks = match asked.names.as_slice() {
        [] => load_tasks(&dir)?,
        names => names.iter().map(|name| SlumpTask::find(&dir, name)).collect::<Result<_, _>>()?,
    };
    let scope = if asked.each { ExposureScope::Each } else { ExposureScope::Last };
    let (out, judge) = (&asked.judging.out, judge(&asked.judging)?);
    if asked.judging.dry_run {
        let mut sum = JudgingEstimate::none();
        for task in &tasks {
            sum += estimate_exposure(&judge, task, scope)?;
        }
        say_estimate(args, &sum)?;
        return Ok(Status::Ok);
    }
    fs::create_dir_all(out).map_err(|error| unwritable(out, &error))?;
    let mut judged = Vec::new();
    for task in &tasks {
        let exposure = judge_exposure(&judge, task, scope)?;
        let path = out.join(format!("{}.exposure.json", task.name));
        put(&path, &canonical::to_vec(&exposure).map_err(Failure::infrastructure)?)?;
        let audit = exposure.audit(task)?;
        judged.push((exposure, audit));
    }
    match args.json {
        true => print_json(&judged.iter().map(|(exposure, _)| exposure).collect::<Vec<_>>())?,
        false => print(judged_exposure(&judged))?,
    }
    Ok(Status::Ok)
}
