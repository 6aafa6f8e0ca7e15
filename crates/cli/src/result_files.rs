//! Tables of results in the form that is asked for: printed, or as files.

use std::path::Path;

use slopbench_analysis::{ResultTable, tables::ResultDocument};
use slopbench_digest::canonical;
use slopbench_report::{Text, result_csv, result_latex, result_markdown, result_text};

use crate::{
    Failure,
    args::ReportFormat,
    files::put,
    output::{page, print_json, write},
};

/// Prints tables in a form that can be one text.
pub(crate) fn print_document(document: &ResultDocument, format: ReportFormat) -> Result<(), Failure> {
    match format {
        ReportFormat::Json => print_json(document),
        ReportFormat::Text => page(document.tables.iter().map(result_text).collect::<Text>()),
        format => document.tables.iter().try_for_each(|table| write(&text(formatted(table, format)?))),
    }
}

/// Writes a file for each table; as JSON, one for all.
pub(crate) fn write_document(folder: &Path, document: &ResultDocument, format: ReportFormat) -> Result<(), Failure> {
    if format == ReportFormat::Json {
        return put(&folder.join("report.json"), &canonical::to_vec(document).map_err(Failure::infrastructure)?);
    }
    document.tables.iter().try_for_each(|table| {
        let path = folder.join(&table.name).with_extension(extension(format));
        put(&path, &formatted(table, format)?)
    })
}

/// One table.
pub(crate) fn formatted(table: &ResultTable, format: ReportFormat) -> Result<Vec<u8>, Failure> {
    Ok(match format {
        ReportFormat::Text => result_text(table).to_string().into_bytes(),
        ReportFormat::Markdown => (result_markdown(table) + "\n").into_bytes(),
        ReportFormat::Latex => result_latex(table).into_bytes(),
        ReportFormat::Csv | ReportFormat::Parquet => result_csv(table)?,
        ReportFormat::Json => canonical::to_vec(table).map_err(Failure::infrastructure)?,
        ReportFormat::Html => {
            return Err(Failure::configuration("a page is of runs; take `slopbench report RUN… --format html`"));
        }
    })
}

/// How the names of such files end.
pub(crate) fn extension(format: ReportFormat) -> &'static str {
    match format {
        ReportFormat::Text => "txt",
        ReportFormat::Markdown => "md",
        ReportFormat::Latex => "tex",
        ReportFormat::Csv => "csv",
        ReportFormat::Json => "json",
        ReportFormat::Parquet => "parquet",
        ReportFormat::Html => "html",
    }
}

/// Bytes of a form that is text.
pub(crate) fn text(bytes: Vec<u8>) -> String {
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Writes a page where it was asked for: into a file, or a folder that is there, or to standard output.
pub(crate) fn give_page(output: Option<&Path>, page: &str) -> Result<(), Failure> {
    match output {
        Some(folder) if folder.is_dir() => put(&folder.join("report.html"), page.as_bytes()),
        Some(file) => put(file, page.as_bytes()),
        None => Ok(write(page)?),
    }
}
