use slopbench_metrics::{
    RuleDescription, Tier,
    fixtures::{FixtureReport, Fixtures},
};
use slopbench_report::{Column, Role, Table, Text};

use crate::{
    Failure,
    args::{Args, RulesArgs, RulesCommand},
    output::{Status, page, print, print_json},
    setup,
};

pub(crate) fn run(args: &Args, command: &RulesCommand) -> Result<Status, Failure> {
    match command {
        RulesCommand::List(list_args) => {
            let rules = setup::rules(list_args.rules.as_deref())?;
            match args.json {
                true => print_json(rules.descriptions())?,
                false => page(table(rules.descriptions()))?,
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
                false => page(explanation(description))?,
            }
        }
        RulesCommand::Test(test_args) => return test(args, test_args),
    }
    Ok(Status::Ok)
}

fn test(args: &Args, test_args: &RulesArgs) -> Result<Status, Failure> {
    let fixtures = test_args.rules.as_deref().map_or_else(Fixtures::builtin, Fixtures::load);
    let report = fixtures?.run();
    match args.json {
        true => print_json(&report)?,
        false => print(outcome(&report))?,
    }
    Ok(Status::of_check(report.complaints.is_empty()))
}

fn outcome(report: &FixtureReport) -> Text {
    let complaints = report.complaints.iter();
    let lines = complaints.map(|found| format!("{}:{}: {}: {}\n", found.file, found.line, found.rule, found.problem));
    let mut text: Text = lines.collect();
    text += match report.complaints.len() {
        0 => Text::of(Role::Good, &format!("All {} snippets behave.", report.snippets)),
        some => Text::of(Role::Bad, &format!("{some} of {} snippets do not behave.", report.snippets)),
    };
    if !report.untested.is_empty() {
        text += format!("Rules without a fixture: {}.\n", report.untested.join(", "));
    }
    text
}

fn table(rules: &[RuleDescription]) -> Table {
    let mut table = Table::new(&[
        Column::Text("rule"),
        Column::Text("language"),
        Column::Text("tiers"),
        Column::Prose("what it says"),
    ]);
    rules.iter().for_each(|rule| table.row([&rule.id, &rule.language, &tiers(rule), &rule.message]));
    table
}

fn explanation(rule: &RuleDescription) -> Text {
    let RuleDescription { id, language, message, note, .. } = rule;
    let mut text = Text::of(Role::Title, &format!("{id} ({language}; {})", tiers(rule)));
    text += format!("\n{message}\n\n{}\n", note.trim_end());
    if !rule.tiers.contains(&Tier::Advice) {
        text += "\nThis rule counts and gives no advice: what it matches may be fine, and the good example may behave differently.\n";
    }
    text
}

fn tiers(rule: &RuleDescription) -> String {
    rule.tiers.iter().map(|tier| tier.name()).collect::<Vec<_>>().join(", ")
}
