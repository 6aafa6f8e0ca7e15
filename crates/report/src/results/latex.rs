use slopbench_analysis::ResultTable;

use super::cells::{is_text, notes, shown, words};
use crate::printable;

/// A table of results in LaTeX, with the rules of the package `booktabs`.
pub fn result_latex(table: &ResultTable) -> String {
    let columns = shown(table);
    let alignment: String = columns.iter().map(|(_, column)| if is_text(column) { 'l' } else { 'r' }).collect();
    let line = |cells: Vec<String>| format!("    {} \\\\\n", cells.join(" & "));
    let titles = line(columns.iter().map(|(_, column)| escaped(&column.title)).collect());
    let rows = table.rows.iter().map(|row| line(words(row, &columns).iter().map(|word| escaped(word)).collect()));
    let notes = notes(table).into_iter().map(|note| format!("  \\par\\footnotesize {}\n", escaped(&note)));
    [
        "% Needs \\usepackage{booktabs} and \\usepackage{amsmath}.\n\\begin{table}\n  \\centering\n".to_owned(),
        format!("  \\caption{{{} ({}).}}\n", escaped(&table.title), escaped(&table.source)),
        format!("  \\label{{tab:{}}}\n  \\begin{{tabular}}{{{alignment}}}\n    \\toprule\n", table.name),
        titles,
        "    \\midrule\n".to_owned(),
        rows.collect(),
        "    \\bottomrule\n  \\end{tabular}\n".to_owned(),
        notes.collect(),
        "\\end{table}\n".to_owned(),
    ]
    .concat()
}

/// What is no plain letter for LaTeX. Signs of our own that its usual fonts lack are formulae.
static SIGNS: [(char, &str); 24] = [
    ('\\', "\\textbackslash{}"),
    ('{', "\\{"),
    ('}', "\\}"),
    ('$', "\\$"),
    ('&', "\\&"),
    ('#', "\\#"),
    ('%', "\\%"),
    ('_', "\\_"),
    ('~', "\\textasciitilde{}"),
    ('^', "\\textasciicircum{}"),
    ('<', "\\textless{}"),
    ('>', "\\textgreater{}"),
    ('|', "\\textbar{}"),
    ('"', "\\textquotedbl{}"),
    ('`', "\\textasciigrave{}"),
    // A row's first bracket would be read as an option of the line's end before it.
    ('[', "{[}"),
    (']', "{]}"),
    ('*', "{*}"),
    ('±', "$\\pm$"),
    ('×', "$\\times$"),
    ('√', "$\\surd$"),
    ('ρ', "$\\rho$"),
    ('≥', "$\\geq$"),
    ('–', "--"),
];

fn escaped(text: &str) -> String {
    let escape = |character: char| match SIGNS.iter().find(|(sign, _)| *sign == character) {
        Some((_, escaped)) => (*escaped).to_owned(),
        None => character.to_string(),
    };
    printable(text).chars().map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_no_commands() {
        assert_eq!(
            escaped("\\input{a}_50%$x$&~^#"),
            "\\textbackslash{}input\\{a\\}\\_50\\%\\$x\\$\\&\\textasciitilde{}\\textasciicircum{}\\#"
        );
        assert_eq!(escaped("1 ± 2 [3]"), "1 $\\pm$ 2 {[}3{]}");
        assert_eq!(escaped("a\nb"), "a\\textbackslash{}nb");
    }
}
