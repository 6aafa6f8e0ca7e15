use slopbench_audit::scaffold::scaffold;
use slopbench_slopcode::Repository;
use slopbench_tests::problem::ProblemKind;

use crate::{
    Failure,
    args::Kind,
    output::{Status, print},
};

pub(super) fn run(repository: &Repository, name: &str, kind: Kind) -> Result<Status, Failure> {
    let kind = match kind {
        Kind::Cli => ProblemKind::Cli,
        Kind::Http => ProblemKind::Http,
    };
    let problems = repository.problems_dirs();
    let [problems] = problems.as_slice() else {
        return Err(Failure::configuration("several folders of problems are named; name the one for the new problem"));
    };
    let folder = scaffold(problems, name, kind)?;
    print(format!("{}\nNext: slopbench problems check {name}\n", folder.display()))?;
    Ok(Status::Ok)
}
