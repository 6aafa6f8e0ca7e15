//! From two snapshots to what changed between them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use serde_json::{Number, Value};
use slopbench_diff::{LineDiff, count_lines};
use slopbench_metrics::measurement::{Callable, File, Match, Measures};
use slopbench_metrics::{LineSet, Measurement, RuleSet, SourceFile, Tier, measure_sources};

use crate::SourceSnapshot;
use crate::comparison::{
    CallableChange, Churn, ComparedState, Comparison, ComparisonFormat, Existence, FileChange, Growth, RuleChange,
    Weight,
};

/// Measures two states of some code and says what changed from the first to the second.
///
/// Two single files are compared with each other whatever their names are. Matches are listed of rules in `tier`, or of
/// all; figures do not depend on it.
pub fn compare(before: &SourceSnapshot, after: &SourceSnapshot, rules: &RuleSet, tier: Option<Tier>) -> Comparison {
    let before_sources = named_like(before, after);
    let (mut old, mut new) =
        rayon::join(|| measure_sources(&before_sources, rules), || measure_sources(&after.sources, rules));
    for measurement in [&mut old, &mut new] {
        tier.into_iter().for_each(|tier| measurement.keep(tier, rules));
    }
    let (old_files, new_files) = (by_path(&before_sources, &old), by_path(&after.sources, &new));
    let paths: BTreeSet<&str> = old_files.keys().chain(new_files.keys()).copied().collect();
    let pairs: Vec<_> = paths.into_iter().map(|path| (path, old_files.get(path), new_files.get(path))).collect();
    let changes: Vec<Change> = pairs.into_par_iter().filter_map(|(path, old, new)| changed(path, old, new)).collect();
    Comparison {
        format: ComparisonFormat::V2,
        delta: delta(&old.total, &new.total),
        churn: churn(&before_sources, &changes),
        callables: changes.iter().flat_map(|change| change.callables.iter().cloned()).collect(),
        rule_changes: rule_changes(&changes, &old, &new),
        new_matches: changes.iter().flat_map(|change| change.new_matches.iter().cloned()).collect(),
        files: changes.into_iter().map(|change| change.file).collect(),
        before: side(before, &old),
        rules: new.rules.clone(),
        after: side(after, &new),
    }
}

/// The sources of `before`; if both are single files, under the name that the file has in `after`.
fn named_like<'a>(before: &'a SourceSnapshot, after: &SourceSnapshot) -> Cow<'a, [SourceFile]> {
    match (&before.sources[..], &after.sources[..]) {
        ([(_, bytes)], [(path, _)]) if before.is_file && after.is_file => {
            Cow::Owned(vec![(path.clone(), bytes.clone())])
        }
        _ => Cow::Borrowed(&before.sources),
    }
}

fn side(snapshot: &SourceSnapshot, measurement: &Measurement) -> ComparedState {
    let mut skipped = [&snapshot.skipped[..], &measurement.skipped].concat();
    skipped.sort_by(|a, b| a.path.cmp(&b.path));
    ComparedState { name: snapshot.name.clone(), total: measurement.total.clone(), skipped }
}

/// What is known of one file of one side.
#[derive(Default)]
struct Known<'a> {
    bytes: &'a [u8],
    /// Absent if it could not be measured.
    file: Option<&'a File>,
    callables: Vec<&'a Callable>,
    matches: Vec<&'a Match>,
}

fn by_path<'a>(sources: &'a [SourceFile], measurement: &'a Measurement) -> BTreeMap<&'a str, Known<'a>> {
    let known = |(path, bytes): &'a SourceFile| (path.as_str(), Known { bytes, ..Known::default() });
    let mut files: BTreeMap<_, _> = sources.iter().map(known).collect();
    let mut with = |path: &str, add: &mut dyn FnMut(&mut Known<'a>)| files.get_mut(path).into_iter().for_each(add);
    measurement.files.iter().for_each(|file| with(&file.path, &mut |known| known.file = Some(file)));
    measurement.callables.iter().for_each(|found| with(&found.path, &mut |known| known.callables.push(found)));
    measurement.matches.iter().for_each(|found| with(&found.path, &mut |known| known.matches.push(found)));
    files
}

/// What changed in one file.
struct Change {
    file: FileChange,
    callables: Vec<CallableChange>,
    new_matches: Vec<Match>,
    vanished_matches: Vec<Match>,
}

fn changed(path: &str, old: Option<&Known<'_>>, new: Option<&Known<'_>>) -> Option<Change> {
    let change = match (old, new) {
        (Some(old), Some(new)) if old.bytes == new.bytes => return None,
        (Some(_), Some(_)) => Existence::Changed,
        (Some(_), None) => Existence::Vanished,
        (None, _) => Existence::New,
    };
    let nothing = Known::default();
    let (old, new) = (old.unwrap_or(&nothing), new.unwrap_or(&nothing));
    let diff = LineDiff::new(old.bytes, new.bytes);
    Some(Change {
        file: FileChange {
            path: path.to_owned(),
            change,
            lines_added: diff.counts.added,
            lines_removed: diff.counts.removed,
            new_clone_lines: only_in(new.file, old.file, |line| diff.earlier(line)),
            vanished_clone_lines: only_in(old.file, new.file, |line| diff.later(line)),
        },
        callables: callables(&old.callables, &new.callables),
        new_matches: unmatched(&new.matches, &old.matches, |line| diff.earlier(line)),
        vanished_matches: unmatched(&old.matches, &new.matches, |line| diff.later(line)),
    })
}

/// Clone lines of one version that the other does not have as clone lines. `counterpart` finds a line in the other.
fn only_in(this: Option<&File>, other: Option<&File>, counterpart: impl Fn(u32) -> Option<u32>) -> u64 {
    let none = LineSet::default();
    let there = other.map_or(&none, |file| &file.lines.clone);
    let here = this.into_iter().flat_map(|file| file.lines.clone.iter());
    here.filter(|&line| !counterpart(line).is_some_and(|line| there.contains(line))).count() as u64
}

/// Matches of one version for which the other has none of the same rule that starts on the same line.
fn unmatched(these: &[&Match], others: &[&Match], counterpart: impl Fn(u32) -> Option<u32>) -> Vec<Match> {
    let mut there: BTreeMap<(&str, u32), u64> = BTreeMap::new();
    others.iter().for_each(|found| *there.entry((&found.rule, found.start_line)).or_default() += 1);
    let mut unmatched = Vec::new();
    for &found in these {
        let line = counterpart(found.start_line);
        match line.and_then(|line| there.get_mut(&(found.rule.as_str(), line))) {
            Some(left) if *left > 0 => *left -= 1,
            _ => unmatched.push(found.clone()),
        }
    }
    unmatched
}

/// A callable before and after.
type Pair<'a> = (Option<&'a Callable>, Option<&'a Callable>);

/// Pairs the callables of two versions of a file by qualified name, and those of one name in their order.
fn callables(old: &[&Callable], new: &[&Callable]) -> Vec<CallableChange> {
    let mut named: BTreeMap<(&str, usize), Pair<'_>> = BTreeMap::new();
    numbered(old).for_each(|(name, callable)| named.entry(name).or_default().0 = Some(callable));
    numbered(new).for_each(|(name, callable)| named.entry(name).or_default().1 = Some(callable));
    named.into_values().filter_map(|(old, new)| callable_change(old, new)).collect()
}

fn numbered<'a>(callables: &[&'a Callable]) -> impl Iterator<Item = ((&'a str, usize), &'a Callable)> {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    callables.iter().map(move |callable| {
        let number = seen.entry(&callable.qualified_name).or_default();
        *number += 1;
        ((callable.qualified_name.as_str(), *number), *callable)
    })
}

fn callable_change(old: Option<&Callable>, new: Option<&Callable>) -> Option<CallableChange> {
    let any = new.or(old)?;
    let change = match (old, new) {
        (Some(old), Some(new)) if old.mass == new.mass => return None,
        (Some(old), Some(new)) if old.mass < new.mass => Growth::Grew,
        (Some(_), Some(_)) => Growth::Shrank,
        (Some(_), None) => Growth::Vanished,
        (None, _) => Growth::New,
    };
    Some(CallableChange {
        path: any.path.clone(),
        qualified_name: any.qualified_name.clone(),
        change,
        became_complex: new.is_some_and(Callable::is_complex) && !old.is_some_and(Callable::is_complex),
        before: old.map(weight),
        after: new.map(weight),
    })
}

fn weight(callable: &Callable) -> Weight {
    let &Callable { start_line, cc, sloc, mass, .. } = callable;
    Weight { start_line, cc, sloc, mass }
}

/// (lines added + lines removed) / total lines of the previous state.
fn churn(before: &[SourceFile], changes: &[Change]) -> Churn {
    let lines_before: u64 = before.iter().map(|(_, bytes)| count_lines(bytes)).sum();
    let lines_added: u64 = changes.iter().map(|change| change.file.lines_added).sum();
    let lines_removed: u64 = changes.iter().map(|change| change.file.lines_removed).sum();
    let churn = (lines_before > 0).then(|| (lines_added + lines_removed) as f64 / lines_before as f64);
    Churn { lines_added, lines_removed, lines_before, churn }
}

fn rule_changes(changes: &[Change], old: &Measurement, new: &Measurement) -> Vec<RuleChange> {
    let count = |matches: &[Match], rule: &str| matches.iter().filter(|found| found.rule == rule).count() as u64;
    let come: Vec<Match> = changes.iter().flat_map(|change| change.new_matches.iter().cloned()).collect();
    let gone: Vec<Match> = changes.iter().flat_map(|change| change.vanished_matches.iter().cloned()).collect();
    let rules: BTreeSet<&str> = come.iter().chain(&gone).map(|found| found.rule.as_str()).collect();
    let change = |rule: &str| RuleChange {
        rule: rule.to_owned(),
        before: count(&old.matches, rule),
        after: count(&new.matches, rule),
        new: count(&come, rule),
        vanished: count(&gone, rule),
    };
    rules.into_iter().map(change).collect()
}

/// The difference of every figure that is a number, so that a new measure needs no line here.
fn delta(before: &Measures, after: &Measures) -> BTreeMap<String, Number> {
    let (before, after) = (figures(before), figures(after));
    let difference = |(name, after): (String, Number)| {
        let before = before.get(&name)?;
        let whole = before.as_i64().zip(after.as_i64()).map(|(before, after)| Number::from(after - before));
        let real = || Number::from_f64(after.as_f64()? - before.as_f64()?);
        Some((name, whole.or_else(real)?))
    };
    after.clone().into_iter().filter_map(difference).collect()
}

fn figures(measures: &Measures) -> BTreeMap<String, Number> {
    let fields = serde_json::to_value(measures).ok().and_then(|value| match value {
        Value::Object(fields) => Some(fields),
        _ => None,
    });
    let numbers = fields.into_iter().flatten().filter_map(|(name, value)| match value {
        Value::Number(number) => Some((name, number)),
        _ => None,
    });
    numbers.collect()
}
