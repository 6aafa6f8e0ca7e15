use slopbench_analysis::ResultTable;

use super::{
    cells::{Detail, aligned, is_text, notes, shown},
    progress::progress,
};
use crate::{Column, Role, Table, Text};

/// How much is shown beside figures, the first that the window has room for, and what is said of the rest.
const FORMS: [(Detail, &str); 3] = [
    (Detail::Whole, ""),
    (Detail::Counts, "Spreads and intervals are left out for want of room"),
    (Detail::Bare, "Denominators, spreads and intervals are left out for want of room"),
];

/// A table of results for a terminal: figures aligned, over progress as sparklines, too; then what has to be said of it.
pub fn result_text(table: &ResultTable) -> Text {
    let mut text = Text::heading(&format!("{} ({}): {}", table.name, table.source, table.title));
    if table.rows.is_empty() {
        text += "Nothing to show.\n";
    } else {
        text += fitting(table);
    }
    text += Text::drawing(progress(table));
    text += "\n";
    for note in notes(table) {
        let role = if note.starts_with("SYNTHETIC") { Role::Caution } else { Role::Plain };
        text += Text::of(role, &note.replace('\n', " "));
    }
    text
}

fn fitting(table: &ResultTable) -> Text {
    let columns = shown(table);
    let kinds: Vec<_> = columns
        .iter()
        .map(|(_, column)| (if is_text(column) { Column::Text("") } else { Column::Number("") }, column.title.as_str()))
        .collect();
    let form = |(detail, left_out): (Detail, &str)| {
        let mut lines = Table::titled(&kinds);
        aligned(table, &columns, detail).into_iter().for_each(|row| lines.row(row));
        let said = if left_out.is_empty() {
            String::new()
        } else {
            format!("\n{left_out}: a wider window has them, and so has a pipe.\n")
        };
        (lines, Text::of(Role::Caution, &said))
    };
    Text::fitting(FORMS.map(form))
}
