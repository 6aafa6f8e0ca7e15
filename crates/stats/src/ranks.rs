//! Ranks of values, and which of them are tied.

use crate::error::{Error, check};

/// The rank of each value, from 1; equal values share the mean of their ranks (SciPy's `rankdata`).
///
/// # Errors
///
/// A value that is not finite.
pub fn ranks(values: &[f64]) -> Result<Vec<f64>, Error> {
    check(values, 0)?;
    Ok(ranks_and_ties(values).0)
}

/// The ranks of finite values, and the sizes of the groups of equal ones, smallest value first.
pub(crate) fn ranks_and_ties(values: &[f64]) -> (Vec<f64>, Vec<usize>) {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut groups = Vec::new();
    let mut before = 0;
    for tied in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let rank = before as f64 + (tied.len() + 1) as f64 / 2.0;
        tied.iter().for_each(|&index| ranks[index] = rank);
        before += tied.len();
        groups.push(tied.len());
    }
    (ranks, groups)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_their_mean_rank() {
        assert_eq!(ranks(&[3.0, 5.0, 5.0, 9.0]), Ok(vec![1.0, 2.5, 2.5, 4.0]));
        assert_eq!(ranks_and_ties(&[0.0, 7.0, -0.0, 1.0]), (vec![1.5, 4.0, 1.5, 3.0], vec![2, 1, 1]));
        assert_eq!(ranks(&[]), Ok(Vec::new()));
    }
}
