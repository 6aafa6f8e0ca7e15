//! The page of runs: written into a file, or served while a run goes on.

use slopbench_analysis::tables::TableDefinition;
use slopbench_page::{PageDocument, PageSettings, PageStudy, Specification, html};

use crate::{
    Failure,
    args::{Args, ReportArgs},
    commands::report::put,
    output::{Status, write},
    setup,
};

pub(crate) fn report(
    args: &Args,
    report: &ReportArgs,
    tables: &[&'static TableDefinition],
) -> Result<Status, Failure> {
    let study = PageStudy::read(&report.runs)?;
    let specifications = specifications(args, &study)?;
    let settings = PageSettings { tables, specifications: &specifications, sources: report.sources, ..Default::default() };
    let page = html(&PageDocument::of(&study, &settings)?)?;
    match &report.output {
        Some(folder) if folder.is_dir() => put(&folder.join("report.html"), page.as_bytes())?,
        Some(file) => put(file, page.as_bytes())?,
        None => write(&page)?,
    }
    Ok(Status::Ok)
}

/// What was asked, of the problems that are at hand. Runs may be looked at where there are none, unless some were named.
fn specifications(args: &Args, study: &PageStudy) -> Result<Vec<Specification>, Failure> {
    let repository = match setup::repository(args) {
        Err(_) if args.root.is_none() && args.problem_folders.is_empty() => return Ok(Vec::new()),
        repository => repository?,
    };
    let problem = |(name, track)| repository.problem(name).ok().map(|problem| problem.in_track(track));
    let at_hand = study.asked().into_iter().filter_map(problem);
    Ok(at_hand.map(|problem| Specification::of(&problem)).collect::<Result<_, _>>()?)
}
