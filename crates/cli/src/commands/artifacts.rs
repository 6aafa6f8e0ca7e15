use std::path::PathBuf;

use slopbench_runner::{
    Repository,
    artifact::{self, Verification},
};

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
    let done = setup::with_workshop(&verify.sandbox, &repository, |workshop| {
        let verify = |dir: &PathBuf| Ok(artifact::verify(workshop, &repository, dir)?);
        folders.iter().map(verify).collect::<Result<Vec<_>, Failure>>()
    });
    let verifications = done.or_else(|failure| explain(&repository, &folders, failure))?;
    match args.json {
        true => print_json(&verifications)?,
        false => print(&slopbench_report::claims(&verifications))?,
    }
    Ok(Status::of_check(verifications.iter().all(|verification| verification.holds())))
}

pub(crate) fn archive(args: &Args, archive: &ArchiveArgs) -> Result<Status, Failure> {
    let repository = setup::repository(args)?;
    setup::with_workshop(&archive.sandbox, &repository, |workshop| {
        Ok(artifact::archive(workshop, &repository, &archive.artifact)?)
    })?;
    Ok(Status::Ok)
}

/// Where a changed input is why a job could not be done, that is a finding and no failure.
fn explain(repository: &Repository, folders: &[PathBuf], failure: Failure) -> Result<Vec<Verification>, Failure> {
    if failure.status != Status::Usage {
        return Err(failure);
    }
    let message = failure.to_string();
    let explain = |dir: &PathBuf| artifact::explain_failure(repository, dir, &message).transpose();
    let changed = folders.iter().filter_map(explain).collect::<Result<Vec<_>, _>>()?;
    if changed.is_empty() { Err(failure) } else { Ok(changed) }
}
