/// From the lowest to the highest.
const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Stands for a value that is missing, so that it is neither 0 nor unseen.
const GAP: char = '·';

/// A block for each value, from 0, the lowest, to `top`, the highest. What is missing, or is no number, is a gap.
pub(crate) fn sparkline(values: impl IntoIterator<Item = Option<f64>>, top: f64) -> String {
    values
        .into_iter()
        .map(|value| value.filter(|value| value.is_finite()).map_or(GAP, |value| block(value, top)))
        .collect()
}

fn block(value: f64, top: f64) -> char {
    let share = if top > 0.0 { (value / top).clamp(0.0, 1.0) } else { 0.0 };
    BLOCKS[(share * (BLOCKS.len() - 1) as f64).round() as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_blocks_from_0_to_the_top() {
        let eighths = (0..8).map(|eighth| Some(f64::from(eighth) / 7.0));
        assert_eq!(sparkline(eighths, 1.0), "▁▂▃▄▅▆▇█");
        assert_eq!(sparkline([Some(0.0), Some(5.0), Some(10.0)], 10.0), "▁▅█");
        assert_eq!(sparkline([Some(-1.0), Some(2.0)], 1.0), "▁█");
    }

    #[test]
    fn what_is_missing_is_a_gap_and_never_0() {
        assert_eq!(sparkline([None, Some(0.0), None, Some(f64::NAN), Some(f64::INFINITY)], 1.0), "·▁···");
        assert_eq!(sparkline([], 1.0), "");
        assert_eq!(sparkline([Some(0.0), None], 0.0), "▁·");
        assert_eq!(sparkline([Some(0.0)], f64::NAN), "▁");
    }
}
