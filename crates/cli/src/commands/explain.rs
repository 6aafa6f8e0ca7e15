use std::fmt::Write;

use slopbench_metrics::explain::{Explanation, explain, explanations};
use slopbench_report::{Column, Table};

use crate::{
    Failure,
    args::Args,
    output::{Status, print, print_json},
};

pub(crate) fn run(args: &Args, measure: Option<&str>) -> Result<Status, Failure> {
    match (measure, args.json) {
        (None, true) => print_json(&explanations())?,
        (None, false) => print(&list(&explanations()))?,
        (Some(name), json) => {
            let explanation = explain(name).map_err(Failure::configuration)?;
            if json { print_json(&explanation)? } else { print(&text(&explanation))? }
        }
    }
    Ok(Status::Ok)
}

fn list(explanations: &[Explanation]) -> String {
    let mut table = Table::new(&["measure", "what it is"].map(Column::Text));
    explanations.iter().for_each(|explanation| table.row([&explanation.name, &explanation.summary]));
    table.to_string()
}

fn text(explanation: &Explanation) -> String {
    let Explanation { name, summary, unit, equation, source, fields, details } = explanation;
    let mut text = format!("{name}: {summary}\n\n{details}\n\nunit      {unit}\n");
    if let Some(equation) = equation {
        let _ = writeln!(text, "equation  {equation}");
    }
    let _ = write!(text, "source    {source}\nfields    {}\n", fields.join("\n          "));
    text
}
