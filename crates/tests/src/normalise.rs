use serde::Deserialize;

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
    normalisers.iter().fold(text.to_owned(), |text, normaliser| normaliser.apply(&text))
}

impl Normaliser {
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
    fn the_order_given_is_the_order_applied() {
        assert_eq!(normalise("B\na", &[SortLines, Lowercase]), "b\na");
        assert_eq!(normalise("B\na", &[Lowercase, SortLines]), "a\nb");
    }
}
