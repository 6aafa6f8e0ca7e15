//! SVG as text: coordinates with one decimal, foreign text without power.

use std::fmt::{Arguments, Display, Formatter, Result, Write as _};

/// A coordinate or a length.
#[derive(Clone, Copy)]
pub(super) struct Px(pub(super) f64);

impl Display for Px {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        // A whole number of tenths has no -0, and no digits behind it.
        let tenths = (self.0 * 10.0).round() as i64;
        let sign = if tenths < 0 { "-" } else { "" };
        match (tenths.abs() / 10, tenths.abs() % 10) {
            (whole, 0) => write!(formatter, "{sign}{whole}"),
            (whole, tenth) => write!(formatter, "{sign}{whole}.{tenth}"),
        }
    }
}

/// Foreign text in XML: markup is escaped, and what XML forbids or what turns the direction of text is replaced.
pub(super) struct Escaped<'t>(pub(super) &'t str);

impl Display for Escaped<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        self.0.chars().try_for_each(|character| match character {
            '&' => formatter.write_str("&amp;"),
            '<' => formatter.write_str("&lt;"),
            '>' => formatter.write_str("&gt;"),
            '"' => formatter.write_str("&quot;"),
            '\'' => formatter.write_str("&#39;"),
            '\n' | '\t' => formatter.write_char(' '),
            character if is_replaced(character) => formatter.write_char('\u{fffd}'),
            character => formatter.write_char(character),
        })
    }
}

fn is_replaced(character: char) -> bool {
    let turns =
        matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || character.is_control() || matches!(character, '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// Where a text stands beside its place.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a text looks.
#[derive(Clone, Copy)]
pub(super) struct Font {
    pub(super) size: f64,
    pub(super) bold: bool,
    /// Whether it stands back.
    pub(super) muted: bool,
}

impl Font {
    pub(super) const TITLE: Self = Self { size: 16.0, bold: true, muted: false };
    pub(super) const HEAD: Self = Self { size: 13.5, bold: true, muted: false };
    pub(super) const TEXT: Self = Self { size: 12.5, bold: false, muted: false };
    pub(super) const SMALL: Self = Self { size: 12.0, bold: false, muted: true };

    /// What its lines take.
    pub(super) fn height(self) -> f64 {
        self.size + 4.0
    }

    /// The width to lay text out in, where bold needs more.
    pub(super) fn measured(self) -> f64 {
        if self.bold { self.size * 1.12 } else { self.size }
    }
}

/// What is drawn so far.
#[derive(Default)]
pub(super) struct Canvas {
    pub(super) svg: String,
}

impl Canvas {
    /// A line of SVG.
    pub(super) fn put(&mut self, line: Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.svg.write_fmt(line);
        self.svg.push('\n');
    }

    /// A line of text whose foot is at `y`.
    pub(super) fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, font: Font, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let (class, fill) = if font.muted { ("plot-muted", "#555555") } else { ("plot-ink", "#222222") };
        let weight = if font.bold { " font-weight=\"bold\"" } else { "" };
        self.put(format_args!(
            "<text class=\"{class}\" x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{fill}\"{weight}{anchor}>{}</text>",
            Px(x),
            Px(y),
            Px(font.size),
            Escaped(text)
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_have_one_decimal_and_no_negative_zero() {
        let rows =
            [(0.0, "0"), (-0.04, "0"), (1.25, "1.3"), (-3.0, "-3"), (-0.36, "-0.4"), (99.95, "100"), (12.5, "12.5")];
        for (value, expected) in rows {
            assert_eq!(Px(value).to_string(), expected);
        }
    }

    #[test]
    fn foreign_text_is_no_markup() {
        let foreign = "a<b>&\"'\u{1b}\u{0}\u{202e}\n\u{ffff}é";
        let escaped = "a&lt;b&gt;&amp;&quot;&#39;\u{fffd}\u{fffd}\u{fffd} \u{fffd}é";
        assert_eq!(Escaped(foreign).to_string(), escaped);
    }
}
