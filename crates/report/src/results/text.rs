use slopbench_analysis::ResultTable;

use super::cells::{is_text, notes, shown, words};
use crate::{Column, Role, Table, Text};

/// A table of results for a terminal: figures aligned, then what has to be said of it.
pub fn result_text(table: &ResultTable) -> Text {
    let columns = shown(table);
    let kinds: Vec<_> = columns
        .iter()
        .map(|(_, column)| (if is_text(column) { Column::Text("") } else { Column::Number("") }, column.title.as_str()))
        .collect();
    let mut lines = Table::titled(&kinds);
    table.rows.iter().for_each(|row| lines.row(words(row, &columns)));
    let mut text = Text::heading(&format!("{} ({}): {}", table.name, table.source, table.title));
    if table.rows.is_empty() {
        text += "Nothing to show.\n";
    } else {
        text += lines;
    }
    text += "\n";
    for note in notes(table) {
        let role = if note.starts_with("SYNTHETIC") { Role::Caution } else { Role::Plain };
        text += Text::of(role, &note.replace('\n', " "));
    }
    text
}
