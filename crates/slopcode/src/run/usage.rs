//! How long sessions took. Clocks differ from run to run: this stands beside the summary, and no result is made of it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use slopbench_stats::describe::mean;

use super::{checkpoint::record, plan::RunFolder};
use crate::Error;

/// Minutes of a run's sessions.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunUsage {
    /// `slopbench.run-usage/1`.
    pub format: String,
    /// In the order of the summary's groups.
    pub groups: Vec<GroupUsage>,
    /// Of each session, in minutes, by trajectory and checkpoint.
    pub minutes: BTreeMap<String, BTreeMap<u32, f64>>,
}

/// The same of one worker with one model and one prompt.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupUsage {
    /// Who.
    pub worker: String,
    /// The model behind it.
    pub model: Option<String>,
    /// The prompt's name.
    pub prompt: String,
    /// The mean over checkpoints with a workspace, in minutes (paper, Table 1).
    pub minutes: Option<f64>,
}

impl RunUsage {
    /// Reads every session that is there.
    ///
    /// # Errors
    ///
    /// [`Error::Run`] if a session is not as it was kept.
    pub fn read(folder: &RunFolder) -> Result<Self, Error> {
        let (mut minutes, mut grouped) = (BTreeMap::<_, BTreeMap<_, _>>::new(), BTreeMap::<_, Vec<f64>>::new());
        for trajectory in &folder.plan.design.trajectories {
            let (worker, model) = (trajectory.worker.label(), trajectory.worker.model().map(str::to_owned));
            let produced = grouped.entry((worker, model, trajectory.prompt.clone())).or_default();
            for checkpoint in folder.plan.design.stops(&trajectory.problem) {
                let Some(record) = record(&folder.store, &trajectory.id, checkpoint)? else { continue };
                minutes.entry(trajectory.id.clone()).or_default().insert(checkpoint, record.seconds / 60.0);
                produced.extend(record.workspace.map(|_| record.seconds / 60.0));
            }
        }
        let group = |((worker, model, prompt), minutes): (_, Vec<f64>)| GroupUsage {
            worker,
            model,
            prompt,
            minutes: mean(&minutes).ok(),
        };
        let groups = grouped.into_iter().map(group).collect();
        Ok(Self { format: "slopbench.run-usage/1".to_owned(), groups, minutes })
    }
}
