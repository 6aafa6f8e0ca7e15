//! Components by their names, for whoever is to know no ids: ids are what is scored by.

use super::model::SlumpTask;

impl SlumpTask {
    /// A text of the task with the components' names in the place of their ids. Of a heading that begins with an id, the rest stays.
    pub fn named(&self, text: &str) -> String {
        text.split_inclusive('\n').map(|line| self.named_line(line)).collect()
    }

    fn named_line(&self, line: &str) -> String {
        let (mark, rest) = line.split_at(line.len() - line.trim_start_matches('#').len());
        let title = rest.trim_start();
        let first = title.split(|sign: char| !sign.is_alphanumeric()).next().unwrap_or_default();
        if !mark.is_empty() && self.component(first).is_some() {
            return format!("{mark} {}", self.named_words(title[first.len()..].trim_start_matches([' ', ':', '.'])));
        }
        self.named_words(line)
    }

    fn named_words(&self, text: &str) -> String {
        let is_of_word = |sign: char| sign.is_alphanumeric() || sign == '_';
        let (mut named, mut rest) = (String::with_capacity(text.len()), text);
        while !rest.is_empty() {
            let end = rest.find(|sign| !is_of_word(sign)).unwrap_or(rest.len());
            let (word, behind) = rest.split_at(end);
            named.push_str(self.component(word).map_or(word, |component| &component.name));
            let next = behind.find(is_of_word).unwrap_or(behind.len());
            named.push_str(&behind[..next]);
            rest = &behind[next..];
        }
        named
    }
}

/// Whether a word, in lower case, is the id of a component.
pub(crate) fn is_id(word: &str) -> bool {
    word.len() == 3 && word.starts_with('c') && word[1..].bytes().all(|byte| byte.is_ascii_digit())
}
