use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use slopbench_audit::{
    AuditCheck, AuditContext, AuditOptions, add_checks, audit, checks, is_current, other_tracks,
    report::{AuditFormat, AuditReport, CheckEvidence, GrowthFigures, ProblemAudit},
};
use slopbench_digest::canonical;
use slopbench_report::growth_figure;
use slopbench_slopcode::{GradingContext, Repository, results::ToolVersion};
use slopbench_tests::{Problem, Track};

use super::named;
use crate::{
    Failure,
    args::{Args, AuditArgs},
    interpreters::other_interpreters,
    output::{self, Status, print, print_json},
    setup,
};

pub(super) fn run(args: &Args, repository: &Repository, asked: &AuditArgs) -> Result<Status, Failure> {
    if asked.figure.is_some() && !checks(&asked.checks)?.iter().any(|check| check.name == "growth") {
        return Err(Failure::configuration("--figure draws what `growth` finds: add it to --checks"));
    }
    let mut problems = named(repository, &asked.problems)?;
    if let Some(folder) = &asked.changed_since {
        problems = changed(problems, folder, &checks(&asked.checks)?)?;
    }
    let jobs = asked.sandbox.jobs;
    let tracks: BTreeSet<Track> = problems.iter().flat_map(other_tracks).collect();
    let tracks: Vec<_> = [Track::Python].into_iter().chain(tracks).collect();
    let mut report = setup::with_tracks(&asked.sandbox.place, &tracks, jobs, repository, |context, hide| {
        report(asked, &problems, context, hide)
    })?;
    if let Some(path) = &asked.out {
        if path.is_file() {
            add_checks(&mut report, slopbench_runner::read_json(path)?, &problems)?;
        }
        slopbench_runner::write(path, &canonical::to_vec(&report).map_err(Failure::infrastructure)?)?;
    }
    if let Some(file) = &asked.figure {
        file.write(&growth_figure(&grown(&report)))?;
    }
    match args.json {
        true => print_json(&report)?,
        false => print(slopbench_report::audit(&report))?,
    }
    Ok(Status::of_check(report.problems.iter().all(|problem| problem.is_sound())))
}

/// What `growth` found of each problem.
fn grown(report: &AuditReport) -> Vec<(String, Vec<GrowthFigures>)> {
    let of = |audited: &ProblemAudit| {
        let evidence = audited.checks.iter().find_map(|check| match &check.evidence {
            CheckEvidence::Growth(rows) => Some(rows.clone()),
            _ => None,
        })?;
        Some((audited.problem.name.clone(), evidence))
    };
    report.problems.iter().filter_map(of).collect()
}

/// The problems that are not as they were when the reports in a folder were made, or of which these lack a check.
fn changed(problems: Vec<Problem>, folder: &Path, asked: &[&AuditCheck]) -> Result<Vec<Problem>, Failure> {
    let mut changed = Vec::new();
    for problem in problems {
        match is_as_reported(&problem, &folder.join(&problem.name).with_extension("json"), asked)? {
            true => output::tell(&format!("{}: as it was when it was audited", problem.name)),
            false => changed.push(problem),
        }
    }
    Ok(changed)
}

fn is_as_reported(problem: &Problem, file: &Path, asked: &[&AuditCheck]) -> Result<bool, Failure> {
    if !file.is_file() {
        return Ok(false);
    }
    let report: AuditReport = slopbench_runner::read_json(file)?;
    let known: Vec<_> = report.problems.iter().filter(|known| known.problem.name == problem.name).collect();
    for check in asked {
        let found = known.iter().flat_map(|known| &known.checks).find(|found| found.check == check.name);
        if !found.map_or(Ok(false), |found| is_current(found, problem))? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn report(
    asked: &AuditArgs,
    problems: &[Problem],
    grading: &GradingContext<'_>,
    hide: &[PathBuf],
) -> Result<AuditReport, Failure> {
    let checks = checks(&asked.checks)?;
    let place = &asked.sandbox.place;
    let nothing = tempfile::tempdir().map_err(Failure::infrastructure)?;
    let instrument = setup::instrument(place, Track::Python, grading, nothing.path())?;
    let interpreters = other_interpreters(place, hide)?;
    let kept = setup::cache("audit");
    let context = AuditContext {
        grading: GradingContext { suites: grading.suites.clone(), ..*grading },
        instrument: &instrument,
        interpreters: &interpreters,
        kept: kept.as_deref(),
        tell: &output::tell,
    };
    let options = AuditOptions { repeats: asked.repeats, mutants: asked.mutants, seed: asked.seed };
    let audited = problems.iter().map(|problem| audit(&context, problem, &checks, options));
    let problems = audited.collect::<Result<_, _>>()?;
    Ok(AuditReport { format: AuditFormat::V1, tool: ToolVersion::this(), instrument: instrument.clone(), problems })
}
