use comfy_table::{Cell, CellAlignment, ContentArrangement, presets};

use crate::printable;

/// A column of a [`Table`].
#[derive(Clone, Copy, Debug)]
pub enum Column {
    /// Words, aligned left.
    Text(&'static str),
    /// Figures, aligned right.
    Number(&'static str),
}

/// A borderless table, so that its rows can be searched and cut as text.
pub struct Table {
    columns: Vec<Column>,
    table: comfy_table::Table,
}

impl Table {
    /// A table without rows.
    pub fn new(columns: &[Column]) -> Self {
        let mut table = comfy_table::Table::new();
        // Never wrapped to the terminal: a row is a line wherever it is read.
        table.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        let mut this = Self { columns: columns.to_vec(), table };
        let header = this.cells(columns.iter().map(|column| column.title().to_owned()));
        this.table.set_header(header);
        for column in this.table.column_iter_mut() {
            column.set_padding((0, 2));
        }
        this
    }

    /// Adds a row, a text a column.
    pub fn row<T: ToString>(&mut self, cells: impl IntoIterator<Item = T>) {
        let row = self.cells(cells.into_iter().map(|cell| printable(&cell.to_string())));
        self.table.add_row(row);
    }

    fn cells(&self, texts: impl IntoIterator<Item = String>) -> Vec<Cell> {
        let align = |column: &Column| match column {
            Column::Text(_) => CellAlignment::Left,
            Column::Number(_) => CellAlignment::Right,
        };
        let cells = self.columns.iter().zip(texts);
        cells.map(|(column, text)| Cell::new(text).set_alignment(align(column))).collect()
    }
}

impl Column {
    fn title(self) -> &'static str {
        match self {
            Self::Text(title) | Self::Number(title) => title,
        }
    }
}

impl std::fmt::Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for line in self.table.lines() {
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}
