use std::{
    env,
    path::{Path, PathBuf},
};

use slopbench_slopcode::{
    GradingContext, Repository,
    artifact::{self, Tool, Verification, Workshop},
};
use slopbench_tests::Track;

use crate::{
    Failure,
    args::{ArchiveArgs, Args, VerifyArgs},
    output::{Status, print, print_json},
    setup,
};

pub(crate) fn verify(args: &Args, verify: &VerifyArgs) -> Result<Status, Failure> {
    let (repository, binary) = (setup::repository(args)?, this_binary()?);
    let folders = if verify.artifacts.is_empty() { repository.artifacts()? } else { verify.artifacts.clone() };
    if folders.is_empty() {
        // No artifact is no success: nothing would have been verified.
        return Err(Failure::configuration(format!("no artifact below {}/artifacts", repository.root.display())));
    }
    let results = match verify.digests {
        true => folders.iter().map(|dir| compare_digests(&repository, dir)).collect(),
        false => verify_each(verify, &repository, &binary, &folders),
    };
    let verifications = results.into_iter().collect::<Result<Vec<_>, _>>()?;
    match args.json {
        true => print_json(&verifications)?,
        false => print(slopbench_report::claims(&verifications))?,
    }
    Ok(Status::of_check(verifications.iter().all(|verification| verification.holds())))
}

fn verify_each(
    verify: &VerifyArgs,
    repository: &Repository,
    binary: &Path,
    folders: &[PathBuf],
) -> Vec<Result<Verification, Failure>> {
    // Where not even the grading context can be set up, a changed rule may be why; otherwise each artifact speaks for itself.
    let done =
        setup::with_grading_context(&verify.sandbox.place, Track::Python, verify.sandbox.jobs, repository, |context| {
            let workshop = workshop(context, repository, binary);
            Ok(folders.iter().map(|dir| verify_one(&workshop, dir)).collect())
        });
    match done {
        Ok(results) => results,
        Err(failure) => folders.iter().map(|dir| explain(repository, dir, failure.clone())).collect(),
    }
}

pub(crate) fn archive(args: &Args, archive: &ArchiveArgs) -> Result<Status, Failure> {
    let (repository, binary) = (setup::repository(args)?, this_binary()?);
    setup::with_grading_context(&archive.sandbox.place, Track::Python, archive.sandbox.jobs, &repository, |context| {
        Ok(artifact::archive(&workshop(context, &repository, &binary), &archive.artifact)?)
    })?;
    Ok(Status::Ok)
}

/// The file of this program, which carries out the commands of artifacts.
fn this_binary() -> Result<PathBuf, Failure> {
    env::current_exe()
        .map_err(|error| Failure::infrastructure(format!("this program's own file is not known: {error}")))
}

fn workshop<'a, 'c>(context: &'a GradingContext<'c>, repository: &'a Repository, binary: &'a Path) -> Workshop<'a, 'c> {
    Workshop { context, repository, tool: Tool { binary, root: &repository.root } }
}

fn verify_one(workshop: &Workshop<'_, '_>, dir: &Path) -> Result<Verification, Failure> {
    artifact::verify(workshop, dir).or_else(|error| explain(workshop.repository, dir, error.into()))
}

fn compare_digests(repository: &Repository, dir: &Path) -> Result<Verification, Failure> {
    artifact::compare_digests(repository, dir).or_else(|error| explain(repository, dir, error.into()))
}

/// Where a changed input is why a job could not be done, that is a finding and no failure.
fn explain(repository: &Repository, dir: &Path, failure: Failure) -> Result<Verification, Failure> {
    if failure.status != Status::Usage {
        return Err(failure);
    }
    artifact::explain_failure(repository, dir, &failure.to_string())?.ok_or(failure)
}
