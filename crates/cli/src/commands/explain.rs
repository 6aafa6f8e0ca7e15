use slopbench_metrics::explain::{Explanation, explain, explanations};
use slopbench_report::{Column, Role, Table, Text};

use crate::{
    Failure,
    args::Args,
    output::{Status, page, print_json},
};

pub(crate) fn run(args: &Args, measure: Option<&str>) -> Result<Status, Failure> {
    match (measure, args.json) {
        (None, true) => print_json(&explanations())?,
        (None, false) => page(list(&explanations()))?,
        (Some(name), json) => {
            let explanation = explain(name).map_err(Failure::configuration)?;
            if json { print_json(&explanation)? } else { page(text(&explanation))? }
        }
    }
    Ok(Status::Ok)
}

fn list(explanations: &[Explanation]) -> Table {
    let mut table = Table::new(&[Column::Text("measure"), Column::Prose("what it is")]);
    explanations.iter().for_each(|explanation| table.row([&explanation.name, &explanation.summary]));
    table
}

fn text(explanation: &Explanation) -> Text {
    let Explanation { name, summary, unit, equation, source, fields, details } = explanation;
    let mut text = Text::of(Role::Title, &format!("{name}: {summary}"));
    text += format!("\n{details}\n\nunit      {unit}\n");
    text.extend(equation.as_ref().map(|equation| format!("equation  {equation}\n")));
    text += format!("source    {source}\nfields    {}\n", fields.join("\n          "));
    text
}
