use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use slopbench_metrics::{
    Measurement, RuleDescription, SuppressedBy,
    measurement::{RefusalReason, SkippedFile},
};

use crate::findings::{Finding, OWN_RULES, OwnRule, Severity, findings};

/// A measurement as SARIF 2.1.0, the format of code hosts and editors for results of static analysis.
///
/// `folder` is where the measured folder lies in the checkout, which SARIF calls `%SRCROOT%`: empty, or with a `/` at its
/// end. Rule matches, complex callables and clones are results; accepted matches are results with their `suppressions`;
/// files left out are notifications.
pub fn sarif(measurement: &Measurement, rules: &[RuleDescription], folder: &str) -> Value {
    let findings = findings(measurement, rules);
    let results: Vec<_> = findings.iter().map(|finding| result(finding, folder)).collect();
    let notifications: Vec<_> = measurement.skipped.iter().map(|skipped| notification(skipped, folder)).collect();
    let descriptors: Vec<_> = OWN_RULES.iter().map(own_rule).chain(rules.iter().map(rule)).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "slopbench",
                    "version": env!("CARGO_PKG_VERSION"),
                    "rules": descriptors,
                    "properties": {"rulesDigest": measurement.rules.digest},
                },
            },
            "invocations": [{"executionSuccessful": true, "toolExecutionNotifications": notifications}],
            "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The root of the checkout."}}},
            "results": results,
            "properties": {"total": measurement.total},
        }],
    })
}

fn own_rule(rule: &OwnRule) -> Value {
    json!({
        "id": rule.id,
        "shortDescription": {"text": rule.message},
        "help": {"text": rule.note},
        "defaultConfiguration": {"level": level(rule.level)},
    })
}

fn rule(rule: &RuleDescription) -> Value {
    let mut descriptor = json!({
        "id": rule.id,
        "shortDescription": {"text": rule.message},
        "defaultConfiguration": {"level": level(Severity::Warning)},
        "properties": {"tags": rule.tiers},
    });
    if !rule.note.is_empty() {
        descriptor["help"] = json!({"text": rule.note, "markdown": rule.note});
    }
    descriptor
}

fn result(finding: &Finding<'_>, folder: &str) -> Value {
    let mut result = json!({
        "ruleId": finding.rule,
        "level": level(finding.level),
        "message": {"text": finding.message},
        "locations": [location(finding.path, folder, Some((finding.first_line, finding.last_line)))],
    });
    if let Some(suppressed) = finding.suppressed {
        let kind = match suppressed.by {
            SuppressedBy::Comment => "inSource",
            SuppressedBy::Configuration => "external",
        };
        result["suppressions"] = json!([{"kind": kind, "justification": suppressed.reason}]);
    }
    result
}

fn notification(skipped: &SkippedFile, folder: &str) -> Value {
    let level = match skipped.reason {
        RefusalReason::Excluded | RefusalReason::SymbolicLink => "note",
        _ => "warning",
    };
    json!({
        "descriptor": {"id": skipped.reason},
        "level": level,
        "message": {"text": format!("{} was not measured: {}", skipped.path, skipped.detail)},
        "locations": [location(&skipped.path, folder, skipped.line.map(|line| (line, line)))],
    })
}

fn location(path: &str, folder: &str, lines: Option<(u32, u32)>) -> Value {
    let path = format!("{folder}{path}");
    let uri = utf8_percent_encode(&path, ESCAPED).to_string();
    let mut place = json!({"artifactLocation": {"uri": uri, "uriBaseId": "%SRCROOT%"}});
    if let Some((first, last)) = lines {
        place["region"] = json!({"startLine": first, "endLine": last});
    }
    json!({"physicalLocation": place})
}

/// All but RFC 3986's unreserved characters and what parts folders.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

fn level(level: Severity) -> &'static str {
    match level {
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}
