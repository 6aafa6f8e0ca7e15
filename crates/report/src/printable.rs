//! Foreign text, fit for a terminal.

use std::fmt::Write as _;

/// Characters that no terminal shows and that change how it shows others: marks and overrides of direction ("Trojan
/// Source"), invisible ones, separators, tags. Joiners are left alone: they are part of words and of emoji.
const UNSEEN: [std::ops::RangeInclusive<char>; 9] = [
    '\u{61c}'..='\u{61c}',
    '\u{180e}'..='\u{180e}',
    '\u{200b}'..='\u{200b}',
    '\u{200e}'..='\u{200f}',
    '\u{2028}'..='\u{202e}',
    '\u{2060}'..='\u{206f}',
    '\u{feff}'..='\u{feff}',
    '\u{fff9}'..='\u{fffb}',
    '\u{e0000}'..='\u{e007f}',
];

/// A line of foreign text: what a terminal would obey is shown instead, as `\u{202e}`.
pub fn printable(text: &str) -> String {
    escaped(text, |_| false, |character| character.escape_default().to_string())
}

/// The same for a text of several lines, which may hold tabs.
pub fn printable_lines(text: &str) -> String {
    escaped(text, |character| matches!(character, '\n' | '\t'), |character| character.escape_default().to_string())
}

/// JSON that means the same, in which strings hold their foreign characters by number.
pub fn printable_json(json: &str) -> String {
    let by_number = |character: char| {
        let units = character.encode_utf16(&mut [0; 2]).to_vec();
        units.iter().fold(String::new(), |mut text, unit| {
            // Writing to a string does not fail.
            let _ = write!(text, "\\u{unit:04x}");
            text
        })
    };
    escaped(json, |character| character == '\n', by_number)
}

fn escaped(text: &str, keep: impl Fn(char) -> bool, escape: impl Fn(char) -> String) -> String {
    let is_unsafe = |character: char| character.is_control() || UNSEEN.iter().any(|range| range.contains(&character));
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match is_unsafe(character) && !keep(character) {
            true => shown.push_str(&escape(character)),
            false => shown.push(character),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_shown() {
        let foreign = "a\u{202e}b\u{1b}[2J\u{2066}c\u{200f}\u{feff}\r\n\té\u{200d}\u{9b}";
        assert_eq!(printable(foreign), "a\\u{202e}b\\u{1b}[2J\\u{2066}c\\u{200f}\\u{feff}\\r\\n\\té\u{200d}\\u{9b}");
        assert_eq!(printable_lines("a\n\tb\u{202e}\r"), "a\n\tb\\u{202e}\\r");
        // What is shown is shown the same again.
        assert_eq!(printable(&printable(foreign)), printable(foreign));
    }

    #[test]
    fn json_still_means_the_same() {
        let value = serde_json::json!({ "a\u{202e}": ["\u{e0041}é", "\u{1b}"] });
        let shown = printable_json(&serde_json::to_string_pretty(&value).unwrap());
        assert!(shown.contains("a\\u202e") && shown.contains("\\udb40\\udc41é"), "{shown}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
    }
}
