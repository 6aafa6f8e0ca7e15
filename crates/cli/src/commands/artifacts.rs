use slopbench_runner::artifact;

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
    let verifications = setup::with_workshop(&verify.sandbox, &repository, |workshop| {
        let verify = |dir: &std::path::PathBuf| Ok(artifact::verify(workshop, &repository, dir)?);
        folders.iter().map(verify).collect::<Result<Vec<_>, Failure>>()
    })?;
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
