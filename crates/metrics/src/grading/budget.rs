//! How much one solution may cost to measure, counted in the text itself: the same on every machine.
//!
//! Memory and time of the analyzer grow with the number of tokens, up to 1,200 bytes each where every one is in several
//! findings, so these are bounded before anything is parsed: at some 15,000 lines of code per file and 30,000 in all. What a
//! parser guesses at is bounded in [`crate::parse`]; a thread is left behind then, so only so many files may have that.

use crate::refusal::{Refusal, RefusalReason};

/// The most bytes of one file that are looked at.
pub(super) const FILE_BYTES: u64 = 1 << 20;

/// The most words of one file.
const FILE_WORDS: u64 = 150_000;

/// The most words of all files.
const WORDS: u64 = 300_000;

/// What a file costs in words, even if it is empty.
const FILE_COST: u64 = 50;

/// Each time as many bytes of its path make a file's words cost as much again.
const LONG_PATH: u64 = 128;

/// After as many files whose parsing had to be stopped, no other is parsed.
const STOPPED: u32 = 3;

/// What is left.
pub(super) struct MeasuringBudget {
    words: u64,
    stopped: u32,
}

impl Default for MeasuringBudget {
    fn default() -> Self {
        Self { words: WORDS, stopped: 0 }
    }
}

impl MeasuringBudget {
    /// Pays for the measurement of a text, whose path is in everything that is found.
    pub(super) fn take(&mut self, path: &str, text: &str) -> Result<(), Refusal> {
        let needed = words(text);
        if needed > FILE_WORDS {
            let detail = format!("{needed} words and signs, more than the {FILE_WORDS} that are measured of one file");
            return Err(Refusal::new(RefusalReason::TooLarge, detail));
        }
        let over = |detail| Refusal::new(RefusalReason::OverBudget, detail);
        if self.stopped >= STOPPED {
            return Err(over(format!("parsing was stopped in {STOPPED} files before it")));
        }
        let left = self.words.checked_sub((FILE_COST + needed) * (1 + path.len() as u64 / LONG_PATH));
        self.words =
            left.ok_or_else(|| over(format!("beyond the {WORDS} words and signs that are measured of one solution")))?;
        Ok(())
    }

    /// Notes why a text that was paid for could not be measured.
    pub(super) fn note(&mut self, refusal: &Refusal) {
        self.stopped += u32::from(refusal.reason == RefusalReason::TooSlow);
    }
}

/// Names, numbers and signs: no fewer than a text has tokens, whatever the language.
fn words(text: &str) -> u64 {
    let is_of_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii();
    let mut words = 0;
    let mut in_word = false;
    for byte in text.bytes() {
        let was_in_word = std::mem::replace(&mut in_word, is_of_word(byte));
        let starts = if in_word { !was_in_word } else { !matches!(byte, b' ' | b'\t') };
        words += u64::from(starts);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_numbers_signs_and_line_ends_are_words() {
        assert_eq!(words("x=0\n"), 4);
        assert_eq!(words("  naïve_1 += 0x1f\t\n"), 5);
    }

    #[test]
    fn what_is_left_is_for_all_files() {
        let mut budget = MeasuringBudget::default();
        let large = "x=0\n".repeat(FILE_WORDS as usize / 4);
        assert_eq!(
            budget.take("a", &format!("{large}x")).map_err(|refusal| refusal.reason),
            Err(RefusalReason::TooLarge)
        );
        assert_eq!(budget.take("a", &large), Ok(()));
        assert_eq!(
            budget.take("b", &"x=0\n".repeat((WORDS - FILE_WORDS) as usize / 4 - 2 * FILE_COST as usize)),
            Ok(())
        );
        let long_path = "c/".repeat(LONG_PATH as usize * FILE_COST as usize);
        assert_eq!(budget.take(&long_path, "x").map_err(|refusal| refusal.reason), Err(RefusalReason::OverBudget));
        for _ in 0..WORDS / FILE_COST {
            let _ = budget.take("d", "");
        }
        assert_eq!(budget.take("d", "").map_err(|refusal| refusal.reason), Err(RefusalReason::OverBudget));
    }

    #[test]
    fn parsing_is_stopped_in_a_few_files_only() {
        let mut budget = MeasuringBudget::default();
        for _ in 0..STOPPED {
            assert_eq!(budget.take("a", "x"), Ok(()));
            budget.note(&Refusal::new(RefusalReason::TooSlow, ""));
        }
        assert_eq!(budget.take("a", "x").map_err(|refusal| refusal.reason), Err(RefusalReason::OverBudget));
    }
}
