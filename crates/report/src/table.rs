use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::{Role, Span, printable};

/// A column of a [`Table`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// Names and places, aligned left, and shortened where there is no room.
    Text(&'static str),
    /// Sentences, aligned left; where there is no room, the terminal wraps them. A table has such a column as its last.
    Prose(&'static str),
    /// Figures, aligned right.
    Number(&'static str),
}

/// Spaces between two columns.
const GAP: usize = 2;

/// Names and places are not shortened below this width.
const LEAST: usize = 16;

/// A borderless table, so that its rows can be searched and cut as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    columns: Vec<Column>,
    /// The header is the first.
    rows: Vec<Vec<(Role, String)>>,
}

impl Table {
    /// A table without rows.
    pub fn new(columns: &[Column]) -> Self {
        let header = columns.iter().map(|column| (Role::Title, column.title().to_owned())).collect();
        Self { columns: columns.to_vec(), rows: vec![header] }
    }

    /// The same with titles that are not known before; those of the columns do not count.
    pub fn titled(columns: &[(Column, &str)]) -> Self {
        let header = columns.iter().map(|(_, title)| (Role::Title, printable(title))).collect();
        Self { columns: columns.iter().map(|(column, _)| *column).collect(), rows: vec![header] }
    }

    /// Adds a row, a text per column.
    pub fn row<T: ToString>(&mut self, cells: impl IntoIterator<Item = T>) {
        let cells = cells.into_iter().map(|cell| (Role::Plain, printable(&cell.to_string())));
        self.rows.push(cells.take(self.columns.len()).collect());
    }

    /// Gives the cell of the last row in this column, from 0, a role.
    pub fn mark(&mut self, column: usize, role: Role) {
        let cell = self.rows.last_mut().and_then(|row| row.get_mut(column));
        cell.into_iter().for_each(|cell| cell.0 = role);
    }

    /// The lines, a row each: with names shortened until `width` is kept, or they are as short as they may be.
    pub(crate) fn lines(&self, width: Option<usize>) -> Vec<Vec<Span>> {
        let mut widths: Vec<_> = (0..self.columns.len()).map(|column| self.natural_width(column)).collect();
        let is_wrapped = self.columns.iter().any(|column| matches!(column, Column::Prose(_)));
        if let Some(width) = width.filter(|_| !is_wrapped) {
            self.fit(&mut widths, width);
        }
        self.rows.iter().map(|row| self.line(row, &widths)).collect()
    }

    /// How wide it is with names as short as they may be.
    pub(crate) fn least_width(&self) -> usize {
        let least = |(place, column): (usize, &Column)| match column {
            Column::Text(_) => self.natural_width(place).min(LEAST),
            Column::Prose(_) | Column::Number(_) => self.natural_width(place),
        };
        let gaps = GAP * self.columns.len().saturating_sub(1);
        self.columns.iter().enumerate().map(least).sum::<usize>() + gaps
    }

    fn natural_width(&self, column: usize) -> usize {
        self.rows.iter().filter_map(|row| row.get(column)).map(|(_, text)| text.width()).max().unwrap_or_default()
    }

    /// Takes from the widest column of names until all fit.
    fn fit(&self, widths: &mut [usize], room: usize) {
        let gaps = GAP * self.columns.len().saturating_sub(1);
        while widths.iter().sum::<usize>() + gaps > room {
            let names = widths.iter_mut().zip(&self.columns).filter(|(_, column)| matches!(column, Column::Text(_)));
            match names.map(|(width, _)| width).max().filter(|width| **width > LEAST) {
                Some(widest) => *widest -= 1,
                None => return,
            }
        }
    }

    fn line(&self, row: &[(Role, String)], widths: &[usize]) -> Vec<Span> {
        let mut line = Vec::new();
        // Nothing is written behind the last text of a row.
        let mut pending = 0;
        for (((role, text), width), column) in row.iter().zip(widths).zip(&self.columns) {
            let text = shortened(text, *width);
            let free = width.saturating_sub(text.width());
            let (before, after) = match column {
                Column::Text(_) | Column::Prose(_) => (0, free),
                Column::Number(_) => (free, 0),
            };
            if !text.trim_end().is_empty() {
                line.push(Span::new(Role::Plain, &" ".repeat(pending + before)));
                line.push(Span::new(*role, text.trim_end()));
                pending = text.width() - text.trim_end().width();
            } else {
                pending += before + text.width();
            }
            pending += after + GAP;
        }
        line
    }
}

/// A text of at most this width: where it is cut, it is in the middle, since names differ at their ends.
fn shortened(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let kept = width.saturating_sub(1);
    let first = taken(text.chars(), kept / 2);
    let last: String = taken(text.chars().rev(), kept - kept / 2).chars().rev().collect();
    format!("{first}…{last}")
}

/// As many of the characters as there is room for.
fn taken(characters: impl Iterator<Item = char>, room: usize) -> String {
    let mut used = 0;
    let fits = |character: &char| {
        used += character.width().unwrap_or_default();
        used <= room
    };
    characters.take_while(fits).collect()
}

impl Column {
    fn title(self) -> &'static str {
        match self {
            Self::Text(title) | Self::Prose(title) | Self::Number(title) => title,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Text;

    fn table() -> Table {
        let mut table = Table::new(&[Column::Number("mass"), Column::Text("place"), Column::Text("why")]);
        table.row(["1.5", "a/long/way/to/some/module.py:120", "日本"]);
        table.row(["12.25", "b.py:3", ""]);
        table
    }

    fn shown(width: Option<usize>) -> Vec<String> {
        let lines = table().lines(width).into_iter();
        lines.map(|line| line.iter().map(Span::text).collect::<String>()).collect()
    }

    #[test]
    fn columns_are_aligned_and_nothing_is_behind_the_last_text() {
        let expected = [
            " mass  place                             why",
            "  1.5  a/long/way/to/some/module.py:120  日本",
            "12.25  b.py:3",
        ];
        assert_eq!(shown(None), expected);
        assert_eq!(Text::from(table()).to_string(), expected.join("\n") + "\n");
        assert_eq!(shown(Some(200)), expected);
    }

    #[test]
    fn names_are_shortened_in_the_middle_and_figures_never() {
        assert_eq!(
            shown(Some(40)),
            [" mass  place                        why", "  1.5  a/long/way/to…module.py:120  日本", "12.25  b.py:3",]
        );
        assert_eq!(shown(Some(1))[1], "  1.5  a/long/…e.py:120  日本");
        assert_eq!(shortened("日本語日本語", 6), "日…語");
        let mut prose = Table::new(&[Column::Text("rule"), Column::Prose("what it says")]);
        prose.row(["a-rule-of-a-long-name", "A sentence that is read to its end."]);
        assert_eq!(prose.lines(Some(30)), prose.lines(None));
    }
}
