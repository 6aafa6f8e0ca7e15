use std::fmt;
use std::ops::AddAssign;

use crate::{Table, printable_lines};

/// What a part of a text is. Whoever shows it decides what that looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// Nothing in particular.
    #[default]
    Plain,
    /// What the following is about: a heading, the header of a table.
    Title,
    /// As it should be.
    Good,
    /// Not as it should be.
    Bad,
    /// To be looked at.
    Caution,
    /// A line that a diff adds.
    Added,
    /// A line that a diff removes.
    Removed,
    /// Where in a file a diff is.
    Hunk,
}

/// A part of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    role: Role,
    text: String,
}

impl Span {
    /// A part without line breaks. What a terminal would obey in `text` is shown instead, as by [`printable_lines`].
    pub(crate) fn new(role: Role, text: &str) -> Self {
        Self { role, text: printable_lines(text) }
    }

    /// What it is.
    pub fn role(&self) -> Role {
        self.role
    }

    /// What it says, fit for a terminal.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Lines and tables for people. Whatever they are made of, nothing in them is obeyed by a terminal: foreign text cannot
/// take a role, only [`Span`]s have one.
#[derive(Clone, Debug, Default)]
pub struct Text {
    blocks: Vec<TextBlock>,
}

#[derive(Clone, Debug)]
enum TextBlock {
    Line(Span),
    Table(Table),
    /// Tables of the same, each less wide than the one before, and what is said below them.
    Fitting(Vec<(Table, Text)>),
    Drawing(Text),
}

impl Text {
    /// Whole lines of one role.
    pub fn of(role: Role, lines: &str) -> Self {
        // The last line may lack its break; the empty text has no line.
        let lines = lines.strip_suffix('\n').or_else(|| Some(lines).filter(|lines| !lines.is_empty()));
        Self { blocks: lines.iter().flat_map(|lines| lines.split('\n')).map(|line| line_of(role, line)).collect() }
    }

    /// An empty line, a heading, and another empty line.
    pub fn heading(title: &str) -> Self {
        let mut text = Self::from("\n");
        text += Self::of(Role::Title, title);
        text += "\n";
        text
    }

    /// A unified diff, each line behind `indent`.
    pub fn diff(diff: &str, indent: &str) -> Self {
        let line = |line: &str| line_of(diff_role(line), &format!("{indent}{line}"));
        Self { blocks: diff.lines().map(line).collect() }
    }

    /// The first of these tables that is not wider than the window, or else the last, and what is to be said below it; elsewhere the
    /// first.
    pub(crate) fn fitting(choices: impl IntoIterator<Item = (Table, Self)>) -> Self {
        let mut choices: Vec<_> = choices.into_iter().collect();
        // What leaves nothing out has nothing to say of that.
        choices.dedup_by(|next, one| next.0 == one.0);
        Self { blocks: vec![TextBlock::Fitting(choices)] }
    }

    /// What is for the eye alone: left out where there is no window.
    pub(crate) fn drawing(text: Self) -> Self {
        Self { blocks: vec![TextBlock::Drawing(text)] }
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The lines. In a window, `width` columns wide, tables are fitted into it as far as their words can be shortened, and what is drawn is
    /// shown.
    pub fn lines(&self, width: Option<usize>) -> Vec<Vec<Span>> {
        let lines = |block: &TextBlock| match block {
            TextBlock::Line(span) => vec![vec![span.clone()]],
            TextBlock::Table(table) => table.lines(width),
            TextBlock::Fitting(choices) => fitted(choices, width),
            TextBlock::Drawing(text) => width.map_or_else(Vec::new, |_| text.lines(width)),
        };
        self.blocks.iter().flat_map(lines).collect()
    }
}

fn fitted(choices: &[(Table, Text)], width: Option<usize>) -> Vec<Vec<Span>> {
    let has_room = |table: &Table| width.is_none_or(|width| table.least_width() <= width);
    let chosen = choices.iter().find(|(table, _)| has_room(table)).or(choices.last());
    chosen.map_or_else(Vec::new, |(table, said)| [table.lines(width), said.lines(width)].concat())
}

fn line_of(role: Role, line: &str) -> TextBlock {
    TextBlock::Line(Span::new(role, line))
}

fn diff_role(line: &str) -> Role {
    let prefixes = [
        ("+++", Role::Title),
        ("---", Role::Title),
        ("diff ", Role::Title),
        ("@@", Role::Hunk),
        ("+", Role::Added),
        ("-", Role::Removed),
    ];
    prefixes.into_iter().find(|(prefix, _)| line.starts_with(prefix)).map_or(Role::Plain, |(_, role)| role)
}

impl From<&str> for Text {
    fn from(lines: &str) -> Self {
        Self::of(Role::Plain, lines)
    }
}

impl From<&String> for Text {
    fn from(lines: &String) -> Self {
        Self::from(lines.as_str())
    }
}

impl From<String> for Text {
    fn from(lines: String) -> Self {
        Self::from(lines.as_str())
    }
}

impl From<Table> for Text {
    fn from(table: Table) -> Self {
        Self { blocks: vec![TextBlock::Table(table)] }
    }
}

impl From<&Self> for Text {
    fn from(text: &Self) -> Self {
        text.clone()
    }
}

impl<T: Into<Self>> AddAssign<T> for Text {
    fn add_assign(&mut self, more: T) {
        self.blocks.extend(more.into().blocks);
    }
}

impl<T: Into<Self>> Extend<T> for Text {
    fn extend<I: IntoIterator<Item = T>>(&mut self, more: I) {
        more.into_iter().for_each(|more| *self += more);
    }
}

impl<T: Into<Self>> FromIterator<T> for Text {
    fn from_iter<I: IntoIterator<Item = T>>(parts: I) -> Self {
        let mut text = Self::default();
        text.extend(parts);
        text
    }
}

/// Without roles, as wide as it is.
impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines(None).iter().try_for_each(|line| {
            line.iter().try_for_each(|span| f.write_str(&span.text))?;
            f.write_str("\n")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_as_they_are() {
        for text in ["", "\n", "a\n", "a\n\nb\n\n", "\n\n"] {
            assert_eq!(Text::from(text).to_string(), text);
        }
        assert_eq!(Text::from("no break").to_string(), "no break\n");
    }

    #[test]
    fn no_part_holds_what_a_terminal_would_obey() {
        let foreign = "a\u{1b}[31mb\r\n+c\u{9b}2J\n";
        let mut text = Text::diff(foreign, "  ");
        text += Text::of(Role::Bad, foreign);
        text += foreign;
        let mut table = Table::new(&[crate::Column::Text("name")]);
        table.row([foreign]);
        text += table;
        for span in text.lines(Some(8)).into_iter().flatten() {
            assert!(!span.text().contains(char::is_control), "{span:?}");
        }
    }

    #[test]
    fn a_window_has_what_it_has_room_for_and_drawings() {
        let table = |cell: &str| {
            let mut table = Table::new(&[crate::Column::Text("who"), crate::Column::Number("figure")]);
            table.row(["someone with a long name", cell]);
            table
        };
        let mut text = Text::fitting([
            (table("0.500 ± 0.100"), Text::default()),
            (table("0.500"), Text::from("left out")),
            (table("0.500"), Text::from("is the same")),
        ]);
        text += Text::drawing(Text::from("▁█"));
        let shown = |width| {
            let lines = text.lines(width).into_iter();
            lines.map(|line| line.iter().map(Span::text).collect()).collect::<Vec<String>>()
        };
        let wide = ["who                              figure", "someone with a long name  0.500 ± 0.100"];
        assert_eq!(shown(None), wide);
        assert_eq!(shown(Some(31)), ["who                      figure", "someone…ong name  0.500 ± 0.100", "▁█"]);
        let narrow = ["who               figure", "someone…ong name   0.500", "left out", "▁█"];
        assert_eq!(shown(Some(24)), narrow);
        assert_eq!(shown(Some(30))[2..], narrow[2..]);
        assert_eq!(text.to_string(), shown(None).join("\n") + "\n");
    }

    #[test]
    fn lines_of_a_diff_have_roles() {
        let text = Text::diff("--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new\n same\n", "");
        let roles: Vec<_> = text.lines(None).into_iter().flatten().map(|span| span.role()).collect();
        assert_eq!(roles, [Role::Title, Role::Title, Role::Hunk, Role::Removed, Role::Added, Role::Plain]);
    }
}
