//! What a judge flags in checkpoints by the rubric, beside the rows of their runs.

use std::collections::BTreeMap;

use slopbench_judge::rubric::CriterionKind;
use slopbench_slopcode::run::{RubricTrajectory, RunRubric};

use crate::{Error, RunSet, row::FlagFigures};

/// The flags of each checkpoint of a trajectory, by its number.
fn figures(trajectory: &RubricTrajectory) -> impl Iterator<Item = (u32, FlagFigures, Option<f64>)> {
    let mut is_whole_so_far = true;
    trajectory.checkpoints.iter().map(move |one| {
        let counts = [CriterionKind::Verbosity, CriterionKind::Erosion].map(|kind| one.flags.count(kind));
        let is_whole = one.flags.not_judged.is_empty();
        let figures = FlagFigures {
            new: is_whole.then(|| counts.map(|count| count.new)),
            carried: is_whole_so_far.then(|| counts.map(|count| count.carried)),
            changed_lines: one.flags.changed_lines,
        };
        is_whole_so_far &= is_whole;
        (one.checkpoint, figures, one.verbosity_v0)
    })
}

impl RunSet {
    /// Adds what a judge flags in one of these runs.
    ///
    /// # Errors
    ///
    /// [`Error::OtherRun`] unless just one of them has the plan of the run that was judged.
    pub fn add_rubric(&mut self, rubric: &RunRubric) -> Result<(), Error> {
        let name = self.run_of("rubric", &rubric.plan)?;
        let mut judged: BTreeMap<_, _> = BTreeMap::new();
        for trajectory in &rubric.trajectories {
            judged
                .extend(figures(trajectory).map(|(checkpoint, of, score)| ((&trajectory.id, checkpoint), (of, score))));
        }
        for row in self.rows.iter_mut().filter(|row| row.run == name) {
            let Some((flags, composite)) = judged.get(&(&row.trajectory, row.checkpoint)) else { continue };
            row.flags = Some(*flags);
            if let Some(code) = &mut row.code {
                code.verbosity_v0 = *composite;
            }
        }
        Ok(())
    }
}
