use std::path::Path;

use slopbench_history::{GitRepository, SourceSnapshot, compare};

use crate::{
    Failure,
    args::{Args, CompareArgs},
    output::{Status, page, print_json},
    setup,
};

pub(crate) fn run(args: &Args, compare_args: &CompareArgs) -> Result<Status, Failure> {
    let rules = setup::rules(compare_args.rules.rules.as_deref())?;
    let (before, after) = sides(compare_args)?;
    let (before, after) = (snapshot(before, compare_args)?, snapshot(after, compare_args)?);
    for side in [&before, &after] {
        if side.sources.is_empty() {
            // Figures of nothing would read as perfect ones.
            let known = slopbench_metrics::known_names();
            let message = format!("nothing in {} can be compared: expected files named {known}", side.name);
            return Err(Failure::configuration(message));
        }
    }
    let comparison = compare(&before, &after, &rules, compare_args.tier.into());
    match args.json {
        true => print_json(&comparison)?,
        false => page(slopbench_report::comparison(&comparison, compare_args.top))?,
    }
    Ok(Status::Ok)
}

/// The two sides: two arguments, or the two revisions of `A..B`, where what is left out is HEAD.
fn sides(args: &CompareArgs) -> Result<(&str, &str), Failure> {
    if let Some(after) = &args.after {
        return Ok((&args.before, after));
    }
    let or_head = |revision| if str::is_empty(revision) { "HEAD" } else { revision };
    match args.before.split_once("..") {
        Some((before, after)) if !Path::new(&args.before).exists() => Ok((or_head(before), or_head(after))),
        _ => Err(Failure::configuration(format!(
            "`{}` is one state, and two are compared: name another path or revision, or two revisions as A..B",
            args.before
        ))),
    }
}

/// What exists as a path is a path; everything else is a revision.
fn snapshot(side: &str, args: &CompareArgs) -> Result<SourceSnapshot, Failure> {
    let path = Path::new(side);
    match path.exists() {
        true => Ok(SourceSnapshot::on_disk(path, !args.no_gitignore)?),
        false => Ok(SourceSnapshot::of_revision(&GitRepository::discover(&args.repo)?, side)?),
    }
}
