use std::collections::BTreeMap;

use slopbench_metrics::{Measurement, RuleDescription, Suppressed, measurement::Callable};

use crate::{
    measurement::{figures, heaviest},
    printable,
};

/// How many rules are shown.
const RULES: usize = 10;

/// A measurement in GitHub's Markdown, for a comment or a job's summary: its figures, its `callables` heaviest callables
/// and the rules that match most.
///
/// `folder` is where the measured folder lies in the checkout: empty, or with a `/` at its end.
pub fn markdown(measurement: &Measurement, rules: &[RuleDescription], folder: &str, callables: usize) -> String {
    let place = |path: &str, line: Option<u32>| {
        let line = line.map_or_else(String::new, |line| format!(":{line}"));
        code(&format!("{folder}{path}{line}"))
    };
    let totals = figures(&measurement.total).into_iter().map(|(name, value)| vec![name.to_owned(), value]);
    let heavy = heaviest(measurement, callables).into_iter().map(|callable| {
        let Callable { cc, sloc, mass, qualified_name, path, start_line, .. } = callable;
        let place = place(path, Some(*start_line));
        vec![cc.to_string(), sloc.to_string(), format!("{mass:.1}"), code(qualified_name), place]
    });
    let frequent = most_frequent(measurement).into_iter().map(|(rule, matches)| {
        let message = rules.iter().find(|description| description.id == rule).map_or("", |rule| &rule.message);
        vec![matches.to_string(), code(rule), prose(message)]
    });
    let skipped = measurement.skipped.iter();
    let skipped = skipped.map(|skipped| vec![place(&skipped.path, skipped.line), prose(&skipped.detail)]);
    let suppressed = measurement.overrides.iter().flat_map(|overrides| &overrides.suppressed);
    let suppressed = suppressed.map(|Suppressed { found, reason, .. }| {
        vec![code(&found.rule), place(&found.path, Some(found.start_line)), prose(reason)]
    });
    let misfits = measurement.overrides.iter().flat_map(|overrides| &overrides.misfits);
    let misfits = misfits.map(|misfit| vec![place(&misfit.path, Some(misfit.line)), prose(&misfit.detail)]);
    [
        format!("## slopbench\n\n{}", table(&["measure", "value"], "lr", totals)),
        section("Callables of most complexity mass", &["CC", "SLOC", "mass", "callable", "place"], "rrrll", heavy),
        section("Rules that match most", &["matches", "rule", "what it says"], "rll", frequent),
        section("Left out", &["file", "why"], "ll", skipped),
        section("Suppressed matches", &["rule", "place", "reason"], "lll", suppressed),
        section("Suppressions that do not fit", &["place", "why"], "ll", misfits),
    ]
    .concat()
}

fn most_frequent(measurement: &Measurement) -> Vec<(&str, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    measurement.matches.iter().for_each(|found| *counts.entry(&found.rule).or_default() += 1);
    let mut frequent: Vec<_> = counts.into_iter().collect();
    // The sort is stable, so equal counts stay in the order of the rules' ids.
    frequent.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    frequent.truncate(RULES);
    frequent
}

/// A titled table; nothing where it would have no row.
fn section(title: &str, columns: &[&str], alignment: &str, rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut rows = rows.peekable();
    match rows.peek() {
        Some(_) => format!("\n### {title}\n\n{}", table(columns, alignment, rows)),
        None => String::new(),
    }
}

/// A table; `alignment` has an `l` or `r` for each column.
fn table(columns: &[&str], alignment: &str, rows: impl Iterator<Item = Vec<String>>) -> String {
    let rule: Vec<_> = alignment.chars().map(|side| if side == 'r' { "---:" } else { "---" }).collect();
    let mut text = format!("| {} |\n| {} |\n", columns.join(" | "), rule.join(" | "));
    text.extend(rows.map(|cells| format!("| {} |\n", cells.join(" | "))));
    text
}

/// Text as it is, in a table's cell. Backquotes stay: rules write code in them.
fn prose(text: &str) -> String {
    let escape = |character: char| match character {
        '|' | '\\' | '<' | '*' | '_' | '[' => format!("\\{character}"),
        other => other.to_string(),
    };
    printable(text)
        .split('`')
        .enumerate()
        .map(|(index, part)| match index % 2 {
            0 => part.chars().map(escape).collect::<String>(),
            _ => part.replace('|', "\\|"),
        })
        .collect::<Vec<_>>()
        .join("`")
}

/// A code span in a table's cell.
fn code(text: &str) -> String {
    let text = printable(text).replace('|', "\\|");
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or_default();
    match longest {
        0 => format!("`{text}`"),
        longest => {
            let fence = "`".repeat(longest + 1);
            format!("{fence} {text} {fence}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_leave_their_cell() {
        assert_eq!(code("a|b"), "`a\\|b`");
        assert_eq!(code("a`b``c"), "``` a`b``c ```");
        assert_eq!(code("a\nb"), "`a\\nb`");
        assert_eq!(prose("<b>|*a* `x|*y*`"), "\\<b>\\|\\*a\\* `x\\|*y*`");
    }
}
