//! Where in a file the words are that rules need.

use std::collections::HashMap;
use std::ops::Range;

/// The number of a word in its vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WordId(usize);

/// The words that some rules need.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    ids: HashMap<String, WordId>,
}

impl Vocabulary {
    /// The number of the word; a new one if it is new.
    pub(super) fn add(&mut self, word: &str) -> WordId {
        let next = WordId(self.ids.len());
        *self.ids.entry(word.to_owned()).or_insert(next)
    }

    #[cfg(test)]
    pub(super) fn word(&self, id: WordId) -> &str {
        self.ids.iter().find(|&(_, &of)| of == id).map_or("?", |(word, _)| word)
    }
}

/// The words of a text: letters, digits, underscores and whatever is not ASCII.
pub(super) fn words(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = bytes.get(at..)?;
        let start = at + rest.iter().position(|&byte| is_word(byte))?;
        let length = bytes.get(start..)?.iter().position(|&byte| !is_word(byte));
        at = length.map_or(bytes.len(), |length| start + length);
        Some(start..at)
    })
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

/// Whether a word may be a number and the next token in one, such as `1if`.
fn is_glued(word: &str) -> bool {
    let in_numbers = |byte: u8| byte.is_ascii_hexdigit() || b"_xXoOjJ".contains(&byte);
    word.starts_with(|first: char| first.is_ascii_digit()) && !word.bytes().all(in_numbers)
}

/// The places of a vocabulary's words in one file, behind a position that moves forward.
pub(super) struct Occurrences {
    /// For each word where it starts, in ascending order. `None` if words do not tell the file's tokens apart.
    starts: Option<Vec<Vec<usize>>>,
    /// For each word how many of its places lie before the position.
    passed: Vec<usize>,
    position: usize,
}

impl Occurrences {
    pub(super) fn new(vocabulary: &Vocabulary, text: &str) -> Self {
        let mut starts = vec![Vec::new(); vocabulary.ids.len()];
        let mut glued = false;
        for range in words(text) {
            let Some(word) = text.get(range.clone()) else {
                continue;
            };
            glued |= is_glued(word);
            if let Some(places) = vocabulary.ids.get(word).and_then(|id| starts.get_mut(id.0)) {
                places.push(range.start);
            }
        }
        Occurrences { starts: (!glued).then_some(starts), passed: vec![0; vocabulary.ids.len()], position: 0 }
    }
}

impl Occurrences {
    /// Goes on to a place that is not before the last one.
    pub(super) fn move_to(&mut self, position: usize) {
        self.position = position;
    }

    /// Whether the word is between the position and `end`; `true` if that cannot be told.
    pub(super) fn has_before(&mut self, word: WordId, end: usize) -> bool {
        let Some(starts) = &self.starts else {
            return true;
        };
        let (Some(places), Some(passed)) = (starts.get(word.0), self.passed.get_mut(word.0)) else {
            return true;
        };
        while places.get(*passed).is_some_and(|&place| place < self.position) {
            *passed += 1;
        }
        places.get(*passed).is_some_and(|&place| place < end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whole_and_from_the_position_on() {
        let mut vocabulary = Vocabulary::default();
        let (get, json) = (vocabulary.add("get"), vocabulary.add("json"));
        let text = "get(getter, json_get)\nx.get";
        let mut occurrences = Occurrences::new(&vocabulary, text);
        assert!(occurrences.has_before(get, 1));
        occurrences.move_to(1);
        assert!(!occurrences.has_before(get, 20));
        assert!(occurrences.has_before(get, text.len()));
        assert!(!occurrences.has_before(json, text.len()));
    }

    /// Python takes `1if x else 2`; the word `if` is not to be seen there.
    #[test]
    fn a_file_with_glued_tokens_may_contain_every_word() {
        let mut vocabulary = Vocabulary::default();
        let word = vocabulary.add("if");
        assert!(Occurrences::new(&vocabulary, "1if x else 2").has_before(word, 12));
        assert!(!Occurrences::new(&vocabulary, "0x1F + 1_000 + 1e5j").has_before(word, 12));
    }
}
