//! What is asked of the study SLUMP.

use std::path::PathBuf;

use clap::Subcommand;

#[derive(Subcommand)]
pub(crate) enum SlumpCommand {
    /// Check, show or begin tasks: designs that emerge over a conversation.
    Tasks {
        /// Folder of tasks [default: `tasks` of the repository].
        #[arg(long, value_name = "DIR", global = true)]
        tasks: Option<PathBuf>,
        #[command(subcommand)]
        command: SlumpTasksCommand,
    },
}

#[derive(Subcommand)]
pub(crate) enum SlumpTasksCommand {
    /// Say everything that is wrong with tasks, by file and line.
    Check {
        /// Names of the tasks [default: all].
        #[arg(value_name = "TASK")]
        names: Vec<String>,
    },
    /// List tasks, or show one: components, versions, and what its requests disclose.
    Show {
        /// Name of the task.
        task: Option<String>,
    },
    /// Write a new task: every file in its form, with nothing in it yet.
    New {
        /// Name of the task: lower-case words joined by `_`.
        name: String,
    },
}
