//! A report with what an earlier one has of other checks.

use slopbench_tests::Problem;

use crate::{
    Error,
    audit::{CHECKS, is_current},
    report::{AuditReport, CheckReport, ProblemAudit},
};

/// Adds to `report` the checks of `earlier` that it has not, where they were made by the same tool with the same instrument,
/// and are about the files of `problems` as they are.
///
/// # Errors
///
/// As for [`is_current`].
pub fn add_checks(report: &mut AuditReport, earlier: AuditReport, problems: &[Problem]) -> Result<(), Error> {
    if (&earlier.tool, &earlier.instrument) != (&report.tool, &report.instrument) {
        return Ok(());
    }
    for known in earlier.problems {
        let audited = report.problems.iter_mut().find(|audited| audited.problem.name == known.problem.name);
        let problem = problems.iter().find(|problem| problem.name == known.problem.name);
        if let (Some(audited), Some(problem)) = (audited, problem) {
            add(audited, known.checks, problem)?;
        }
    }
    Ok(())
}

fn add(audited: &mut ProblemAudit, earlier: Vec<CheckReport>, problem: &Problem) -> Result<(), Error> {
    for known in earlier {
        if audited.checks.iter().all(|check| check.check != known.check) && is_current(&known, problem)? {
            audited.checks.push(known);
        }
    }
    audited.checks.sort_by_key(|report| CHECKS.iter().position(|check| check.name == report.check));
    Ok(())
}
