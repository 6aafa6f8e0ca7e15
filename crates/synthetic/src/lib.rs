//! Made-up studies: run folders as the engine leaves them, whose figures nobody observed.
//!
//! They are there to try analyses with: [`SyntheticStudy::write`] gives the same bytes for the same seed on every machine. Every
//! run says in its instrument that it is made up, as do its agents, problems and models by name; whatever reads it can tell.

mod code;
mod draw;
mod files;
mod trajectory;
mod verdicts;
mod workspace;

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde_json::json;
use slopbench_metrics::RuleSet;
use slopbench_runner::RunFolder;
use slopbench_slopcode::run::{Design, Plan, STUDY, Trajectory};

/// A study that never took place.
#[derive(Clone, Debug, PartialEq)]
pub struct SyntheticStudy {
    /// The same seed gives the same study.
    pub seed: u64,
    /// What models are called; a run of its own each.
    pub models: Vec<String>,
    /// How many checkpoints each problem has.
    pub checkpoints: Vec<u32>,
    /// What prompts are called.
    pub prompts: Vec<String>,
    /// How often each is done.
    pub repeats: u32,
    /// The versions of the one agent. A trajectory is done with each.
    pub versions: Vec<String>,
    /// Whether models and prompts have an effect; else all trajectories are drawn alike.
    pub effects: bool,
    /// Whether sessions may fail, stay without an answer, have no price, leave no code or code that is withheld.
    pub hazards: bool,
    /// Whether sessions leave workspaces with sources, which are measured, and tell their steps.
    pub workspaces: bool,
    /// What becomes of every trajectory, if that is not left to chance.
    pub fate: Option<Fate>,
}

/// What becomes of every trajectory of a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The first session crashes, and no case passes.
    Fails,
    /// The first session gets no answer of its provider's.
    Unanswered,
}

/// Why a study could not be written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A run's folder cannot be made.
    #[error(transparent)]
    Run(#[from] slopbench_runner::Error),
    /// A file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A workspace cannot be measured.
    #[error(transparent)]
    Measure(#[from] slopbench_metrics::Error),
    /// The built-in rules cannot be read: a bug.
    #[error(transparent)]
    Rules(#[from] slopbench_metrics::RuleError),
    /// What is written is no JSON of its format: a bug.
    #[error("a file's format has changed: {0}")]
    Json(#[from] serde_json::Error),
}

impl SyntheticStudy {
    /// As large as the paper's: 20 problems of 3 to 8 checkpoints, 93 in all, 11 models, 3 prompts, 3 repeats.
    pub fn large(seed: u64) -> Self {
        Self {
            models: (1..=11).map(|number| format!("synthetic-{number:02}")).collect(),
            checkpoints: vec![3, 3, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5, 5, 6, 8],
            prompts: ["just-solve", "anti_slop", "plan_first"].map(str::to_owned).into(),
            repeats: 3,
            ..Self::small(seed)
        }
    }

    /// One model on the paper's problems, with one prompt and once: 93 checkpoints.
    pub fn once(seed: u64) -> Self {
        Self {
            models: vec!["synthetic-01".to_owned()],
            prompts: vec!["just-solve".to_owned()],
            repeats: 1,
            ..Self::large(seed)
        }
    }

    /// Two models on four problems, with everything that can be missing.
    pub fn small(seed: u64) -> Self {
        Self {
            seed,
            models: ["synthetic-a", "synthetic-b"].map(str::to_owned).into(),
            checkpoints: vec![3, 4, 5, 8],
            prompts: ["just-solve", "anti_slop"].map(str::to_owned).into(),
            repeats: 2,
            versions: vec!["1.0.0".to_owned()],
            effects: true,
            hazards: true,
            workspaces: false,
            fate: None,
        }
    }

    /// Two identical agents on the paper's problems, once each: whatever differs is chance.
    pub fn null(seed: u64) -> Self {
        Self {
            models: ["synthetic-null-a", "synthetic-null-b"].map(str::to_owned).into(),
            prompts: vec!["just-solve".to_owned()],
            repeats: 1,
            effects: false,
            hazards: false,
            ..Self::large(seed)
        }
    }

    /// Writes a run per model below `dir`, and gives their folders in the order of the models.
    ///
    /// # Errors
    ///
    /// [`Error`] if something cannot be written, or is there already.
    pub fn write(&self, dir: &Path) -> Result<Vec<PathBuf>, Error> {
        (0..self.models.len()).map(|model| self.write_run(dir, model)).collect()
    }

    fn write_run(&self, dir: &Path, model: usize) -> Result<PathBuf, Error> {
        let root = dir.join(format!("synthetic-run-{:02}", model + 1));
        let mut plan: Plan = Plan::new(STUDY, self.design(model)?);
        let made_up = format!("seed {}: made up, nothing was observed", self.seed);
        plan.instrument.extend([("synthetic", made_up), ("tool", "slopbench-synthetic 1".to_owned())]);
        let folder = RunFolder::create(&root, plan)?;
        let design = &folder.plan.design;
        let rules = self.workspaces.then(RuleSet::builtin).transpose()?;
        let write = |trajectory| self.write_trajectory(&folder, trajectory, model, rules.as_ref());
        design.trajectories.par_iter().try_for_each(write)?;
        Ok(root)
    }

    fn write_trajectory(
        &self,
        folder: &RunFolder<Design>,
        trajectory: &Trajectory,
        model: usize,
        rules: Option<&RuleSet>,
    ) -> Result<(), Error> {
        let problem = self.problems().iter().position(|name| *name == trajectory.problem).unwrap_or_default();
        let prompt = self.prompts.iter().position(|name| *name == trajectory.prompt).unwrap_or_default();
        let place = trajectory::Place { model, prompt, problem, checkpoints: self.checkpoints[problem] };
        let made = trajectory::make(self, place, &trajectory.id);
        files::write(folder, &trajectory.id, &trajectory.problem, made, rules)
    }

    fn problems(&self) -> Vec<String> {
        (1..=self.checkpoints.len()).map(|number| format!("synthetic_{number:02}")).collect()
    }

    /// By way of JSON, so that what a design may say besides has its default.
    fn design(&self, model: usize) -> Result<Design, Error> {
        let digest = slopbench_digest::Sha256::of(b"synthetic").to_string();
        let problems = self.problems();
        let mut planned = serde_json::Map::new();
        for (name, checkpoints) in problems.iter().zip(&self.checkpoints) {
            planned.insert(name.clone(), json!({"digest": digest, "checkpoints": checkpoints}));
        }
        let mut trajectories = Vec::new();
        for repeat in 1..=self.repeats {
            for problem in &problems {
                for (number, version) in self.versions.iter().enumerate() {
                    for (index, prompt) in self.prompts.iter().enumerate() {
                        let id = format!("{problem}--synthetic-{number}--model-{model}--prompt-{index}--{repeat}");
                        let choice = json!({"name": self.models[model], "id": "synthetic", "provider": null, "reasoning": "high"});
                        let worker = json!({"kind": "agent", "name": "synthetic", "version": version, "model": choice});
                        trajectories.push(
                            json!({"id": id, "problem": problem, "worker": worker, "prompt": prompt, "repeat": repeat}),
                        );
                    }
                }
            }
        }
        let prompts: serde_json::Map<_, _> = self.prompts.iter().map(|name| (name.clone(), json!("made up"))).collect();
        Ok(serde_json::from_value(json!({
            "problems": planned, "prompts": prompts, "limit_seconds": 7200, "one_shot": false, "track": "python",
            "answers": {"from": "model"}, "trajectories": trajectories,
        }))?)
    }
}
