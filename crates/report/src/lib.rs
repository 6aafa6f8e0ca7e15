//! What people see: tables of measurements, verdicts and claims; and measurements as other tools read them.
//!
//! Every function turns a result into text and nothing else; writing it is the binary's business. A [`Text`] says what its
//! parts are, and knows neither colours nor windows.

mod annotations;
mod audit;
mod claims;
mod comparison;
mod figures;
mod findings;
mod history;
mod judge;
mod lint;
mod making;
mod markdown;
mod measurement;
mod panel;
mod printable;
mod problems;
mod results;
mod run;
mod sarif;
mod slump;
mod sparkline;
mod table;
mod text;
mod verdicts;

pub use annotations::annotations;
pub use audit::audit;
pub use claims::claims;
pub use comparison::comparison;
pub use figures::{growth_figure, history_figure, panel_figure};
pub use history::history;
pub use judge::{calibration, drift, judging_estimate, rubric};
pub use lint::lint;
pub use making::made_task;
pub use markdown::markdown;
pub use measurement::measurement;
pub use panel::panel;
pub use printable::{printable, printable_json, printable_lines};
pub use problems::{problem, problems};
pub use results::{
    CellWords, ExportError, observations_csv, observations_parquet, result_csv, result_latex, result_markdown,
    result_text, table_notes,
};
pub use run::{estimate, run, run_trajectory, session};
pub use sarif::sarif;
pub use slump::{integration, judged_exposure, slump_run, slump_scores, slump_task, slump_tasks, task_flaws};
pub use table::{Column, Table};
pub use text::{Role, Span, Text};
pub use verdicts::{outcomes, slowest, trajectory};
