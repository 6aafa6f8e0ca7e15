//! Sums that do not depend on the order of their terms, and ratios.

/// The sum of finite numbers, rounded once (Shewchuk's algorithm, as in Python's `math.fsum`).
///
/// A running total rounds at every step, so its last digits tell in which order the files were read. The figures that
/// the authors' implementation prints carry the order of the directory entries on one disk in this way.
pub(crate) fn exact(terms: impl IntoIterator<Item = f64>) -> f64 {
    // Numbers of growing size that do not overlap and add up to the sum so far without any error.
    let mut partials: Vec<f64> = Vec::new();
    for mut term in terms {
        partials.retain_mut(|partial| {
            let (sum, error) = two_sum(term, *partial);
            term = sum;
            *partial = error;
            error != 0.0
        });
        partials.push(term);
    }
    round(&partials)
}

/// `a + b` rounded, and what the rounding lost.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let (large, small) = if a.abs() < b.abs() { (b, a) } else { (a, b) };
    let sum = large + small;
    (sum, small - (sum - large))
}

/// Adds the partials from the largest down until something is lost; half a unit in the last place is then rounded by
/// the sign of what lies below it.
fn round(partials: &[f64]) -> f64 {
    let mut rest = partials.iter().rev().copied();
    let mut sum = rest.next().unwrap_or(0.0);
    let mut lost = 0.0;
    for partial in rest.by_ref() {
        (sum, lost) = two_sum(sum, partial);
        if lost != 0.0 {
            break;
        }
    }
    let below = rest.next().unwrap_or(0.0);
    let doubled = lost * 2.0;
    let rounded_up = sum + doubled;
    if lost * below > 0.0 && rounded_up - sum == doubled { rounded_up } else { sum }
}

/// `part / whole`, and 0 where the whole is 0.
pub(crate) fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::exact;

    #[test]
    fn nothing_is_lost_between_large_and_small() {
        assert_eq!(exact([1e100, 1.0, -1e100]), 1.0);
        assert_eq!(exact([0.1; 10]), 1.0);
        assert_eq!(exact([]), 0.0);
    }

    #[test]
    fn a_half_is_rounded_by_what_lies_below_it() {
        assert_eq!(exact([1e16, 1.0]), 1e16);
        assert_eq!(exact([1e16, 1.0, 1e-16]), 10_000_000_000_000_002.0);
    }

    proptest::proptest! {
        #[test]
        fn the_order_does_not_matter(mut terms in proptest::collection::vec(0.0..1e6_f64, 0..50)) {
            let forwards = exact(terms.iter().copied());
            terms.sort_by(f64::total_cmp);
            proptest::prop_assert_eq!(exact(terms), forwards);
        }
    }
}
