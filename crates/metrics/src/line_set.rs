//! Sets of line numbers.

use std::ops::RangeInclusive;

const BITS: usize = u64::BITS as usize;

/// A set of physical line numbers of one file, counted from 1.
#[derive(Debug, Clone, Default)]
pub struct LineSet {
    // Bit `line % 64` of word `line / 64`; bit 0 of word 0 stays unused.
    words: Vec<u64>,
}

impl LineSet {
    /// Adds one line.
    pub fn insert(&mut self, line: u32) {
        let line = line as usize;
        *self.word_mut(line / BITS) |= 1 << (line % BITS);
    }

    /// Adds every line of a span.
    pub fn insert_span(&mut self, lines: RangeInclusive<u32>) {
        lines.for_each(|line| self.insert(line));
    }

    /// Takes every line of a span out.
    pub fn remove_span(&mut self, lines: RangeInclusive<u32>) {
        for line in lines.map(|line| line as usize) {
            if let Some(word) = self.words.get_mut(line / BITS) {
                *word &= !(1 << (line % BITS));
            }
        }
    }

    /// Whether the line is in the set.
    pub fn contains(&self, line: u32) -> bool {
        let line = line as usize;
        self.words.get(line / BITS).is_some_and(|word| word & (1 << (line % BITS)) != 0)
    }

    /// How many lines the set holds.
    pub fn len(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Whether the set holds no line.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// The lines in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0..(self.words.len() * BITS) as u32).filter(|&line| self.contains(line))
    }

    /// The lines of either set.
    pub fn union(&self, other: &LineSet) -> LineSet {
        let (long, short) = if self.words.len() < other.words.len() { (other, self) } else { (self, other) };
        let mut words = long.words.clone();
        words.iter_mut().zip(&short.words).for_each(|(word, other)| *word |= other);
        LineSet { words }
    }

    /// How many lines are in both sets.
    pub fn common(&self, other: &LineSet) -> u64 {
        self.words.iter().zip(&other.words).map(|(a, b)| u64::from((a & b).count_ones())).sum()
    }

    fn word_mut(&mut self, index: usize) -> &mut u64 {
        if self.words.len() <= index {
            self.words.resize(index + 1, 0);
        }
        &mut self.words[index] // The line above made it long enough.
    }
}

/// Equal when they hold the same lines, however much room they keep.
impl PartialEq for LineSet {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for LineSet {}

impl FromIterator<u32> for LineSet {
    fn from_iter<T: IntoIterator<Item = u32>>(lines: T) -> Self {
        let mut set = LineSet::default();
        lines.into_iter().for_each(|line| set.insert(line));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_may_touch_and_cross_words() {
        let mut set = LineSet::default();
        set.insert_span(60..=70);
        set.insert_span(70..=71);
        set.remove_span(64..=65);
        assert_eq!(set.iter().collect::<Vec<_>>(), [60, 61, 62, 63, 66, 67, 68, 69, 70, 71]);
        assert_eq!(set.len(), 10);
        assert!(!set.contains(1_000_000));
    }

    #[test]
    fn sets_of_different_length_join_and_meet() {
        let few = LineSet::from_iter([1, 2, 3]);
        let far = LineSet::from_iter([3, 500]);
        assert_eq!(few.union(&far), LineSet::from_iter([1, 2, 3, 500]));
        assert_eq!(few.union(&far), far.union(&few));
        assert_eq!(few.common(&far), 1);
    }
}
