use serde::Deserialize;

use crate::{excerpt::excerpt, json::Json, json_pattern::JsonPattern};

/// A named change made to both sides before they are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Normaliser {
    /// CRLF and lone CR become LF.
    Newlines,
    /// White space at both ends of the whole goes.
    Trim,
    /// White space at the end of each line goes.
    TrimLines,
    /// A run of blanks and tabs becomes one blank.
    CollapseSpaces,
    /// Lines of nothing but white space go.
    DropBlankLines,
    /// Lines in the order of their code points.
    SortLines,
    /// Lower case, by Unicode.
    Lowercase,
}

/// Applies `normalisers` in order.
pub(crate) fn normalise(text: &str, normalisers: &[Normaliser]) -> String {
    apply(text, normalisers.iter())
}

/// Applies those that are about characters to a string of a JSON value.
pub(crate) fn normalise_string(string: &str, normalisers: &[Normaliser]) -> String {
    apply(string, normalisers.iter().filter(|normaliser| normaliser.is_about_characters()))
}

/// Reads a JSON value. Those about lines change the text, those about characters the strings in it.
pub(crate) fn read_json(text: &str, normalisers: &[Normaliser]) -> Result<Json, String> {
    Json::parse(&normalise_lines(text, normalisers), &|string| normalise_string(string, normalisers))
}

/// The same for the values of a JSON Lines text; an empty last line is no line.
pub(crate) fn read_json_lines(text: &str, normalisers: &[Normaliser]) -> Result<Vec<Json>, String> {
    let change = |string: &str| normalise_string(string, normalisers);
    let read = |(number, line): (usize, &str)| {
        Json::parse_part(line, text.len(), &change)
            .map_err(|error| format!("line {number}: {error}: {}", excerpt(line)))
    };
    (1..).zip(normalise_lines(text, normalisers).lines()).map(read).collect()
}

/// Reads what a JSON value must be, as [`read_json`] does a value.
pub(crate) fn read_pattern(text: &str, normalisers: &[Normaliser]) -> Result<JsonPattern, String> {
    JsonPattern::parse(&normalise_lines(text, normalisers), &|string| normalise_string(string, normalisers))
}

/// The same for the values of a JSON Lines text.
pub(crate) fn read_pattern_lines(text: &str, normalisers: &[Normaliser]) -> Result<Vec<JsonPattern>, String> {
    let change = |string: &str| normalise_string(string, normalisers);
    let read = |(number, line): (usize, &str)| {
        JsonPattern::parse(line, &change).map_err(|error| format!("line {number}: {error}: {}", excerpt(line)))
    };
    (1..).zip(normalise_lines(text, normalisers).lines()).map(read).collect()
}

/// The records of a CSV text, the header line being one of them.
pub(crate) fn read_csv(text: &str) -> Result<Vec<Vec<String>>, csv::Error> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    reader.records().map(|record| Ok(record?.iter().map(str::to_owned).collect())).collect()
}

fn normalise_lines(text: &str, normalisers: &[Normaliser]) -> String {
    apply(text, normalisers.iter().filter(|normaliser| !normaliser.is_about_characters()))
}

fn apply<'a>(text: &str, normalisers: impl Iterator<Item = &'a Normaliser>) -> String {
    normalisers.fold(text.to_owned(), |text, normaliser| normaliser.apply(&text))
}

impl Normaliser {
    /// Whether it changes characters wherever they stand, not lines or the whole. Of JSON these are the characters that the
    /// strings have, not those that they are written with: `A` may be written `\u0041`.
    fn is_about_characters(self) -> bool {
        matches!(self, Self::CollapseSpaces | Self::Lowercase)
    }

    fn apply(self, text: &str) -> String {
        match self {
            Self::Newlines => text.replace("\r\n", "\n").replace('\r', "\n"),
            Self::Trim => text.trim().to_owned(),
            Self::TrimLines => join_lines(text, text.lines().map(str::trim_end)),
            Self::CollapseSpaces => collapse_spaces(text),
            Self::DropBlankLines => join_lines(text, text.lines().filter(|line| !line.trim().is_empty())),
            Self::SortLines => {
                let mut lines: Vec<_> = text.lines().collect();
                lines.sort_unstable();
                join_lines(text, lines.into_iter())
            }
            Self::Lowercase => text.to_lowercase(),
        }
    }
}

/// Joins lines, ending in a newline where `original` does.
fn join_lines<'a>(original: &str, lines: impl Iterator<Item = &'a str>) -> String {
    let mut joined = lines.collect::<Vec<_>>().join("\n");
    if original.ends_with('\n') && !joined.is_empty() {
        joined.push('\n');
    }
    joined
}

fn collapse_spaces(text: &str) -> String {
    let mut collapsed = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            ' ' | '\t' if collapsed.ends_with(' ') => {}
            ' ' | '\t' => collapsed.push(' '),
            other => collapsed.push(other),
        }
    }
    collapsed
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::{Normaliser::*, *};

    #[test]
    fn each_does_what_its_name_says() {
        for (normaliser, before, after) in [
            (Newlines, "a\r\nb\rc\n", "a\nb\nc\n"),
            (Trim, "\n a \n", "a"),
            (TrimLines, "a \nb\t\n", "a\nb\n"),
            (CollapseSpaces, "a \t b\n  c", "a b\n c"),
            (DropBlankLines, "a\n \n\nb", "a\nb"),
            (SortLines, "b\na\n", "a\nb\n"),
            (Lowercase, "ÀB", "àb"),
        ] {
            assert_eq!(normalise(before, &[normaliser]), after, "{normaliser:?}");
        }
    }

    #[test]
    fn of_json_the_strings_are_changed_and_not_how_they_are_written() {
        let read = |text: &str| read_json(text, &[Lowercase, CollapseSpaces]).map(|value| value.to_string());
        assert_eq!(read(r#"{"\u0041": ["B\u0020\t c", 1E3, "\\N"]}"#).unwrap(), r#"{"a":["b c",1E3,"\\n"]}"#);
        assert!(read(r#"{"A": 1, "a": 1}"#).unwrap_err().starts_with("ambiguous JSON: the key \"a\" stands twice"));
        let lines = read_json_lines("{}\r\n\n\"A\"\n", &[Newlines, DropBlankLines, Lowercase]).unwrap();
        assert_eq!(lines.iter().map(Json::to_string).collect::<Vec<_>>(), ["{}", "\"a\""]);
    }

    #[test]
    fn the_order_given_is_the_order_applied() {
        assert_eq!(normalise("B\na", &[SortLines, Lowercase]), "b\na");
        assert_eq!(normalise("B\na", &[Lowercase, SortLines]), "a\nb");
    }
}
