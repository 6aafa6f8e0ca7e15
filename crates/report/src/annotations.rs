use slopbench_metrics::{
    Measurement, RuleDescription,
    measurement::{RefusalReason, SkippedFile},
};

use crate::findings::{Finding, Severity, findings};

/// A measurement as GitHub's workflow commands, which a log shows as annotations: one line per finding.
///
/// `folder` is where the measured folder lies in the checkout: empty, or with a `/` at its end. GitHub shows ten warnings
/// and ten notices a step; the log holds all.
pub fn annotations(measurement: &Measurement, rules: &[RuleDescription], folder: &str) -> String {
    let findings = findings(measurement, rules);
    let shown =
        findings.iter().filter(|finding| finding.suppressed.is_none()).map(|finding| annotation(finding, folder));
    let by_choice =
        |skipped: &&SkippedFile| matches!(skipped.reason, RefusalReason::Excluded | RefusalReason::SymbolicLink);
    let failed = measurement.skipped.iter().filter(|skipped| !by_choice(skipped));
    shown.chain(failed.map(|skipped| not_measured(skipped, folder))).collect()
}

fn annotation(finding: &Finding<'_>, folder: &str) -> String {
    let command = match finding.level {
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let Finding { path, first_line, last_line, rule, message, .. } = finding;
    let (file, title) = (property(&format!("{folder}{path}")), property(rule));
    format!("::{command} file={file},line={first_line},endLine={last_line},title={title}::{}\n", data(message))
}

fn not_measured(skipped: &SkippedFile, folder: &str) -> String {
    let file = property(&format!("{folder}{}", skipped.path));
    let line = skipped.line.map_or_else(String::new, |line| format!(",line={line}"));
    format!("::warning file={file}{line},title=not measured::{}\n", data(&skipped.detail))
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file name could otherwise end the command and begin another.
    #[test]
    fn what_means_something_to_github_is_escaped() {
        let skipped = SkippedFile {
            path: "100%, a:b\n::error::c.py".to_owned(),
            reason: RefusalReason::NotUtf8,
            line: Some(3),
            detail: "50% of: a, b\r\nand c".to_owned(),
        };
        assert_eq!(
            not_measured(&skipped, "src/"),
            "::warning file=src/100%25%2C a%3Ab%0A%3A%3Aerror%3A%3Ac.py,line=3,title=not measured::50%25 of: a, b%0D%0Aand c\n"
        );
    }
}
