//! The page of runs: written into a file, or served while a run goes on.

use std::sync::{Arc, atomic::AtomicBool};

use signal_hook::{
    consts::{SIGINT, SIGTERM},
    flag,
};
use slopbench_analysis::{TABLES, tables::TableDefinition};
use slopbench_page::{PageDocument, PageServer, PageSettings, PageStudy, Specification, ViewSettings, html};

use crate::{
    Failure,
    args::{Args, ReportArgs, ViewArgs},
    commands::report::put,
    output::{Status, tell, write},
    setup,
};

pub(crate) fn report(args: &Args, report: &ReportArgs, tables: &[&'static TableDefinition]) -> Result<Status, Failure> {
    let study = PageStudy::read(&report.runs)?;
    let specifications = specifications(args, &study)?;
    let settings =
        PageSettings { tables, specifications: &specifications, sources: report.sources, ..Default::default() };
    let page = html(&PageDocument::of(&study, &settings)?)?;
    match &report.output {
        Some(folder) if folder.is_dir() => put(&folder.join("report.html"), page.as_bytes())?,
        Some(file) => put(file, page.as_bytes())?,
        None => write(&page)?,
    }
    Ok(Status::Ok)
}

pub(crate) fn view(args: &Args, view: &ViewArgs) -> Result<Status, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // Who asks twice is not kept waiting.
        flag::register_conditional_default(signal, Arc::clone(&stop)).map_err(Failure::infrastructure)?;
        flag::register(signal, Arc::clone(&stop)).map_err(Failure::infrastructure)?;
    }
    let specifications = specifications(args, &PageStudy::read(&view.runs)?)?;
    let settings = ViewSettings { tables: TABLES.iter().collect(), figures: Box::new(|_| Vec::new()), specifications };
    let server = PageServer::start(&view.runs, settings, view.port)?;
    tell(&format!("{} shows the runs; Ctrl-C ends", server.url()));
    server.run(&stop)?;
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
