//! What a run stands on: found out before its first stage, whoever does which of them.

use std::{collections::BTreeMap, num::NonZeroUsize, path::Path};

use slopbench_agents::stage::Equipment;
use slopbench_runner::{Instrument, Threads};
use slopbench_slopcode::{
    GradingContext, Repository, SuiteLocks,
    run::{BenchRun, Design, RunFolder, SlopCode, planned_session_parts, problems, session_parts},
};
use slopbench_tests::Problem;

use crate::{
    Failure,
    args::{HowArgs, PlaceArgs},
    setup,
    watch::Display,
};

/// Where a run is carried out, and with what.
pub(super) struct RunPlace<'a, 'w> {
    pub(super) repository: &'a Repository,
    pub(super) args: &'a PlaceArgs,
    pub(super) context: &'a GradingContext<'w>,
    /// What sessions need; `None` where there are none.
    pub(super) equipment: Option<&'a Equipment>,
}

/// What was found there.
pub(super) struct Ground {
    pub(super) problems: BTreeMap<String, Problem>,
    /// What their tests are run with: as the run has it, or as it is resolved now.
    pub(super) suites: SuiteLocks,
    /// What sessions are held and solutions graded with.
    pub(super) instrument: Instrument,
}

/// What does not make a run's results.
#[derive(Clone, Copy)]
pub(super) struct RunOptions {
    pub(super) jobs: NonZeroUsize,
    pub(super) accept_difference: bool,
}

impl From<&HowArgs> for RunOptions {
    fn from(how: &HowArgs) -> Self {
        Self { jobs: how.jobs, accept_difference: how.accept_difference }
    }
}

impl Ground {
    /// What there is for `design`. Of a run that is `begun`, its own parts are taken where they do.
    pub(super) fn find(place: &RunPlace<'_, '_>, design: &Design, begun: Option<&RunFolder>) -> Result<Self, Failure> {
        let RunPlace { repository, args, context, equipment } = place;
        let problems = problems(repository, design, equipment.is_none())?;
        let kept = begun.map(SuiteLocks::kept).transpose()?.unwrap_or_default();
        let suites = SuiteLocks::of(context, problems.values(), &kept)?;
        let instrument_at = |nothing: &Path| setup::instrument(args, design.track, context, nothing);
        let mut instrument = match begun {
            // What a kill leaves there is collected.
            Some(begun) => instrument_at(begun.store.temporary()?.path())?,
            None => instrument_at(tempfile::tempdir().map_err(Failure::infrastructure)?.path())?,
        };
        instrument.extend(suites.parts()?);
        match (equipment, begun) {
            (Some(equipment), _) => instrument.extend(session_parts(equipment)),
            (None, Some(begun)) => instrument.extend(planned_session_parts(&begun.plan.instrument)),
            (None, None) => {}
        }
        Ok(Self { problems, suites, instrument })
    }

    /// Has `carry_out` do the run in `folder`.
    pub(super) fn with_run<T>(
        &self,
        place: &RunPlace<'_, '_>,
        folder: &RunFolder,
        options: impl Into<RunOptions>,
        carry_out: impl FnOnce(&BenchRun<'_, '_>) -> Result<T, slopbench_slopcode::Error>,
    ) -> Result<T, Failure> {
        let Self { problems, suites, instrument } = self;
        suites.keep(folder)?;
        let RunOptions { jobs, accept_difference } = options.into();
        let (design, none) = (&folder.plan.design, Equipment::none());
        let watch = Display::new(design);
        let mut hide = place.repository.problems_dirs();
        hide.push(folder.store.root.clone());
        hide.extend(place.repository.is_clone().then(|| place.repository.root.clone()));
        let context = &GradingContext { suites: suites.clone(), ..*place.context };
        let study = SlopCode { design, problems, context, equipment: place.equipment.unwrap_or(&none), hide };
        let executor = &Threads(jobs);
        Ok(carry_out(&BenchRun { folder, study, instrument, accept_difference, executor, watch: &watch })?)
    }
}
