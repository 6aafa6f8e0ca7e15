//! What follows of a comparison, in words.

use super::{ComparedSide, LEVEL, MeasureComparison, paired::ComparisonVerdict};

/// Of one measure.
pub(super) fn of(one: &MeasureComparison) -> String {
    let title = one.title;
    let (higher, size) = (if one.difference > 0.0 { "higher" } else { "lower" }, figure(one.difference.abs()));
    let interval = match (one.low, one.high) {
        (Some(low), Some(high)) => format!(", 95% interval {} to {}", figure(low), figure(high)),
        _ => String::new(),
    };
    let p = one.p_holm.map_or_else(String::new, |p| format!(", p {} over {} measures", probability(p), one.tests));
    if one.differing == 0 {
        return format!("{title}: A and B are the same in all {} problems.", one.problems);
    }
    let seen = format!("{title}: B is {higher} by {size} ({} problems{interval}{p})", one.problems);
    match one.verdict() {
        ComparisonVerdict::BBetter => format!("{seen}: B is better, and that is real{}.", strength(one)),
        ComparisonVerdict::ABetter => format!("{seen}: A is better, and that is real{}.", strength(one)),
        ComparisonVerdict::Differ => format!("{seen}: they differ{}.", strength(one)),
        ComparisonVerdict::Open => format!("{seen}: this may be chance. {}", power(one)),
        ComparisonVerdict::TooFew => format!(
            "{seen}: nothing can be said. For {} measures at least {} problems are needed.",
            one.tests,
            one.problems_needed()
        ),
    }
}

/// Of all: whether something is real, and what more would tell.
pub(super) fn overall(a: &ComparedSide, b: &ComparedSide, measures: &[MeasureComparison]) -> Vec<String> {
    let titles = |verdict: ComparisonVerdict| {
        let titles: Vec<_> = measures.iter().filter(|one| one.verdict() == verdict).map(|one| one.title).collect();
        (!titles.is_empty()).then(|| titles.join(", "))
    };
    let better = [(ComparisonVerdict::BBetter, "B is better by"), (ComparisonVerdict::ABetter, "A is better by")];
    let mut said: Vec<String> =
        better.into_iter().filter_map(|(verdict, words)| Some(format!("{words}: {}.", titles(verdict)?))).collect();
    let too_few = measures.iter().all(|one| one.verdict() == ComparisonVerdict::TooFew || one.differing == 0);
    if said.is_empty() {
        said.push(match too_few {
            true => "There are too few problems in common to say anything.".to_owned(),
            false => format!("No difference is real at a level of {LEVEL} for all measures together."),
        });
    }
    if a.repeats < 2 && b.repeats < 2 {
        said.push(
            "Each checkpoint was done once on each side: how far repeats lie apart is not known, and neither is how many would tell \
             more. Repeat both."
                .to_owned(),
        );
    }
    for side in [a, b] {
        let of = side.population;
        if of.pending + of.infrastructure > 0 {
            said.push(format!(
                "{}: {} checkpoints are still to be done, {} of them after a failure of the infrastructure.",
                side.name,
                of.pending + of.infrastructure,
                of.infrastructure
            ));
        }
    }
    said.extend(measures.iter().map(|one| one.sentence.clone()));
    said
}

fn power(one: &MeasureComparison) -> String {
    match one.power {
        None => "How many repeats would tell it is not known: nothing was repeated.".to_owned(),
        Some(power) => {
            let needed = match power.repeats_needed {
                Some(repeats) => {
                    format!("{repeats} repeats of each problem would tell it with a chance of 80% in one test")
                }
                None => "No number of repeats of these problems would tell it; more problems might".to_owned(),
            };
            let detectable = power.detectable.map(|size| format!("; those at hand tell {}", figure(size)));
            format!("{needed}{}.", detectable.unwrap_or_default())
        }
    }
}

/// How large it is: J. Cohen's words for a correlation's size.
fn strength(one: &MeasureComparison) -> String {
    one.effect.map_or_else(String::new, |effect| {
        let word = match effect.abs() {
            size if size < 0.1 => "negligible",
            size if size < 0.3 => "small",
            size if size < 0.5 => "medium",
            _ => "large",
        };
        format!("; the effect is {word} (rank-biserial {effect:+.2})")
    })
}

/// Three significant digits.
fn figure(value: f64) -> String {
    let digits = if value == 0.0 { 2 } else { (2 - value.abs().log10().floor() as i32).clamp(0, 6) };
    format!("{value:.*}", digits as usize)
}

fn probability(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("= {p:.3}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_three_digits() {
        let shown = [0.0, 0.012_345, -0.5, 12.345, 1234.5].map(figure);
        assert_eq!(shown, ["0.00", "0.0123", "-0.500", "12.3", "1234"]);
        assert_eq!([0.000_1, 0.25].map(probability), ["< 0.001", "= 0.250"]);
    }
}
