use std::path::Path;

use slopbench_slopcode::{
    GradingContext, Repository,
    artifact::{self, Verification},
};
use slopbench_tests::Track;

use crate::{
    Failure,
    args::{ArchiveArgs, Args, VerifyArgs},
    output::{Status, print, print_json},
    setup,
};

pub(crate) fn verify(args: &Args, verify: &VerifyArgs) -> Result<Status, Failure> {
    let repository = setup::repository(args)?;
    let folders = if verify.artifacts.is_empty() { repository.artifacts()? } else { verify.artifacts.clone() };
    if folders.is_empty() {
        // No artifact is no success: nothing would have been verified.
        return Err(Failure::configuration(format!("no artifact below {}/artifacts", repository.root.display())));
    }
    // Where not even the grading context can be set up, a changed rule may be why; otherwise each artifact speaks for itself.
    let done = setup::with_grading_context(
        &verify.sandbox.place,
        Track::Python,
        verify.sandbox.jobs,
        &repository,
        |context| Ok(folders.iter().map(|dir| verify_one(context, &repository, dir)).collect()),
    );
    let results: Vec<Result<Verification, Failure>> = match done {
        Ok(results) => results,
        Err(failure) => folders.iter().map(|dir| explain(&repository, dir, failure.clone())).collect(),
    };
    let verifications = results.into_iter().collect::<Result<Vec<_>, _>>()?;
    match args.json {
        true => print_json(&verifications)?,
        false => print(slopbench_report::claims(&verifications))?,
    }
    Ok(Status::of_check(verifications.iter().all(|verification| verification.holds())))
}

pub(crate) fn archive(args: &Args, archive: &ArchiveArgs) -> Result<Status, Failure> {
    let repository = setup::repository(args)?;
    setup::with_grading_context(&archive.sandbox.place, Track::Python, archive.sandbox.jobs, &repository, |context| {
        Ok(artifact::archive(context, &repository, &archive.artifact)?)
    })?;
    Ok(Status::Ok)
}

fn verify_one(context: &GradingContext<'_>, repository: &Repository, dir: &Path) -> Result<Verification, Failure> {
    artifact::verify(context, repository, dir).or_else(|error| explain(repository, dir, error.into()))
}

/// Where a changed input is why a job could not be done, that is a finding and no failure.
fn explain(repository: &Repository, dir: &Path, failure: Failure) -> Result<Verification, Failure> {
    if failure.status != Status::Usage {
        return Err(failure);
    }
    artifact::explain_failure(repository, dir, &failure.to_string())?.ok_or(failure)
}
