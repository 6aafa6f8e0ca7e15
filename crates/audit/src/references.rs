//! The check that reference solutions pass, played once as they are graded.

use crate::{
    Error,
    report::CheckEvidence,
    stable,
    subject::{Findings, Subject},
};

pub(crate) fn check(subject: &Subject<'_, '_>) -> Result<Findings, Error> {
    let seen = stable::as_graded(subject, 1, &stable::journal(subject)?)?;
    let flaws = stable::flaws(&seen);
    Ok(Findings::new(CheckEvidence::Plays(seen), flaws, Vec::new()))
}
