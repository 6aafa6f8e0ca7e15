//! The study's units and stages: sessions of a worker, each in a workspace that holds only what the checkpoint before left,
//! and after each the grade of what it left (paper, section 2.2).

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use slopbench_agents::stage::{
    Conversation, DeclaredPackages, Equipment, Settlement, StageRecord, Worker, WorkerStage,
};
use slopbench_digest::canonical;
use slopbench_environments::Environment;
use slopbench_runner::{Assignment, EndedStage, RunStore, SettledStage, Spent, Stage, Study, write};
use slopbench_sandbox::ASSETS;
use slopbench_tests::{Problem, Solve};

use super::{
    checkpoint::{CheckpointStage, environment, record, stage},
    design::{Design, Trajectory},
    grading_usage::GradingUsage,
    plan::{ENVIRONMENT, QUALITY, USAGE, VERDICTS},
    prompt,
};
use crate::{
    Error, GradingContext,
    grade::{grade_with, prepare},
    results::Verdicts,
};

/// SlopCodeBench: trajectories of checkpoints.
pub struct SlopCode<'a, 'w> {
    /// What is to be done.
    pub design: &'a Design,
    /// Its problems, by name; see [`super::problems`].
    pub problems: &'a BTreeMap<String, Problem>,
    /// Where solutions are graded.
    pub context: &'a GradingContext<'w>,
    /// What its workers need.
    pub equipment: &'a Equipment,
    /// What no worker may see: the repository, and the run's own folder.
    pub hide: Vec<PathBuf>,
}

impl Study for SlopCode<'_, '_> {
    type Error = Error;

    fn units(&self) -> Vec<String> {
        self.design.trajectories.iter().map(|trajectory| trajectory.id.clone()).collect()
    }

    /// Where a session fails, its workspace is graded as it is, the later checkpoints have no session, and every case of
    /// theirs counts as missing (paper, section 2.3).
    fn next(&self, store: &RunStore, unit: &str) -> Result<Option<Stage>, Error> {
        let mut has_failed = false;
        for checkpoint in self.design.stops(&self.trajectory(unit)?.problem) {
            let record = record(store, unit, checkpoint)?;
            if record.is_none() && !has_failed {
                return Ok(Some(Stage::paid(CheckpointStage::Session.of(checkpoint))));
            }
            if stage(store, unit, checkpoint, CheckpointStage::Grade)?.is_none() {
                return Ok(Some(Stage::exclusive(CheckpointStage::Grade.of(checkpoint))));
            }
            has_failed |= record.is_some_and(|record| !record.outcome.is_done());
        }
        Ok(None)
    }

    fn carry_out(&self, assignment: &Assignment<'_>) -> Result<EndedStage, Error> {
        match CheckpointStage::parse(assignment.stage) {
            Some((checkpoint, CheckpointStage::Session)) => self.session(assignment, checkpoint),
            Some((checkpoint, CheckpointStage::Grade)) => self.grade(assignment, checkpoint),
            None => Err(unknown(assignment)),
        }
    }

    fn settle(&self, assignment: &Assignment<'_>, ended: &Path) -> Result<SettledStage, Error> {
        match CheckpointStage::parse(assignment.stage) {
            Some((_, CheckpointStage::Session)) => self.settle_session(assignment, ended),
            Some((_, CheckpointStage::Grade)) => settle_grade(ended),
            None => Err(unknown(assignment)),
        }
    }
}

impl SlopCode<'_, '_> {
    fn session(&self, assignment: &Assignment<'_>, checkpoint: u32) -> Result<EndedStage, Error> {
        // An agent takes processors from the solutions under test: none begins while one of those has to be alone.
        let _pass = self.context.gate.enter();
        let trajectory = self.trajectory(assignment.unit)?;
        let problem = self.problem(trajectory)?;
        let before = self.before(assignment.store, trajectory, checkpoint)?.and_then(|record| record.workspace);
        let (assets, variables) = given(problem, assignment.scratch)?;
        let environment = self.active(assignment.store, trajectory, checkpoint)?;
        let declared = environment.as_ref().map(|environment| DeclaredPackages {
            environment: &environment.path,
            interpreter: &environment.interpreter,
        });
        let packages = self.equipment.packages.as_ref().filter(|_| self.design.package_indexes);
        let stage = WorkerStage {
            equipment: self.equipment,
            worker: &trajectory.worker,
            prompt: &self.prompt(trajectory, problem, checkpoint, environment.is_some())?,
            before,
            conversation: Conversation::New,
            keeps_home: false,
            reference: Some(&problem.reference(checkpoint)),
            assets: assets.as_deref(),
            variables: &variables,
            declared,
            packages,
            answers: &self.design.answers,
            script: None,
            allowed_hosts: &self.design.allowed_hosts,
            limit: Duration::from_secs(self.design.limit_seconds),
            assignment,
            hide: &self.hide,
        };
        Ok(stage.carry_out()?)
    }

    fn settle_session(&self, assignment: &Assignment<'_>, ended: &Path) -> Result<SettledStage, Error> {
        let problem = self.problem(self.trajectory(assignment.unit)?)?;
        let extension = Some(OsStr::new(problem.entry.track.definition().extension));
        let (record, settled) = Settlement { assignment, ended, extension }.carry_out()?;
        if let (Some(id), None) = (record.workspace, &settled.unanswered) {
            // A fact of the run: found out once, whoever grades how often.
            let _pass = self.context.gate.enter();
            if let Some(prepared) = prepare(self.context, problem, &assignment.store.tree(id)?)? {
                write(&settled.files.join(ENVIRONMENT), &prepared.record.to_bytes()?)?;
            }
        }
        Ok(settled)
    }

    /// With all sandboxes for it: solutions under test then compete with no others for the processors.
    fn grade(&self, assignment: &Assignment<'_>, checkpoint: u32) -> Result<EndedStage, Error> {
        let (store, scratch) = (assignment.store, assignment.scratch);
        let problem = self.problem(self.trajectory(assignment.unit)?)?;
        let nothing = scratch.join("nothing");
        let environment = environment(store, assignment.unit, checkpoint)?;
        let prepared = environment.map(|record| self.context.environments.open(record)).transpose()?;
        let record = record(store, assignment.unit, checkpoint)?;
        let solution = match record.and_then(|record| record.workspace) {
            Some(id) => store.tree(id)?,
            // There is nothing, and it is graded as nothing.
            None => nothing.clone(),
        };
        let context = GradingContext { progress: &(), suites: self.context.suites.clone(), ..*self.context };
        let clock = Instant::now();
        let (graded, unusable) = match grade_with(&context, problem, checkpoint, &solution, prepared.as_ref()) {
            // What a worker left in such a way that it cannot be run is nothing, too.
            Err(error @ Error::Sandbox(slopbench_sandbox::Error::Solution { .. })) => {
                (grade_with(&context, problem, checkpoint, &nothing, None)?, Some(error.to_string()))
            }
            graded => (graded?, None),
        };
        let usage = GradingUsage::new(clock.elapsed(), &graded.outcomes, unusable);
        let folder = scratch.join("ended");
        let file = |name: &str, bytes: Vec<u8>| write(&folder.join(GRADE).join(name), &bytes);
        file(USAGE, canonical::to_vec(&usage)?)?;
        let verdicts = if self.design.one_shot { graded.verdicts.of_one_shot() } else { graded.verdicts };
        file(VERDICTS, canonical::to_vec(&verdicts)?)?;
        if let Some(quality) = &graded.quality {
            file(QUALITY, canonical::to_vec(quality)?)?;
        }
        Ok(EndedStage { folder, spent: Spent::default() })
    }

    /// How the session of the checkpoint before ended; `None` at the first.
    fn before(&self, store: &RunStore, trajectory: &Trajectory, checkpoint: u32) -> Result<Option<StageRecord>, Error> {
        let before = self.stop_before(trajectory, checkpoint);
        Ok(before.map(|before| record(store, &trajectory.id, before)).transpose()?.flatten())
    }

    fn stop_before(&self, trajectory: &Trajectory, checkpoint: u32) -> Option<u32> {
        self.design.stops(&trajectory.problem).into_iter().take_while(|stop| *stop < checkpoint).last()
    }

    /// The environment of what the checkpoint before declares, for the interpreter that the worker finds; `None` if that is
    /// nothing, was refused, or is for another one.
    fn active(&self, store: &RunStore, trajectory: &Trajectory, checkpoint: u32) -> Result<Option<Environment>, Error> {
        if matches!(trajectory.worker, Worker::Reference | Worker::Noop) {
            return Ok(None);
        }
        let before = self.stop_before(trajectory, checkpoint);
        let Some(lock) = before.map(|before| environment(store, &trajectory.id, before)).transpose()?.flatten() else {
            return Ok(None);
        };
        let system = self.equipment.systems.of(&trajectory.worker)?;
        match self.context.environments.in_system(system).open(lock) {
            Ok(prepared) => Ok(prepared.environment),
            Err(
                slopbench_environments::Error::OtherInterpreter { .. } | slopbench_environments::Error::Interpreter(_),
            ) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn prompt(
        &self,
        trajectory: &Trajectory,
        problem: &Problem,
        checkpoint: u32,
        has_environment: bool,
    ) -> Result<String, Error> {
        let name = &trajectory.prompt;
        let template = self.design.prompts.get(name).ok_or_else(|| Error::planned("prompt", name))?;
        let all: Vec<_> = (1..=checkpoint).collect();
        let given = if self.design.one_shot { &all[..] } else { &all[all.len() - 1..] };
        Ok(prompt::render(name, template, problem, given, &trajectory.worker, has_environment)?)
    }

    fn trajectory(&self, id: &str) -> Result<&Trajectory, Error> {
        self.design.trajectory(id).ok_or_else(|| slopbench_runner::Error::NoUnit(id.to_owned()).into())
    }

    fn problem(&self, trajectory: &Trajectory) -> Result<&Problem, Error> {
        self.problems.get(&trajectory.problem).ok_or_else(|| Error::planned("problem", &trajectory.problem))
    }
}

/// The assets that a worker is given, and the variables that name each of them: a suite of pytest's has some.
fn given(problem: &Problem, scratch: &Path) -> Result<(Option<PathBuf>, BTreeMap<String, String>), Error> {
    match problem.harness.pytest().filter(|suite| suite.assets().next().is_some()) {
        None => Ok((problem.assets.clone(), BTreeMap::new())),
        Some(suite) => {
            let path = scratch.join("assets");
            let variables = suite.hand_out(&path, ASSETS);
            let variables = variables.map_err(|source| Error::Write { path: path.clone(), source })?;
            Ok((Some(path), variables))
        }
    }
}

/// The folder of a grade's files, beside what is only for the work.
const GRADE: &str = "grade";

fn settle_grade(ended: &Path) -> Result<SettledStage, Error> {
    let files = ended.join(GRADE);
    let verdicts: Verdicts = slopbench_runner::read_json(&files.join(VERDICTS))?;
    let outcome = solve_text(verdicts.solve).to_owned();
    Ok(SettledStage { files, trees: Default::default(), unanswered: None, outcome })
}

fn solve_text(solve: Solve) -> &'static str {
    match solve {
        Solve { strict: true, .. } => "solved",
        Solve { isolated: true, .. } => "solved in isolation",
        Solve { core: true, .. } => "core solved",
        _ => "not solved",
    }
}

fn unknown(assignment: &Assignment<'_>) -> Error {
    Error::planned("stage", assignment.stage)
}
