//! Which lines of a file are still there in a later version of it.

use imara_diff::{Algorithm, Diff, InternedInput};

/// A line diff: Myers's algorithm with the shortcuts that `git diff` takes, so that its counts are those of
/// `git diff --numstat`.
pub(crate) struct LineDiff {
    pub(crate) added: u64,
    pub(crate) removed: u64,
    /// For each line of the later version, from 0, the line of the earlier one that it was.
    earlier: Vec<Option<u32>>,
    /// The other way about.
    later: Vec<Option<u32>>,
}

impl LineDiff {
    pub(crate) fn new(before: &[u8], after: &[u8]) -> Self {
        let input = InternedInput::new(before, after);
        let mut diff = Diff::compute(Algorithm::Myers, &input);
        // Moves hunks to where people would see them; it changes no count.
        diff.postprocess_lines(&input);
        let (mut earlier, mut later) = (vec![None; input.after.len()], vec![None; input.before.len()]);
        let kept_before = (0..input.before.len()).filter(|&line| !diff.is_removed(line as u32));
        let kept_after = (0..input.after.len()).filter(|&line| !diff.is_added(line as u32));
        for (before, after) in kept_before.zip(kept_after) {
            earlier[after] = Some(before as u32);
            later[before] = Some(after as u32);
        }
        LineDiff { added: u64::from(diff.count_additions()), removed: u64::from(diff.count_removals()), earlier, later }
    }

    /// The earlier line, from 1, that this later line was.
    pub(crate) fn earlier(&self, line: u32) -> Option<u32> {
        mapped(&self.earlier, line)
    }

    /// The later line, from 1, that this earlier line became.
    pub(crate) fn later(&self, line: u32) -> Option<u32> {
        mapped(&self.later, line)
    }
}

fn mapped(lines: &[Option<u32>], line: u32) -> Option<u32> {
    let from_0 = line.checked_sub(1)? as usize;
    lines.get(from_0).copied().flatten().map(|line| line + 1)
}

/// Physical lines: a last line without `\n` is one too.
pub(crate) fn count(bytes: &[u8]) -> u64 {
    bytes.split_inclusive(|&byte| byte == b'\n').count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_followed_past_what_was_added_and_removed_before_them() {
        let diff = LineDiff::new(b"a\nb\nc\nd\n", b"new\na\nc\nD\n");
        assert_eq!((diff.added, diff.removed), (2, 2));
        assert_eq!([1, 2, 3, 4, 5].map(|line| diff.earlier(line)), [None, Some(1), Some(3), None, None]);
        assert_eq!([1, 2, 3, 4, 0].map(|line| diff.later(line)), [Some(2), None, Some(3), None, None]);
    }

    #[test]
    fn a_last_line_without_its_end_is_a_line() {
        assert_eq!((count(b"a\nb"), count(b"a\nb\n"), count(b"")), (2, 2, 0));
        let diff = LineDiff::new(b"a\nb", b"a\nb\n");
        assert_eq!((diff.added, diff.removed), (1, 1));
    }
}
