//! An audit: checks from a table, one after the other, each kept as soon as it is there.

use std::time::Instant;

use slopbench_digest::Sha256;
use slopbench_slopcode::results::ProblemId;
use slopbench_tests::Problem;

use crate::{
    Error, distinct, growth, independent,
    kept::Kept,
    mutants,
    plays::PlayLog,
    references,
    report::{CheckReport, CheckState, ProblemAudit},
    second, sentences, stable,
    subject::{AuditContext, AuditOptions, Findings, Subject},
};

/// Something that is shown of a problem.
#[derive(Debug)]
pub struct AuditCheck {
    /// Its name.
    pub name: &'static str,
    /// What it shows of a problem without flaws.
    pub proves: &'static str,
    /// Whether it reads the texts of specifications. What else it found stays true where nothing but these has changed.
    reads_texts: bool,
    /// Raised when the check means something else: what is kept of an earlier version is of no use then.
    version: u32,
    /// What it depends on, beside the problem's files and what they are played with.
    depends: fn(&Subject<'_, '_>) -> Result<String, Error>,
    run: fn(&Subject<'_, '_>) -> Result<Findings, Error>,
}

impl AuditCheck {
    /// The digest of the problem's files that it depends on, reference solutions among them.
    ///
    /// # Errors
    ///
    /// [`Error::Read`] for a file that cannot be read.
    pub fn files(&self, problem: &Problem) -> Result<Sha256, Error> {
        let listing = if self.reads_texts { problem.listing()? } else { problem.played_listing()? };
        Ok(listing.digest())
    }
}

/// All checks, in their order.
pub const CHECKS: [AuditCheck; 8] = [
    AuditCheck {
        name: "references",
        proves: "reference solutions pass every case, with time to spare",
        reads_texts: false,
        version: 2,
        depends: |_| Ok(String::new()),
        run: references::check,
    },
    AuditCheck {
        name: "stable",
        proves: "reference solutions pass every case, whenever and wherever they are played",
        reads_texts: false,
        version: 2,
        depends: |subject| {
            let names: Vec<_> = subject.context.interpreters.iter().map(|other| other.name.as_str()).collect();
            Ok(format!("{} repeats, {}", subject.options.repeats, names.join(", ")))
        },
        run: stable::check,
    },
    AuditCheck {
        name: "distinct",
        proves: "no checkpoint is solved by the solution before it, by nothing, or by a trick",
        reads_texts: true,
        version: 1,
        depends: |_| Ok(String::new()),
        run: distinct::check,
    },
    AuditCheck {
        name: "independent",
        proves: "no case depends on the order of cases, or on what another left",
        reads_texts: false,
        version: 1,
        depends: |subject| Ok(format!("seed {}", subject.options.seed)),
        run: independent::check,
    },
    AuditCheck {
        name: "mutants",
        proves: "the suite notices small changes of what each checkpoint adds",
        reads_texts: false,
        version: 2,
        depends: mutants::depends,
        run: mutants::check,
    },
    AuditCheck {
        name: "second",
        proves: "a second, independent solution passes every case",
        reads_texts: false,
        version: 1,
        depends: |_| Ok(String::new()),
        run: second::check,
    },
    AuditCheck {
        name: "sentences",
        proves: "a case covers every tagged sentence of the specifications",
        reads_texts: true,
        version: 1,
        depends: |_| Ok(String::new()),
        run: sentences::check,
    },
    AuditCheck {
        name: "growth",
        proves: "how much of the solution each checkpoint changes",
        reads_texts: false,
        version: 2,
        depends: |_| Ok(String::new()),
        run: growth::check,
    },
];

/// Whether what a check found is about the problem's files as they are.
///
/// # Errors
///
/// As for [`AuditCheck::files`].
pub fn is_current(found: &CheckReport, problem: &Problem) -> Result<bool, Error> {
    match CHECKS.iter().find(|check| check.name == found.check) {
        Some(check) => Ok(check.files(problem)? == found.files),
        None => Ok(false),
    }
}

/// The checks of these names, in the table's order; all where there are none.
///
/// # Errors
///
/// [`Error::UnknownCheck`] for a name that is not in the table.
pub fn checks(names: &[String]) -> Result<Vec<&'static AuditCheck>, Error> {
    let known = |name: &str| CHECKS.iter().any(|check| check.name == name);
    if let Some(name) = names.iter().find(|name| !known(name)) {
        let known: Vec<_> = CHECKS.iter().map(|check| check.name).collect();
        return Err(Error::UnknownCheck { name: name.clone(), known: known.join(", ") });
    }
    Ok(CHECKS.iter().filter(|check| names.is_empty() || names.iter().any(|name| name == check.name)).collect())
}

/// Makes checks of a problem of our own format, which has to have reference solutions in Python.
///
/// # Errors
///
/// [`Error::Unfit`] if the problem is of another format, lacks a reference solution, or argues for mutants it does
/// not have;
/// [`Error::Play`] if solutions cannot be played.
pub fn audit(
    context: &AuditContext<'_, '_>,
    problem: &Problem,
    checks: &[&AuditCheck],
    options: AuditOptions,
) -> Result<ProblemAudit, Error> {
    check_problem(problem)?;
    let folder = context.kept.map(|folder| folder.join(&problem.name));
    let kept = Kept::new(folder, context.instrument)?;
    let log = PlayLog::new(&kept, problem)?;
    let subject = Subject { context, problem, options, kept: &kept, log: &log };
    let reports = checks.iter().map(|check| make(&subject, check)).collect::<Result<_, _>>()?;
    let id = ProblemId { name: problem.name.clone(), digest: problem.digest()? };
    Ok(ProblemAudit { problem: id, checks: reports })
}

fn check_problem(problem: &Problem) -> Result<(), Error> {
    if problem.harness.pytest().is_some() {
        let message = "its tests are pytest's: only problems with cases of our own format are audited";
        return Err(Error::unfit(&problem.dir, message));
    }
    for checkpoint in &problem.checkpoints {
        let entry = problem.reference(checkpoint.number).join(problem.entry.required());
        if !entry.is_file() {
            return Err(Error::unfit(
                entry,
                "the reference solution is not there; an audit needs it at every checkpoint",
            ));
        }
    }
    Ok(())
}

fn make(subject: &Subject<'_, '_>, check: &AuditCheck) -> Result<CheckReport, Error> {
    let begun = Instant::now();
    let files = check.files(subject.problem)?;
    let key = (&files, check.version, (check.depends)(subject)?);
    let (report, was_kept) = subject.kept.or_make(check.name, &key, || {
        let Findings { state, flaws, notes, evidence } = (check.run)(subject)?;
        let (check, proves) = (check.name.to_owned(), check.proves.to_owned());
        Ok(CheckReport { check, proves, files, state, flaws, notes, evidence })
    })?;
    let said = match report.state {
        CheckState::Sound => "sound".to_owned(),
        CheckState::Flawed => format!("{} flaws", report.flaws.len()),
        CheckState::NotDone => "not done".to_owned(),
    };
    let when = if was_kept { "as before".to_owned() } else { format!("{:.0} s", begun.elapsed().as_secs_f64()) };
    (subject.context.tell)(&format!("{}: {}: {said} ({when})", subject.problem.name, check.name));
    Ok(report)
}
