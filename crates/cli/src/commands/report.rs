//! Tables of results: of any number of runs, and of two that are compared.

use std::{fs, path::Path};

use slopbench_analysis::{
    FIGURES, ResultTable, RunSet, TABLES, TidyRow,
    comparison::{self, RowSelection},
    figures::{self, FigureDefinition},
    slump::{SLUMP_FIGURES, SLUMP_TABLES},
    tables::{self, PUBLISHED, ResultDocument, TableDefinition},
};
use slopbench_report::{Column, Table, Text, observations_csv, observations_parquet, result_text};
use slopbench_slopcode::run::{RunLint, RunRubric};

use super::slump;
use crate::{
    Failure,
    args::{Args, CompareRunsArgs, ReportArgs, ReportFormat},
    figure_file,
    files::{put, unwritable},
    output::{Status, page, print, print_json, write},
    result_files::{extension, formatted, print_document, text, write_document},
};

/// The name of the rows that tables are made of.
const OBSERVATIONS: &str = "observations";

pub(crate) fn run(args: &Args, report: &ReportArgs) -> Result<Status, Failure> {
    if report.list {
        return list();
    }
    if slump::is_slump(&report.runs) {
        return slump::report(args, report);
    }
    if report.tasks.is_some() || !report.scores.is_empty() || !report.exposures.is_empty() {
        return Err(Failure::configuration("--scores, --exposure and --tasks are for runs of SLUMP, and this is none"));
    }
    let format = if args.json { ReportFormat::Json } else { report.format };
    let (chosen, figures) = (Chosen::of(report, format)?, chosen_figures(&report.chosen_figures)?);
    if format == ReportFormat::Html {
        return super::page::report(args, report, &chosen.tables, &figures);
    }
    if report.sources {
        return Err(Failure::configuration("--sources is for the page; take --format html"));
    }
    let mut set = RunSet::read(&report.runs)?;
    add_findings(&mut set, report)?;
    let tables = match &report.output {
        Some(folder) => chosen.write_into(folder, &set, format)?,
        None => chosen.print(&set, format)?,
    };
    report.figures.as_deref().map_or(Ok(()), |folder| draw_into(folder, &set, &figures, &tables))?;
    Ok(Status::Ok)
}

/// Adds what judges and linters find in the runs.
pub(super) fn add_findings(set: &mut RunSet, report: &ReportArgs) -> Result<(), Failure> {
    report.rubrics.iter().try_for_each(|path| Ok::<_, Failure>(set.add_rubric(&RunRubric::load(path)?)?))?;
    report.lints.iter().try_for_each(|path| Ok(set.add_lint(&RunLint::load(path)?)?))
}

fn chosen_figures(names: &[String]) -> Result<Vec<&'static FigureDefinition>, Failure> {
    let find = |name: &String| {
        figures::find(name).ok_or_else(|| {
            let message = format!("there is no figure `{name}`; `slopbench report --list` names them");
            Failure::configuration(message)
        })
    };
    if names.is_empty() { Ok(FIGURES.iter().collect()) } else { names.iter().map(find).collect() }
}

/// Draws figures into a folder; `tables` are those that are made already.
pub(super) fn draw_into(
    folder: &Path,
    set: &RunSet,
    chosen: &[&FigureDefinition],
    tables: &[ResultTable],
) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    figures::build(set, chosen, tables)?.iter().try_for_each(|figure| figure_file::write_into(folder, figure))
}

fn list() -> Result<Status, Failure> {
    let mut table = Table::new(&[Column::Text("table"), Column::Text("source"), Column::Text("what it is about")]);
    TABLES.iter().chain(PUBLISHED).for_each(|one| table.row([one.name, one.source, one.title]));
    SLUMP_TABLES.iter().for_each(|one| table.row([one.name, one.source, one.title]));
    table.row([OBSERVATIONS, "csv and parquet alone", "Every checkpoint as a row, with all that is known of it"]);
    let mut figures = Table::new(&[Column::Text("figure"), Column::Text("source"), Column::Text("what it shows")]);
    FIGURES.iter().for_each(|one| figures.row([one.name, one.source, one.title]));
    SLUMP_FIGURES.iter().for_each(|one| figures.row([one.name, one.source, one.title]));
    let mut text = Text::from(table);
    text += "\n";
    text += figures;
    page(text)?;
    Ok(Status::Ok)
}

/// What is to be given.
struct Chosen {
    tables: Vec<&'static TableDefinition>,
    observations: bool,
}

impl Chosen {
    fn of(report: &ReportArgs, format: ReportFormat) -> Result<Self, Failure> {
        let rows_alone = format == ReportFormat::Parquet;
        let can_have_rows = matches!(format, ReportFormat::Csv | ReportFormat::Parquet);
        let named = |name: &String| name == OBSERVATIONS;
        let (rows, names): (Vec<&String>, Vec<&String>) = report.tables.iter().partition(|name| named(name));
        if !rows.is_empty() && !can_have_rows {
            return Err(Failure::configuration("observations are given as --format csv or parquet"));
        }
        if rows_alone && !names.is_empty() {
            return Err(Failure::configuration("Parquet is of observations alone; take --format csv for tables"));
        }
        let mut tables = names.into_iter().map(|name| find(name)).collect::<Result<Vec<_>, _>>()?;
        if report.tables.is_empty() && !rows_alone {
            tables.extend(TABLES);
        }
        if report.paper {
            tables.extend(PUBLISHED);
        }
        let all = report.tables.is_empty() && can_have_rows && report.output.is_some();
        Ok(Self { tables, observations: rows_alone || all || !rows.is_empty() })
    }

    /// Gives the tables that it made.
    fn print(&self, set: &RunSet, format: ReportFormat) -> Result<Vec<ResultTable>, Failure> {
        match (format, self.observations) {
            (ReportFormat::Parquet, _) => {
                return Err(Failure::configuration("Parquet is for files: name a folder with --output DIR"));
            }
            (ReportFormat::Csv, true) if self.tables.is_empty() => {
                write(&text(observations_csv(&set.rows)?))?;
                return Ok(Vec::new());
            }
            (ReportFormat::Csv, _) if self.tables.len() + usize::from(self.observations) > 1 => {
                return Err(Failure::configuration(
                    "CSV is one table a file: choose one with --table, or name a folder with --output DIR",
                ));
            }
            _ => {}
        }
        let document = ResultDocument::of(set, &self.tables)?;
        print_document(&document, format)?;
        Ok(document.tables)
    }

    /// Gives the tables that it made.
    fn write_into(&self, folder: &Path, set: &RunSet, format: ReportFormat) -> Result<Vec<ResultTable>, Failure> {
        fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
        if self.observations {
            let (name, bytes) = observations(&set.rows, format)?;
            put(&folder.join(name), &bytes)?;
        }
        let document = ResultDocument::of(set, &self.tables)?;
        write_document(folder, &document, format)?;
        Ok(document.tables)
    }
}

fn find(name: &str) -> Result<&'static TableDefinition, Failure> {
    tables::find(name).ok_or_else(|| {
        let message = format!("there is no table `{name}`; `slopbench report --list` names them");
        Failure::configuration(message)
    })
}

fn observations(rows: &[TidyRow], format: ReportFormat) -> Result<(String, Vec<u8>), Failure> {
    let bytes = match format {
        ReportFormat::Parquet => observations_parquet(rows)?,
        _ => observations_csv(rows)?,
    };
    Ok((format!("{OBSERVATIONS}.{}", extension(format)), bytes))
}

pub(crate) fn compare_runs(args: &Args, compare: &CompareRunsArgs) -> Result<Status, Failure> {
    let (set_a, set_b) = (RunSet::read(&[&compare.a])?, RunSet::read(&[&compare.b])?);
    let names = [&compare.a, &compare.b].map(|path| path.display().to_string());
    let a = RowSelection { name: &names[0], set: &set_a, fields: compare.select_a.clone() };
    let b = RowSelection { name: &names[1], set: &set_b, fields: compare.select_b.clone() };
    let compared = comparison::compare(&a, &b)?;
    match if args.json { ReportFormat::Json } else { compare.format } {
        ReportFormat::Json => print_json(&compared)?,
        ReportFormat::Text => print(result_text(&compared.table()))?,
        ReportFormat::Parquet => {
            return Err(Failure::configuration("Parquet is of observations alone; take --format csv"));
        }
        format => write(&text(formatted(&compared.table(), format)?))?,
    }
    Ok(Status::Ok)
}
