//! How alike two columns of the same length are.

/// Pearson's product-moment correlation, from -1 to 1.
///
/// r = Σ (xᵢ - x̄)(yᵢ - ȳ) / √(Σ (xᵢ - x̄)² · Σ (yᵢ - ȳ)²)
///
/// `None` if the columns differ in length, have fewer than two values, or one of them is constant.
pub fn pearson(x: &[f64], y: &[f64]) -> Option<f64> {
    if x.len() != y.len() {
        return None;
    }
    let (mean_x, mean_y) = (mean(x)?, mean(y)?);
    let deviations = x.iter().zip(y).map(|(x, y)| (x - mean_x, y - mean_y));
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for (dx, dy) in deviations {
        xx += dx * dx;
        yy += dy * dy;
        xy += dx * dy;
    }
    (xx > 0.0 && yy > 0.0).then(|| (xy / (xx.sqrt() * yy.sqrt())).clamp(-1.0, 1.0))
}

/// Spearman's rank correlation, from -1 to 1: Pearson's of the ranks, equal values sharing the mean of their ranks.
///
/// `None` where [`pearson`] is.
pub fn spearman(x: &[f64], y: &[f64]) -> Option<f64> {
    pearson(&ranks(x), &ranks(y))
}

/// The rank of each value, from 1; equal values share the mean of their ranks.
pub fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0;
    for tied in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let rank = before as f64 + (tied.len() + 1) as f64 / 2.0;
        tied.iter().for_each(|&index| ranks[index] = rank);
        before += tied.len();
    }
    ranks
}

/// The mean of |xᵢ - yᵢ|, in the columns' unit. `None` if they are empty or differ in length.
pub fn mean_absolute_difference(x: &[f64], y: &[f64]) -> Option<f64> {
    let differences: Vec<f64> = x.iter().zip(y).map(|(x, y)| (x - y).abs()).collect();
    (x.len() == y.len()).then(|| mean(&differences)).flatten()
}

/// The arithmetic mean; `None` of nothing.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The middle value, or the mean of the two in the middle; `None` of nothing.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() % 2 {
        1 => sorted.get(middle).copied(),
        _ => mean(sorted.get(middle.checked_sub(1)?..=middle)?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(actual: Option<f64>, expected: f64) -> bool {
        actual.is_some_and(|actual| (actual - expected).abs() < 1e-12)
    }

    /// Expected values by hand: ranks (1, 2.5, 2.5, 4) against (2, 1, 3, 4) have Σ d² = 3.5 and one tie of two.
    #[test]
    fn ties_share_their_mean_rank() {
        assert_eq!(ranks(&[3.0, 5.0, 5.0, 9.0]), [1.0, 2.5, 2.5, 4.0]);
        assert!(close(spearman(&[3.0, 5.0, 5.0, 9.0], &[2.0, 1.0, 3.0, 4.0]), 3.0 / (4.5_f64 * 5.0).sqrt()));
    }

    #[test]
    fn a_monotone_relation_has_rank_correlation_one_but_not_pearsons() {
        let (x, y) = ([1.0, 2.0, 3.0, 4.0], [1.0, 8.0, 27.0, 64.0]);
        assert!(close(spearman(&x, &y), 1.0));
        assert!(pearson(&x, &y).is_some_and(|r| r < 0.96));
        assert!(close(spearman(&x, &[4.0, 3.0, 2.0, 1.0]), -1.0));
    }

    #[test]
    fn what_is_not_defined_is_none() {
        assert_eq!(spearman(&[1.0], &[1.0]), None);
        assert_eq!(spearman(&[1.0, 1.0], &[1.0, 2.0]), None);
        assert_eq!(spearman(&[1.0, 2.0], &[1.0]), None);
        assert_eq!((mean(&[]), median(&[])), (None, None));
    }

    #[test]
    fn means_and_medians() {
        assert_eq!(mean_absolute_difference(&[1.0, 2.0], &[2.0, 0.0]), Some(1.5));
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
    }
}
