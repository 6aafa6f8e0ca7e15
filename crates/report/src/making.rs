//! Tasks that are made of documents.

use std::path::Path;

use slopbench_slump::pipeline::MadeTask;

use crate::Text;

/// What was made of a task, by whom it was asked for or not, and what comes next.
pub fn made_task(dir: &Path, made: &MadeTask, spent_usd: f64, has_unpriced: bool) -> Text {
    let mut text = Text::default();
    for stage in &made.stages {
        let how = if stage.asked { "asked" } else { "kept" };
        let again = match stage.refused {
            0 => String::new(),
            count => format!(", {count} of no use before"),
        };
        text += format!("{how:<6}{} ({}{again})\n", stage.file, stage.step);
    }
    let more = if has_unpriced { ", and what has no price" } else { "" };
    text += format!("spent ${spent_usd:.4}{more}\n");
    text += match &made.next {
        Some(next) => format!("Next: {next}; the same command without --until goes on\n"),
        None => {
            format!("{}: the task keeps all rules; it is to be audited by a person next, see audit.md\n", dir.display())
        }
    };
    text
}
