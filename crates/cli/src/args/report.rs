//! What is asked of results of runs.

use std::path::PathBuf;

use clap::ValueEnum;

#[derive(clap::Args)]
pub(crate) struct ReportArgs {
    /// Folders of runs.
    #[arg(required_unless_present = "list", value_name = "RUN")]
    pub(crate) runs: Vec<PathBuf>,

    /// Form of the tables.
    #[arg(long, value_enum, default_value_t, value_name = "FORM")]
    pub(crate) format: ReportFormat,

    /// Table to give, such as `table-1`, or `observations` for every checkpoint as a row; may be repeated [default: all].
    #[arg(long = "table", value_name = "NAME")]
    pub(crate) tables: Vec<String>,

    /// Give the paper's own figures, too, and these runs beside them.
    #[arg(long)]
    pub(crate) paper: bool,

    /// Write a file per table into this folder; with html, the page into this file.
    #[arg(long, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,

    /// Also draw figures into this folder: each as SVG, and its data as CSV and JSON.
    #[arg(long, value_name = "DIR")]
    pub(crate) figures: Option<PathBuf>,

    /// Figure to draw, such as `figure-3`; may be repeated [default: all].
    #[arg(long = "figure", requires = "figures", value_name = "NAME")]
    pub(crate) chosen_figures: Vec<String>,

    /// Put sources, diffs and whole steps into the page, too; goes with html.
    #[arg(long)]
    pub(crate) sources: bool,

    /// What `slopbench judge rubric` wrote of one of these runs; may be repeated.
    #[arg(long = "rubric", value_name = "FILE")]
    pub(crate) rubrics: Vec<PathBuf>,

    /// What `slopbench lint` wrote of one of these runs; may be repeated.
    #[arg(long = "lint", value_name = "FILE")]
    pub(crate) lints: Vec<PathBuf>,

    /// Of runs of SLUMP: what `slump judge` wrote of them; may be repeated. Without, there are the figures that take no judge.
    #[arg(long, value_name = "FILE")]
    pub(crate) scores: Vec<PathBuf>,

    /// Of runs of SLUMP: what `slump exposure` wrote of a task, for its curves; may be repeated. Of others, their authors' word is taken.
    #[arg(long = "exposure", value_name = "FILE")]
    pub(crate) exposures: Vec<PathBuf>,

    /// Of runs of SLUMP: folder of their tasks [default: `tasks` of the repository].
    #[arg(long, value_name = "DIR")]
    pub(crate) tasks: Option<PathBuf>,

    /// List tables and figures, and read no run.
    #[arg(long)]
    pub(crate) list: bool,
}

/// A form of tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For a terminal.
    #[default]
    Text,
    /// GitHub's Markdown.
    Markdown,
    /// LaTeX, with booktabs.
    Latex,
    /// Comma-separated values, every digit.
    Csv,
    /// One JSON value.
    Json,
    /// Apache Parquet, of observations alone.
    Parquet,
    /// One page that needs no network.
    Html,
}

#[derive(clap::Args)]
pub(crate) struct ViewArgs {
    /// Folders of runs, which may be under way.
    #[arg(required = true, value_name = "RUN")]
    pub(crate) runs: Vec<PathBuf>,

    /// Port of 127.0.0.1; 0 is any that is free.
    #[arg(long, default_value_t = 8350, value_name = "N")]
    pub(crate) port: u16,
}

#[derive(clap::Args)]
pub(crate) struct CompareRunsArgs {
    /// Folder of the first run.
    pub(crate) a: PathBuf,

    /// Folder of the second run: differences are its figures less the first's; may be the same folder.
    pub(crate) b: PathBuf,

    /// Take of the first run what has this value: a model, prompt, agent, version or track; may be repeated.
    #[arg(long = "select-a", value_parser = field, value_name = "FIELD=VALUE")]
    pub(crate) select_a: Vec<(String, String)>,

    /// The same of the second.
    #[arg(long = "select-b", value_parser = field, value_name = "FIELD=VALUE")]
    pub(crate) select_b: Vec<(String, String)>,

    /// Form of the table.
    #[arg(long, value_enum, default_value_t, value_name = "FORM")]
    pub(crate) format: ReportFormat,
}

fn field(text: &str) -> Result<(String, String), String> {
    let (field, value) = text.split_once('=').ok_or("expected a field and its value, as in model=gpt-5.4")?;
    Ok((field.to_owned(), value.to_owned()))
}
