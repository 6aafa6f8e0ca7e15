//! The check that a checkpoint is solved by nothing that does not do what it asks for.

use slopbench_slopcode::{GradingContext, SolutionPlayer};
use slopbench_tests::{Case, Category, Problem};
use tempfile::TempDir;

use crate::{
    Error,
    lazy::{Lazy, lazy_solutions},
    report::{CheckEvidence, PlayEvidence},
    subject::{Findings, Subject, describe, own_cases},
};

pub(crate) fn check(subject: &Subject<'_, '_>) -> Result<Findings, Error> {
    let (mut seen, mut flaws) = (Vec::new(), Vec::new());
    for number in subject.problem.checkpoints.iter().map(|checkpoint| checkpoint.number) {
        for rival in rivals(subject.problem, number)? {
            let play = play(subject, number, &rival)?;
            let cases = if rival.core { "every core case" } else { "every case" };
            let flaw = || format!("{} passes {cases} of checkpoint {number}: it asks for nothing", rival.what);
            flaws.extend(play.failure.is_none().then(flaw));
            seen.push(play);
        }
    }
    Ok(Findings::new(CheckEvidence::Plays(seen), flaws, Vec::new()))
}

/// A solution that must not do.
struct Rival {
    what: String,
    /// Whether core cases alone have to tell.
    core: bool,
    solution: Folder,
}

enum Folder {
    Made(TempDir),
    /// The reference solution of this checkpoint.
    Reference(u32),
}

/// All that a checkpoint has to tell from a solution.
fn rivals(problem: &Problem, number: u32) -> Result<Vec<Rival>, Error> {
    let previous = (number > 1).then(|| Rival {
        what: format!("the reference solution of checkpoint {}", number - 1),
        core: true,
        solution: Folder::Reference(number - 1),
    });
    let lazy = |Lazy { what, core, folder }| Rival { what: what.to_owned(), core, solution: Folder::Made(folder) };
    Ok(previous.into_iter().chain(lazy_solutions(problem, number)?.into_iter().map(lazy)).collect())
}

fn play(subject: &Subject<'_, '_>, number: u32, rival: &Rival) -> Result<PlayEvidence, Error> {
    let problem = subject.problem;
    let context =
        GradingContext { progress: &(), suites: subject.context.grading.suites.clone(), ..subject.context.grading };
    let is_played = |case: &&Case| !rival.core || case.category == Category::Core;
    let cases: Vec<_> = own_cases(problem, number).into_iter().filter(is_played).collect();
    let reference = |number| problem.reference(number);
    let player = match &rival.solution {
        Folder::Made(folder) => SolutionPlayer::new(&context, problem, folder.path())?,
        Folder::Reference(number) => SolutionPlayer::new(&context, problem, &reference(*number))?,
    };
    let failure = player.first_failure(&cases)?.map(|outcome| describe(&outcome));
    let (what, cases) = (rival.what.clone(), cases.len());
    Ok(PlayEvidence { checkpoint: number, what, cases, passed: None, failure, closest: None })
}
