//! Tables and figures of SLUMP's runs, through `slopbench report`.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
};

use slopbench_analysis::{
    ResultTable, RunOrigin,
    slump::{SLUMP_FIGURES, SLUMP_TABLES, SlumpSet, slump_figures},
    tables::ResultDocument,
};
use slopbench_page::{StudyDocument, study_html};
use slopbench_plot::Figure;
use slopbench_slump::{
    SlumpTask,
    judging::{JudgedExposure, SlumpScores},
    scores::{Faithfulness, RepositoryScores},
    study::{SLUMP_STUDY, SlumpFolder, SlumpSummary},
};

use super::tasks::tasks_dir;
use crate::{
    Failure,
    args::{Args, ReportArgs, ReportFormat},
    figure_file,
    files::unwritable,
    output::Status,
    result_files::{give_page, print_document, write_document},
};

/// What the page is called.
const TITLE: &str = "SLUMP: what is lost where a specification emerges";

/// Whether the first of these is a run of SLUMP.
pub(crate) fn is_slump(runs: &[PathBuf]) -> bool {
    runs.first().is_some_and(|run| SlumpFolder::open(run, SLUMP_STUDY).is_ok())
}

pub(crate) fn report(args: &Args, asked: &ReportArgs) -> Result<Status, Failure> {
    let format = if args.json { ReportFormat::Json } else { asked.format };
    if format == ReportFormat::Parquet
        || asked.paper
        || asked.sources
        || !asked.rubrics.is_empty()
        || !asked.lints.is_empty()
    {
        let message = "of runs of SLUMP there are tables as text, markdown, latex, csv, json and html, and figures, and neither sources, rubric nor lint; leave out what is more";
        return Err(Failure::configuration(message));
    }
    known("table", &asked.tables, SLUMP_TABLES.iter().map(|one| one.name))?;
    known("figure", &asked.chosen_figures, SLUMP_FIGURES.iter().map(|one| one.name))?;
    let Results { tables: all, runs, standings } = results(args, asked)?;
    let chosen = &asked.chosen_figures;
    let is_asked = |figure: &Figure| chosen.is_empty() || chosen.contains(&figure.name);
    let figures: Vec<_> = slump_figures(&all).into_iter().filter(is_asked).collect();
    let is_chosen = |table: &&ResultTable| asked.tables.is_empty() || asked.tables.contains(&table.name);
    let tables = all.iter().filter(is_chosen).cloned().collect();
    let document = ResultDocument { format: "slopbench.report/1".to_owned(), synthetic: false, runs, tables };
    match &asked.output {
        _ if format == ReportFormat::Html => {
            let figures = figures.iter().cloned().map(figure_file::of_page).collect::<Result<_, _>>()?;
            give_page(
                asked.output.as_deref(),
                &study_html(&StudyDocument::of(TITLE, standings, &document, figures)?)?,
            )?;
        }
        Some(folder) => {
            fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
            write_document(folder, &document, format)?;
        }
        None if format == ReportFormat::Csv && document.tables.len() > 1 => {
            let message = "CSV is one table a file: choose one with --table, or name a folder with --output DIR";
            return Err(Failure::configuration(message));
        }
        None => print_document(&document, format)?,
    }
    if let Some(folder) = &asked.figures {
        fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
        figures.iter().try_for_each(|figure| figure_file::write_into(folder, figure))?;
    }
    Ok(Status::Ok)
}

fn known(what: &str, names: &[String], known: impl Iterator<Item = &'static str>) -> Result<(), Failure> {
    let known: Vec<_> = known.collect();
    let Some(other) = names.iter().find(|name| !known.contains(&name.as_str())) else { return Ok(()) };
    let message = format!("of runs of SLUMP there is no {what} `{other}`; expected one of: {}", known.join(", "));
    Err(Failure::configuration(message))
}

/// What runs come to.
struct Results {
    /// Every table.
    tables: Vec<ResultTable>,
    runs: Vec<RunOrigin>,
    /// How far the judges can be trusted.
    standings: Vec<String>,
}

fn results(args: &Args, asked: &ReportArgs) -> Result<Results, Failure> {
    let (mut scores, mut names, mut runs) = (Vec::new(), BTreeSet::new(), Vec::<RunOrigin>::new());
    let (mut judged, standings) = judged(asked)?;
    for root in &asked.runs {
        let folder = SlumpFolder::open(root, SLUMP_STUDY)?;
        let plan = folder.store.plan().to_string();
        if let Some(at) = runs.iter().position(|run| run.plan == plan) {
            let (first, second) = (asked.runs[at].clone(), root.clone());
            return Err(slopbench_analysis::Error::Twice { first, second }.into());
        }
        names.extend(folder.plan.design.tasks.keys().cloned());
        for (session, unjudged) in session_scores(&SlumpSummary::read(&folder)?) {
            let faithfulness = judged.remove(&(plan.clone(), session));
            scores.push(RepositoryScores { faithfulness, ..unjudged });
        }
        runs.push(RunOrigin {
            name: root.file_name().map_or_else(|| "run".to_owned(), |name| name.to_string_lossy().into_owned()),
            plan,
            synthetic: None,
            linter: None,
            tool: folder.plan.instrument.part("tool").map(str::to_owned),
            accepted_differences: folder.store.accepted()?.iter().map(ToString::to_string).collect(),
        });
    }
    if let Some((plan, session)) = judged.into_keys().next() {
        let message = format!(
            "{session} of the run with the plan {plan} is judged, and no session of these runs; leave its --scores out, or name its run"
        );
        return Err(Failure::configuration(message));
    }
    let dir = tasks_dir(args, asked.tasks.as_deref())?;
    let tasks = names.iter().map(|name| SlumpTask::find(&dir, name)).collect::<Result<Vec<_>, _>>()?;
    let exposures = asked.exposures.iter().map(|path| JudgedExposure::load(path)).collect::<Result<Vec<_>, _>>()?;
    let set = SlumpSet::new(&tasks, &exposures, scores, asked.runs.len())?;
    Ok(Results { tables: set.with_standings(standings.clone()).tables(), runs, standings })
}

/// How faithful the repositories of sessions are.
type Judged = BTreeMap<(String, String), Faithfulness>;

/// The figures of each session that is done, without a judge's, by its id.
fn session_scores(summary: &SlumpSummary) -> Vec<(String, RepositoryScores)> {
    summary.done().map(|session| session.id.clone()).zip(summary.scores()).collect()
}

/// What judges say, by a run's plan and a session, and how far each can be trusted.
fn judged(asked: &ReportArgs) -> Result<(Judged, Vec<String>), Failure> {
    let (mut judged, mut standings) = (BTreeMap::new(), Vec::new());
    for path in &asked.scores {
        let scores = SlumpScores::load(path)?;
        if !standings.contains(&scores.standing) {
            standings.push(scores.standing);
        }
        for one in scores.repositories {
            let key = (scores.plan.to_string(), one.session);
            let Some(faithfulness) = one.scores.faithfulness else { continue };
            if let Some((_, session)) = judged.insert(key.clone(), faithfulness).map(|_| key) {
                let message = format!("{session} is judged in two of these files; leave one --scores out");
                return Err(Failure::configuration(message));
            }
        }
    }
    Ok((judged, standings))
}
