use std::{
    collections::BTreeMap,
    num::NonZeroU64,
    path::{Path, PathBuf},
};

use slopbench_agents::{catalogue::AgentCatalogue, stage::Equipment};
use slopbench_environments::{Environments, PackageIndex};
use slopbench_runner::{Budget, Instrument, Run, Threads, remove, write};
use slopbench_slopcode::{
    results::ToolVersion,
    run::{origins, session_parts},
};
use slopbench_slump::{
    SlumpCondition, SlumpTask, load_tasks,
    scores::{aggregates, slump_losses},
    study::{
        SLUMP_STUDY, SessionChoice, Slump, SlumpDesign, SlumpDocument, SlumpFolder, SlumpPlan, SlumpSummary,
        reference_actions,
    },
};
use slopbench_tests::Track;

use super::{
    guard::{self, ChosenGuard},
    tasks::tasks_dir,
};
use crate::{
    Failure,
    args::{Args, Backend, HowArgs, SlumpDocumentArg, SlumpRunArgs},
    catalogue,
    commands::run::{answers, equip_workers, provider_access, workers},
    output::{self, Status, print, print_json},
    setup,
    watch::Display,
};

/// What a run leaves beside its stages, once all are done.
const SUMMARY: &str = "summary.json";

pub(super) fn run(args: &Args, options: &SlumpRunArgs) -> Result<Status, Failure> {
    let dir = tasks_dir(args, options.tasks.as_deref())?;
    let catalogue = catalogue::load(&options.how.equipment.catalogue)?;
    let tasks = match options.names.as_slice() {
        [] => load_tasks(&dir)?,
        names => names.iter().map(|name| SlumpTask::find(&dir, name)).collect::<Result<_, _>>()?,
    };
    let guard = guard::chosen(&options.guard, &catalogue, options.how.budget_usd.is_some())?;
    let design = design(&tasks, &catalogue, options, guard.as_ref())?;
    let equipment = equip(&design, &catalogue, &options.how, guard.as_ref())?;
    let plan = SlumpPlan::new(SLUMP_STUDY, design);
    let root = match &options.out {
        Some(root) => root.clone(),
        None => setup::repository(args)?.root.join("runs").join(plan.digest()?.short()),
    };
    let instrument = instrument(&options.how, &equipment);
    let plan = SlumpPlan { instrument: instrument.clone(), origins: origins(&equipment), ..plan };
    let folder = SlumpFolder::create(&root, plan)?;
    let tasks: BTreeMap<_, _> = tasks.into_iter().map(|task| (task.name.clone(), task)).collect();
    let (design, how) = (&folder.plan.design, &options.how);
    design.admit(&tasks)?;
    let mut hide = vec![folder.store.root.clone(), dir];
    hide.extend(setup::repository(args).ok().filter(|repository| repository.is_clone()).map(|it| it.root));
    let environments = environments(design, &equipment, how, &hide)?;
    let study = Slump {
        design,
        tasks: &tasks,
        equipment: &equipment,
        actions: &reference_actions,
        guard: guard.as_ref().and_then(|guard| guard.access.as_ref()),
        environments: environments.as_ref(),
        hide,
    };
    let stages = design.sessions.iter().map(|session| (session.id.clone(), design.stage_count(session) as u64));
    let watch = Display::of_stages(stages.collect());
    let run = Run {
        study: &study,
        store: &folder.store,
        instrument: &instrument,
        accept_difference: how.accept_difference,
        budget: Budget::new(how.budget_usd, how.max_tokens),
        watch: &watch,
    };
    let coordinator = folder.store.coordinate()?;
    let end = run.carry_out(&coordinator, &Threads(how.jobs))?;
    let summary = SlumpSummary::read(&folder)?;
    let path = folder.store.root.join(SUMMARY);
    match summary.complete {
        true => write(&path, &slopbench_digest::canonical::to_vec(&summary).map_err(Failure::infrastructure)?)?,
        false => remove(&path)?,
    }
    drop(watch);
    tell(args, &summary)?;
    for (session, error) in end.broken.iter().skip(1) {
        output::refuse(&format!("{session}: {error}"));
    }
    if let Some((_, error)) = end.broken.into_iter().next() {
        return Err(error.into());
    }
    if let Some(reason) = &end.stopped {
        output::refuse(&format!("{reason}; the same command with more goes on"));
    }
    Ok(Status::of_check(summary.complete))
}

pub(super) fn status(args: &Args, root: &Path) -> Result<Status, Failure> {
    let summary = SlumpSummary::read(&SlumpFolder::open(root, SLUMP_STUDY)?)?;
    tell(args, &summary)?;
    Ok(Status::of_check(summary.complete))
}

fn tell(args: &Args, summary: &SlumpSummary) -> Result<(), Failure> {
    if args.json {
        return print_json(summary);
    }
    let scores = summary.scores();
    print(slopbench_report::slump_run(summary, &aggregates(&scores), &slump_losses(&scores)))
}

fn design(
    tasks: &[SlumpTask],
    catalogue: &AgentCatalogue,
    options: &SlumpRunArgs,
    guard: Option<&ChosenGuard>,
) -> Result<SlumpDesign, Failure> {
    let condition = |name: &String| {
        SlumpCondition::parse(name).ok_or_else(|| {
            let known = SlumpCondition::ALL.map(SlumpCondition::name).join(", ");
            Failure::configuration(format!("there is no condition \"{name}\"; expected one of: {known}"))
        })
    };
    let choice = SessionChoice {
        tasks,
        conditions: &options.conditions.iter().map(condition).collect::<Result<Vec<_>, _>>()?,
        workers: &workers(catalogue, &options.agents, &options.models, &options.command)?,
        repeats: options.repeats.get(),
        document: match options.document {
            SlumpDocumentArg::Specification => SlumpDocument::Specification,
            SlumpDocumentArg::Paper => SlumpDocument::Paper,
        },
        limit_seconds: options.time_limit,
        answers: answers(&options.answers)?,
        offline: options.offline,
        guard: guard.map(|guard| &guard.planned),
        own_tests: options.own_tests.map(NonZeroU64::get),
    };
    Ok(SlumpDesign::new(&choice)?)
}

fn equip(
    design: &SlumpDesign,
    catalogue: &AgentCatalogue,
    how: &HowArgs,
    guard: Option<&ChosenGuard>,
) -> Result<Equipment, Failure> {
    let mut access = provider_access(&design.answers, design.workers(), catalogue)?;
    access.providers.extend(guard.and_then(|guard| guard.provider.clone()));
    let options = (&how.equipment, how.budget_usd.is_some());
    let mut equipment = equip_workers(design.workers(), access, Track::Python, catalogue, options)?;
    equipment.packages = design.package_indexes.then(|| PackageIndex::default().mirror());
    Ok(equipment)
}

/// Where agents' own tests have their packages from, where they are run.
fn environments(
    design: &SlumpDesign,
    equipment: &Equipment,
    how: &HowArgs,
    hide: &[PathBuf],
) -> Result<Option<Environments<'static>>, Failure> {
    let Some(worker) = design.own_tests.and_then(|_| design.workers().next()) else { return Ok(None) };
    let store = setup::environments(how.equipment.place.environments_dir.as_deref())?;
    // Each worker's tests are run in its own system.
    let system = equipment.systems.of(worker)?;
    Ok(Some(Environments::new(store, system, hide.to_vec(), PackageIndex::default(), &output::tell)))
}

/// What sessions are held with.
fn instrument(how: &HowArgs, equipment: &Equipment) -> Instrument {
    let back_end = match how.equipment.place.sandbox {
        Backend::Docker => "docker",
        // Agents are never without one.
        Backend::Namespaces | Backend::None => "namespaces",
    };
    let parts = [("tool".to_owned(), ToolVersion::this().to_string()), ("back end".to_owned(), back_end.to_owned())];
    parts.into_iter().chain(session_parts(equipment)).collect()
}
