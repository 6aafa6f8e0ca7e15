//! A measurement as a list of places, as code hosts and editors want it.

use slopbench_metrics::{
    LineSet, Measurement, RuleDescription, Suppressed,
    measurement::{COMPLEX_ABOVE, Callable, File, Match},
};

/// What is found beside the rules' matches. Their ids hold a `/`, so that they are no rule's.
pub(crate) const OWN_RULES: [OwnRule; 3] = [COMPLEXITY, CLONE, SUPPRESSION];

const COMPLEXITY: OwnRule = OwnRule {
    id: "slopbench/complexity",
    level: Severity::Warning,
    message: "A callable with a cyclomatic complexity above 10.",
    note: "Structural erosion is the share of complexity mass, CC · √SLOC, in such callables. Split it where it decides two things.",
};

const CLONE: OwnRule = OwnRule {
    id: "slopbench/clone",
    level: Severity::Note,
    message: "Lines of the same shape as others in this file.",
    note: "A function, loop, condition or other block that is there more than once, but for names and literals. Say it once.",
};

const SUPPRESSION: OwnRule = OwnRule {
    id: "slopbench/suppression",
    level: Severity::Warning,
    message: "A suppression that suppresses nothing, or is not understood.",
    note: "Write `slopbench: ignore[rule] reason` in a comment, and remove it once the rule no longer matches.",
};

/// A kind of finding that needs no rule file.
pub(crate) struct OwnRule {
    pub(crate) id: &'static str,
    pub(crate) level: Severity,
    /// One sentence.
    pub(crate) message: &'static str,
    /// Why, and what to do.
    pub(crate) note: &'static str,
}

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Severity {
    /// It counts as flagged or eroded.
    Warning,
    /// It is one of several alike, and only together too many.
    Note,
}

/// One place and what is to be said of it.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding<'a> {
    /// Below the measured folder.
    pub(crate) path: &'a str,
    pub(crate) first_line: u32,
    pub(crate) last_line: u32,
    pub(crate) rule: &'a str,
    pub(crate) level: Severity,
    pub(crate) message: String,
    /// Set if the finding was accepted.
    pub(crate) suppressed: Option<&'a Suppressed>,
}

/// All findings, by path, line and rule.
pub(crate) fn findings<'a>(measurement: &'a Measurement, rules: &'a [RuleDescription]) -> Vec<Finding<'a>> {
    let overrides = measurement.overrides.iter();
    let suppressed = overrides.clone().flat_map(|overrides| &overrides.suppressed);
    let misfits = overrides
        .flat_map(|overrides| &overrides.misfits)
        .map(|misfit| SUPPRESSION.at(&misfit.path, (misfit.line, misfit.line), format!("{}.", misfit.detail)));
    let complex = measurement.callables.iter().filter(|callable| callable.is_complex());
    let matches = measurement.matches.iter().map(|found| matched(found, rules));
    let mut all: Vec<_> = complex.map(complexity).chain(measurement.files.iter().flat_map(clones)).collect();
    all.extend(matches.chain(misfits));
    all.extend(suppressed.map(|one| Finding { suppressed: Some(one), ..matched(&one.found, rules) }));
    all.sort();
    all
}

fn matched<'a>(found: &'a Match, rules: &'a [RuleDescription]) -> Finding<'a> {
    let description = rules.iter().find(|rule| rule.id == found.rule);
    Finding {
        path: &found.path,
        first_line: found.start_line,
        last_line: found.end_line,
        rule: &found.rule,
        level: Severity::Warning,
        message: description.map_or_else(|| found.rule.clone(), |rule| rule.message.clone()),
        suppressed: None,
    }
}

fn complexity(callable: &Callable) -> Finding<'_> {
    let Callable { path, qualified_name, cc, sloc, start_line, end_line, .. } = callable;
    let message = format!(
        "`{qualified_name}` has a cyclomatic complexity of {cc} in {sloc} lines of code; up to {COMPLEX_ABOVE} is no erosion."
    );
    COMPLEXITY.at(path, (*start_line, *end_line), message)
}

fn clones(file: &File) -> impl Iterator<Item = Finding<'_>> {
    runs(&file.lines.clone).into_iter().map(|lines| CLONE.at(&file.path, lines, CLONE.message.to_owned()))
}

/// The lines of a set as spans, as few as there can be.
fn runs(lines: &LineSet) -> Vec<(u32, u32)> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for line in lines.iter() {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == line => *last = line,
            _ => runs.push((line, line)),
        }
    }
    runs
}

impl OwnRule {
    fn at<'a>(&self, path: &'a str, (first_line, last_line): (u32, u32), message: String) -> Finding<'a> {
        Finding { path, first_line, last_line, rule: self.id, level: self.level, message, suppressed: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_lines_are_one_run() {
        assert_eq!(runs(&LineSet::from_iter([2, 3, 4, 7, 9, 10])), [(2, 4), (7, 7), (9, 10)]);
        assert_eq!(runs(&LineSet::default()), []);
    }
}
