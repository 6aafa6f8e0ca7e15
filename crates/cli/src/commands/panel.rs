use serde::Serialize;
use slopbench_panel::{Agreement, PanelEntry, PanelRow};
use slopbench_slopcode::GradingProgress;

use crate::{
    Failure,
    args::{Args, PanelArgs},
    output::{Status, print, print_json},
    progress::Bar,
    setup,
};

/// What `--json` prints.
#[derive(Serialize)]
struct Panel {
    rows: Vec<PanelRow>,
    /// Over all rows.
    agreement: Vec<Agreement>,
    /// Over the rows whose LOC is about the paper's.
    agreement_same_size: Vec<Agreement>,
}

pub(crate) fn run(args: &Args, panel_args: &PanelArgs) -> Result<Status, Failure> {
    let entries = chosen(&panel_args.packages)?;
    let rules = setup::rules(panel_args.rules.rules.as_deref())?;
    let cache = panel_args.cache.clone().or_else(|| setup::cache("sdists"));
    let cache =
        cache.ok_or_else(|| Failure::configuration("no home folder for the cache: name one with --cache DIR"))?;
    let bar = Bar::new();
    bar.begin("fetching and measuring", entries.len());
    let measured = |entry| {
        let row = slopbench_panel::measure(entry, &cache, &rules);
        bar.step();
        row
    };
    let rows = entries.iter().map(measured).collect::<Result<Vec<PanelRow>, _>>()?;
    let agreement = slopbench_panel::agreement(&rows);
    let agreement_same_size = slopbench_panel::agreement(rows.iter().filter(|row| row.same_size));
    drop(bar);
    if let Some(file) = &panel_args.figure {
        file.write(&slopbench_report::panel_figure(&rows))?;
    }
    match args.json {
        true => print_json(&Panel { rows, agreement, agreement_same_size })?,
        false => print(slopbench_report::panel(&rows, &agreement, &agreement_same_size))?,
    }
    Ok(Status::Ok)
}

/// The packages with these names, or all.
fn chosen(names: &[String]) -> Result<Vec<PanelEntry>, Failure> {
    let mut entries = slopbench_panel::entries()?;
    if let Some(unknown) = names.iter().find(|&name| entries.iter().all(|entry| entry.sdist.name != *name)) {
        let known: Vec<_> = entries.iter().map(|entry| entry.sdist.name.as_str()).collect();
        let message = format!("the panel has no package `{unknown}`; it has {}", known.join(", "));
        return Err(Failure::configuration(message));
    }
    entries.retain(|entry| names.is_empty() || names.contains(&entry.sdist.name));
    Ok(entries)
}
