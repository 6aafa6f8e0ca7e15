//! What people see: plain-text tables of measurements, verdicts and claims.
//!
//! Every function turns a result into text and nothing else; writing it is the binary's business.

mod claims;
mod comparison;
mod figure;
mod history;
mod measurement;
mod problems;
mod table;
mod verdicts;

pub use claims::claims;
pub use comparison::comparison;
pub use figure::history_figure;
pub use history::history;
pub use measurement::measurement;
pub use problems::{problem, problems};
pub use table::{Column, Table};
pub use verdicts::{outcomes, trajectory};
