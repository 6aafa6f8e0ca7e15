//! What one text has that another has not, line by line: the one diff behind every figure of changed lines.
//!
//! Its cost is bounded by the lines that are compared and not by a clock, so that the same texts have the same diff
//! everywhere. What begins and ends alike costs nothing. What lies between is compared with Myers's algorithm and the
//! shortcuts that `git diff` takes, up to [`MOST_LINES`] lines; if there are more, it counts as rewritten.

use std::{fmt, ops::Range};

use imara_diff::{Algorithm, BasicLineDiffPrinter, Diff, InternedInput, Token, UnifiedDiffConfig, UnifiedDiffPrinter};

/// The most lines, of both texts together, that are compared one by one. Myers's algorithm with its shortcuts takes about
/// n√n steps for n lines: some seconds for so many that are made to be hard.
pub const MOST_LINES: usize = 1 << 16;

/// How many lines changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineCounts {
    /// Lines that only the later version has.
    pub added: u64,
    /// Lines that only the earlier version has.
    pub removed: u64,
}

/// Counts the lines that changed; they are those of `git diff --numstat` where there are few enough. `left` is how many
/// lines may still be compared, over many texts; those that are compared here are taken from it.
pub fn count_changes(before: &[u8], after: &[u8], left: &mut usize) -> LineCounts {
    let ends = Ends::of(before, after);
    let [old, new] = [before, after].map(|text| ends.between(text));
    if !take(old.len() + new.len(), left) {
        return LineCounts { added: new.len() as u64, removed: old.len() as u64 };
    }
    let [old, new] = [before, after].map(|text| ends.text_between(text));
    let diff = diff(&InternedInput::new(old, new));
    LineCounts { added: diff.count_additions().into(), removed: diff.count_removals().into() }
}

/// Takes so many lines from those that may still be compared, unless they are too many.
fn take(lines: usize, left: &mut usize) -> bool {
    let is_small = lines <= MOST_LINES.min(*left);
    *left -= if is_small { lines } else { 0 };
    is_small
}

/// Which lines two versions of a text share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineDiff {
    /// How many they do not share.
    pub counts: LineCounts,
    /// For each line of the later version, from 0, the line of the earlier one that it was.
    earlier: Vec<Option<u32>>,
    /// The other way about.
    later: Vec<Option<u32>>,
}

impl LineDiff {
    /// Compares two versions of a text, which need not be UTF-8.
    pub fn new(before: &[u8], after: &[u8]) -> Self {
        let ends = Ends::of(before, after);
        let (old, new) = (ends.between(before), ends.between(after));
        if old.len() + new.len() > MOST_LINES {
            let kept_before = (0..old.start).chain(old.end..old.end + ends.last);
            let kept_after = (0..new.start).chain(new.end..new.end + ends.last);
            return Self::of_kept(kept_before.zip(kept_after), old.end + ends.last, new.end + ends.last);
        }
        let input = InternedInput::new(before, after);
        let mut diff = diff(&input);
        // Moves hunks to where people would see them; it changes no count.
        diff.postprocess_lines(&input);
        let kept_before = (0..input.before.len()).filter(|&line| !diff.is_removed(line as u32));
        let kept_after = (0..input.after.len()).filter(|&line| !diff.is_added(line as u32));
        Self::of_kept(kept_before.zip(kept_after), input.before.len(), input.after.len())
    }

    /// From pairs of lines, from 0, that are the same.
    fn of_kept(kept: impl Iterator<Item = (usize, usize)>, before: usize, after: usize) -> Self {
        let (mut earlier, mut later) = (vec![None; after], vec![None; before]);
        let mut count = 0;
        for (old, new) in kept {
            earlier[new] = Some(old as u32);
            later[old] = Some(new as u32);
            count += 1;
        }
        let counts = LineCounts { added: (after - count) as u64, removed: (before - count) as u64 };
        Self { counts, earlier, later }
    }

    /// The earlier line, from 1, that this later line was.
    pub fn earlier(&self, line: u32) -> Option<u32> {
        mapped(&self.earlier, line)
    }

    /// The later line, from 1, that this earlier line became.
    pub fn later(&self, line: u32) -> Option<u32> {
        mapped(&self.later, line)
    }
}

/// The hunks of a unified diff, for people; `None` where too many lines changed to be compared.
pub fn unified(before: &str, after: &str, left: &mut usize) -> Option<String> {
    let ends = Ends::of(before.as_bytes(), after.as_bytes());
    let changed = [before, after].map(|text| ends.between(text.as_bytes()).len());
    if !take(changed.iter().sum(), left) {
        return None;
    }
    let input = InternedInput::new(before, after);
    let mut diff = diff(&input);
    diff.postprocess_lines(&input);
    let printer = BasicLineDiffPrinter(&input.interner);
    Some(diff.unified_diff(&printer, UnifiedDiffConfig::default(), &input).to_string())
}

/// Every line of two texts, as in a unified diff without hunks: behind a space what both have, behind `-` what only the
/// earlier has, behind `+` what only the later has. Not bounded: for texts of few lines.
pub fn marked(before: &str, after: &str) -> String {
    let input = InternedInput::new(before, after);
    let mut diff = diff(&input);
    diff.postprocess_lines(&input);
    let printer = WithoutHeaders(BasicLineDiffPrinter(&input.interner));
    let mut config = UnifiedDiffConfig::default();
    config.context_len((input.before.len() + input.after.len()) as u32);
    diff.unified_diff(&printer, config, &input).to_string()
}

/// Prints hunks as they are, and not where they are.
struct WithoutHeaders<'a>(BasicLineDiffPrinter<'a, str>);

impl UnifiedDiffPrinter for WithoutHeaders<'_> {
    fn display_header(&self, _: impl fmt::Write, _: u32, _: u32, _: u32, _: u32) -> fmt::Result {
        Ok(())
    }

    fn display_context_token(&self, f: impl fmt::Write, token: Token) -> fmt::Result {
        self.0.display_context_token(f, token)
    }

    fn display_hunk(&self, f: impl fmt::Write, before: &[Token], after: &[Token]) -> fmt::Result {
        self.0.display_hunk(f, before, after)
    }
}

/// Physical lines: a last line without `\n` is one too.
pub fn count_lines(bytes: &[u8]) -> u64 {
    lines(bytes).count() as u64
}

fn diff<T: std::hash::Hash + Eq>(input: &InternedInput<T>) -> Diff {
    Diff::compute(Algorithm::Myers, input)
}

/// How many lines two texts begin and end with alike; no line counts for both.
struct Ends {
    first: usize,
    last: usize,
    /// The length of these lines in bytes.
    first_bytes: usize,
    last_bytes: usize,
}

impl Ends {
    fn of(before: &[u8], after: &[u8]) -> Self {
        let (first, first_bytes) = alike(lines(before), lines(after));
        let (last, last_bytes) = alike(lines(&before[first_bytes..]).rev(), lines(&after[first_bytes..]).rev());
        Self { first, last, first_bytes, last_bytes }
    }

    /// The lines of one of the texts that lie between.
    fn between(&self, text: &[u8]) -> Range<usize> {
        self.first..lines(text).count() - self.last
    }

    fn text_between<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        &text[self.first_bytes..text.len() - self.last_bytes]
    }
}

/// How many lines come alike, and their bytes.
fn alike<'a>(old: impl Iterator<Item = &'a [u8]>, new: impl Iterator<Item = &'a [u8]>) -> (usize, usize) {
    let same = old.zip(new).take_while(|(old, new)| old == new);
    same.fold((0, 0), |(count, bytes), (line, _)| (count + 1, bytes + line.len()))
}

fn lines(bytes: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> {
    bytes.split_inclusive(|&byte| byte == b'\n')
}

fn mapped(lines: &[Option<u32>], line: u32) -> Option<u32> {
    let from_0 = line.checked_sub(1)? as usize;
    lines.get(from_0).copied().flatten().map(|line| line + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(range: Range<usize>) -> String {
        range.map(|number| format!("{number}\n")).collect()
    }

    fn counts(before: &str, after: &str) -> (u64, u64) {
        let LineCounts { added, removed } = count_changes(before.as_bytes(), after.as_bytes(), &mut { usize::MAX });
        let diff = LineDiff::new(before.as_bytes(), after.as_bytes());
        assert_eq!(diff.counts, LineCounts { added, removed }, "counting and mapping say the same");
        (added, removed)
    }

    #[test]
    fn lines_are_followed_past_what_was_added_and_removed_before_them() {
        let diff = LineDiff::new(b"a\nb\nc\nd\n", b"new\na\nc\nD\n");
        assert_eq!(diff.counts, LineCounts { added: 2, removed: 2 });
        assert_eq!([1, 2, 3, 4, 5].map(|line| diff.earlier(line)), [None, Some(1), Some(3), None, None]);
        assert_eq!([1, 2, 3, 4, 0].map(|line| diff.later(line)), [Some(2), None, Some(3), None, None]);
    }

    #[test]
    fn a_last_line_without_its_end_is_a_line() {
        assert_eq!((count_lines(b"a\nb"), count_lines(b"a\nb\n"), count_lines(b"")), (2, 2, 0));
        assert_eq!(counts("a\nb", "a\nb\n"), (1, 1));
    }

    #[test]
    fn what_repeats_is_not_counted_for_both_ends() {
        assert_eq!(counts("a\na\n", "a\na\na\n"), (1, 0));
        assert_eq!(counts("", "a\n"), (1, 0));
        assert_eq!(counts("a\nb\na\n", "a\n"), (0, 2));
    }

    /// Two texts of so many lines of few kinds took a line diff without a bound longer than anybody waits.
    #[test]
    fn a_text_that_is_rewritten_costs_no_more_than_its_lines() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut text = || (0..150_000).map(|_| format!("{}\n", random.u8(..9))).collect::<String>();
        let (before, after) = (format!("first\n{}last\n", text()), format!("first\n{}last\n", text()));
        // Where the two happen to end alike, some lines less are rewritten.
        let (added, removed) = counts(&before, &after);
        assert!(added == removed && (149_900..=150_000).contains(&added), "{added}, {removed}");
        assert_eq!(unified(&before, &after, &mut { usize::MAX }), None);
        let diff = LineDiff::new(before.as_bytes(), after.as_bytes());
        assert_eq!((diff.earlier(1), diff.later(150_002), diff.later(75_000)), (Some(1), Some(150_002), None));
    }

    #[test]
    fn a_long_text_with_a_small_change_is_compared_line_by_line() {
        let long = numbered(0..300_000);
        let edited = long.replace("\n150000\n", "\nnew\nnewer\n").replace("\n150002\n", "\n");
        assert_eq!(counts(&long, &edited), (2, 2));
        assert!(unified(&long, &edited, &mut { usize::MAX }).is_some_and(|text| text.contains("\n+newer\n")));
    }

    #[test]
    fn every_line_is_marked() {
        let (before, after) = (numbered(0..20), numbered(0..20).replace("\n10\n", "\nten\n").replace("\n19\n", "\n"));
        let expected = numbered(0..20).lines().fold(String::new(), |text, line| match line {
            "10" => text + "-10\n+ten\n",
            "19" => text + "-19\n",
            same => text + " " + same + "\n",
        });
        assert_eq!(marked(&before, &after), expected);
    }

    #[test]
    fn many_texts_share_one_account() {
        let (before, after) = (numbered(0..100), format!("0\n{}new\n99\n", numbered(51..99)));
        let mut left = 150;
        assert_eq!(count_changes(before.as_bytes(), after.as_bytes(), &mut left), LineCounts { added: 1, removed: 50 });
        let taken = 150 - left;
        assert!((99..=149).contains(&taken), "{taken}");
        assert_eq!(count_changes(before.as_bytes(), after.as_bytes(), &mut 0), LineCounts { added: 49, removed: 98 });
    }
}
