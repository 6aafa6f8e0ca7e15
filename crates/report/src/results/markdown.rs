use slopbench_analysis::ResultTable;

use super::cells::{is_text, notes, shown, words};
use crate::printable;

/// A table of results in GitHub's Markdown.
pub fn result_markdown(table: &ResultTable) -> String {
    let columns = shown(table);
    let cells = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let titles = cells(columns.iter().map(|(_, column)| escaped(&column.title)).collect());
    let rule = columns.iter().map(|(_, column)| if is_text(column) { "---" } else { "---:" }.to_owned());
    let rows = table.rows.iter().map(|row| cells(words(row, &columns).iter().map(|word| escaped(word)).collect()));
    let notes = notes(table).into_iter().map(|note| format!("- {}\n", escaped(&note)));
    [
        format!("## {}\n\n`{}`, {}.\n\n", escaped(&table.title), table.name, escaped(&table.source)),
        titles,
        cells(rule.collect()),
        rows.collect(),
        "\n".to_owned(),
        notes.collect(),
    ]
    .concat()
}

/// Text as it is: nothing in it is markup, HTML, a link, or the end of a cell.
fn escaped(text: &str) -> String {
    let escape = |character: char| match character {
        '|' | '\\' | '<' | '>' | '*' | '_' | '[' | ']' | '`' | '#' | '~' | '!' | '$' => format!("\\{character}"),
        // A reference such as &lt; would be read as what it stands for, and a name after @ would be told of it.
        '&' => "&amp;".to_owned(),
        '@' => "&#64;".to_owned(),
        other => other.to_string(),
    };
    printable(text).chars().map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_no_markup() {
        assert_eq!(escaped("<b>|*a*_[x](y)`&lt;@all\n"), "\\<b\\>\\|\\*a\\*\\_\\[x\\](y)\\`&amp;lt;&#64;all\\\\n");
    }
}
