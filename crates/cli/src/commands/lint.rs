use std::fs;

use slopbench_digest::canonical;
use slopbench_report::lint;
use slopbench_slopcode::run::{RunFolder, STUDY, lint_run};
use slopbench_tests::Track;

use crate::{
    Failure,
    args::{Args, LintArgs},
    files::{put, unwritable},
    output::{print, print_json},
    setup,
};

pub(crate) fn run(args: &Args, asked: &LintArgs) -> Result<(), Failure> {
    let folder = RunFolder::open(&asked.run, STUDY)?;
    let repository = setup::repository(args)?;
    let linted = setup::with_grading_context(&asked.place, Track::Python, None, &repository, |context| {
        Ok(lint_run(&folder, context.environments)?)
    })?;
    let path = asked.out.join("lint.json");
    fs::create_dir_all(&asked.out).map_err(|error| unwritable(&asked.out, &error))?;
    put(&path, &canonical::to_vec(&linted).map_err(Failure::infrastructure)?)?;
    if args.json {
        return print_json(&linted);
    }
    let mut text = lint(&linted);
    text += format!("written to {}\n", path.display());
    print(text)
}
