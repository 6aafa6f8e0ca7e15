use std::path::Path;

use serde::Serialize;
use slopbench_slopcode::run::{CheckpointView, RunFolder, RunSummary, RunUsage, STUDY, TrajectoryRow};

use crate::{
    Failure,
    args::Args,
    output::{Status, page, print_json},
};

/// A run's results, and beside them what differs from run to run.
#[derive(Serialize)]
pub(crate) struct RunFigures<'a> {
    #[serde(flatten)]
    pub(crate) summary: &'a RunSummary,
    pub(crate) usage: &'a RunUsage,
}

pub(crate) fn status(args: &Args, root: &Path) -> Result<Status, Failure> {
    let folder = RunFolder::open(root, STUDY)?;
    let (summary, usage) = (RunSummary::read(&folder)?, RunUsage::read(&folder)?);
    match args.json {
        true => print_json(&RunFigures { summary: &summary, usage: &usage })?,
        false => {
            let mut text = slopbench_report::run(&summary, &usage);
            text += missing(&summary, root);
            page(text)?;
        }
    }
    Ok(Status::Ok)
}

/// What to do about a run that is not at its end.
fn missing(summary: &RunSummary, root: &Path) -> String {
    let checkpoints = || summary.trajectories.iter().flat_map(|row| &row.checkpoints);
    let (graded, all) = (checkpoints().filter(|row| row.counts.is_some()).count(), checkpoints().count());
    match summary.complete {
        true => String::new(),
        false => format!("\n{graded} of {all} checkpoints are graded; `slopbench resume {}` goes on\n", root.display()),
    }
}

pub(crate) fn show(
    args: &Args,
    root: &Path,
    trajectory: Option<&str>,
    checkpoint: Option<u32>,
) -> Result<Status, Failure> {
    let Some(id) = trajectory else { return status(args, root) };
    let folder = RunFolder::open(root, STUDY)?;
    let Some(number) = checkpoint else {
        let summary = RunSummary::read(&folder)?;
        let row = find(&summary, id, root)?;
        match args.json {
            true => print_json(row)?,
            false => page(slopbench_report::run_trajectory(row))?,
        }
        return Ok(Status::Ok);
    };
    let view = CheckpointView::read(&folder, id, number)?;
    match args.json {
        true => print_json(&view)?,
        false => page(slopbench_report::session(&view))?,
    }
    Ok(Status::Ok)
}

fn find<'a>(summary: &'a RunSummary, id: &str, root: &Path) -> Result<&'a TrajectoryRow, Failure> {
    summary.trajectories.iter().find(|row| row.id == id).ok_or_else(|| {
        let message = format!("the run has no trajectory \"{id}\"; `slopbench show {}` lists them", root.display());
        Failure::configuration(message)
    })
}
