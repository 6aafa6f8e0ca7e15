//! The page of runs: written into a file, or served while a run goes on.

use std::sync::{Arc, atomic::AtomicBool};

use signal_hook::{
    consts::{SIGINT, SIGTERM},
    flag,
};
use slopbench_analysis::{
    FIGURES, RunSet, TABLES,
    figures::{self, FigureDefinition},
    tables::TableDefinition,
};
use slopbench_page::{
    PageDocument, PageFigure, PageServer, PageSettings, PageStudy, Specification, ViewSettings, html,
};

use crate::{
    Failure,
    args::{Args, ReportArgs, ViewArgs},
    commands::report::{add_findings, draw_into},
    figure_file::of_page,
    output::{Status, tell},
    result_files::give_page,
    setup,
};

pub(crate) fn report(
    args: &Args,
    report: &ReportArgs,
    tables: &[&'static TableDefinition],
    figures: &[&FigureDefinition],
) -> Result<Status, Failure> {
    let mut study = PageStudy::read(&report.runs)?;
    add_findings(&mut study.set, report)?;
    let specifications = specifications(args, &study)?;
    let settings = PageSettings {
        tables,
        figures: drawn(&study.set, figures)?,
        specifications: &specifications,
        sources: report.sources,
        live: false,
    };
    give_page(report.output.as_deref(), &html(&PageDocument::of(&study, &settings)?)?)?;
    report.figures.as_deref().map_or(Ok(()), |folder| draw_into(folder, &study.set, figures, &[]))?;
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
    let all: Vec<_> = FIGURES.iter().collect();
    // A run that goes on is shown without a figure that cannot be made of it yet.
    let figures = Box::new(move |study: &PageStudy| drawn(&study.set, &all).unwrap_or_default());
    let settings = ViewSettings { tables: TABLES.iter().collect(), figures, specifications };
    let server = PageServer::start(&view.runs, settings, view.port)?;
    tell(&format!("{} shows the runs; Ctrl-C ends", server.url()));
    server.run(&stop)?;
    Ok(Status::Ok)
}

fn drawn(set: &RunSet, chosen: &[&FigureDefinition]) -> Result<Vec<PageFigure>, Failure> {
    figures::build(set, chosen, &[])?.into_iter().map(of_page).collect()
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
