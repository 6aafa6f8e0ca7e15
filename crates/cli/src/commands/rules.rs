use slopbench_metrics::RuleDescription;
use slopbench_report::{Column, Table};

use crate::{
    Failure,
    args::{Args, RulesCommand},
    output::{Status, print, print_json},
    setup,
};

pub(crate) fn run(args: &Args, command: &RulesCommand) -> Result<Status, Failure> {
    match command {
        RulesCommand::List(list_args) => {
            let rules = setup::rules(list_args.rules.as_deref())?;
            match args.json {
                true => print_json(rules.descriptions())?,
                false => print(&table(rules.descriptions()))?,
            }
        }
        RulesCommand::Explain { rule, rules } => {
            let rules = setup::rules(rules.rules.as_deref())?;
            let found = rules.descriptions().iter().find(|description| description.id == *rule);
            let unknown =
                || Failure::configuration(format!("there is no rule `{rule}`; `slopbench rules list` names them"));
            let description = found.ok_or_else(unknown)?;
            match args.json {
                true => print_json(description)?,
                false => print(&explanation(description))?,
            }
        }
    }
    Ok(Status::Ok)
}

fn table(rules: &[RuleDescription]) -> String {
    let mut table = Table::new(&["rule", "language", "what it says"].map(Column::Text));
    rules.iter().for_each(|rule| table.row([&rule.id, &rule.language, &rule.message]));
    table.to_string()
}

fn explanation(rule: &RuleDescription) -> String {
    format!("{} ({})\n\n{}\n\n{}\n", rule.id, rule.language, rule.message, rule.note.trim_end())
}
