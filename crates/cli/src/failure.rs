//! Every error as one sentence and an exit code.

use std::fmt;

use slopbench_metrics::{ConfigurationError, RuleError, RulesError};
use slopbench_runner::Fault;

use crate::output::Status;

/// Why a command gave no answer.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) status: Status,
    message: String,
}

impl Failure {
    /// The command line or a file is at fault.
    pub(crate) fn configuration(message: impl ToString) -> Self {
        Self { status: Status::Usage, message: message.to_string() }
    }

    /// The machine is at fault.
    pub(crate) fn infrastructure(message: impl ToString) -> Self {
        Self { status: Status::Infrastructure, message: message.to_string() }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<slopbench_slopcode::Error> for Failure {
    fn from(error: slopbench_slopcode::Error) -> Self {
        match error.fault() {
            Fault::Configuration => Self::configuration(error),
            Fault::Infrastructure => Self::infrastructure(error),
        }
    }
}

impl From<slopbench_slump::Error> for Failure {
    fn from(error: slopbench_slump::Error) -> Self {
        match error.fault() {
            Fault::Configuration => Self::configuration(error),
            Fault::Infrastructure => Self::infrastructure(error),
        }
    }
}

impl From<slopbench_environments::Error> for Failure {
    fn from(error: slopbench_environments::Error) -> Self {
        slopbench_slopcode::Error::from(error).into()
    }
}

impl From<slopbench_runner::Error> for Failure {
    fn from(error: slopbench_runner::Error) -> Self {
        slopbench_slopcode::Error::from(error).into()
    }
}

impl From<slopbench_agents::stage::StageError> for Failure {
    fn from(error: slopbench_agents::stage::StageError) -> Self {
        slopbench_slopcode::Error::from(error).into()
    }
}

impl From<slopbench_slopcode::run::prompt::PromptError> for Failure {
    fn from(error: slopbench_slopcode::run::prompt::PromptError) -> Self {
        slopbench_slopcode::Error::from(error).into()
    }
}

impl From<slopbench_metrics::Error> for Failure {
    fn from(error: slopbench_metrics::Error) -> Self {
        slopbench_slopcode::Error::from(error).into()
    }
}

impl From<slopbench_analysis::Error> for Failure {
    fn from(error: slopbench_analysis::Error) -> Self {
        match error {
            slopbench_analysis::Error::Run(error) => error.into(),
            error => Self::configuration(error),
        }
    }
}

impl From<slopbench_page::Error> for Failure {
    fn from(error: slopbench_page::Error) -> Self {
        match error {
            slopbench_page::Error::Analysis(error) => error.into(),
            slopbench_page::Error::Run(error) => error.into(),
            error => Self::infrastructure(error),
        }
    }
}

impl From<slopbench_page::ServerError> for Failure {
    fn from(error: slopbench_page::ServerError) -> Self {
        match error {
            slopbench_page::ServerError::Page(error) => error.into(),
            error => Self::configuration(error),
        }
    }
}

impl From<slopbench_report::ExportError> for Failure {
    fn from(error: slopbench_report::ExportError) -> Self {
        Self::infrastructure(error)
    }
}

impl From<ConfigurationError> for Failure {
    fn from(error: ConfigurationError) -> Self {
        Self::configuration(error)
    }
}

impl From<RuleError> for Failure {
    fn from(error: RuleError) -> Self {
        Self::configuration(error)
    }
}

impl From<RulesError> for Failure {
    fn from(error: RulesError) -> Self {
        Self::configuration(error)
    }
}

impl From<slopbench_history::Error> for Failure {
    fn from(error: slopbench_history::Error) -> Self {
        match error {
            slopbench_history::Error::Metrics(error) => error.into(),
            error => Self::configuration(error),
        }
    }
}

impl From<slopbench_guard::Error> for Failure {
    fn from(error: slopbench_guard::Error) -> Self {
        match error {
            slopbench_guard::Error::History(error) => error.into(),
            error @ slopbench_guard::Error::Internal(_) => Self::infrastructure(error),
            error => Self::configuration(error),
        }
    }
}

impl From<slopbench_panel::Error> for Failure {
    fn from(error: slopbench_panel::Error) -> Self {
        match error {
            slopbench_panel::Error::Metrics(error) => error.into(),
            // The list is built in, and the rest is the network's and the disk's.
            other => Self::infrastructure(other),
        }
    }
}

impl From<slopbench_tests::LoadError> for Failure {
    fn from(error: slopbench_tests::LoadError) -> Self {
        slopbench_slopcode::Error::from(error).into()
    }
}

impl From<slopbench_audit::Error> for Failure {
    fn from(error: slopbench_audit::Error) -> Self {
        match error {
            slopbench_audit::Error::Play(error) => error.into(),
            slopbench_audit::Error::Keep(error) => error.into(),
            error @ (slopbench_audit::Error::Figure(_) | slopbench_audit::Error::Json(_)) => {
                Self::infrastructure(error)
            }
            error => Self::configuration(error),
        }
    }
}

impl From<slopbench_sandbox::Error> for Failure {
    fn from(error: slopbench_sandbox::Error) -> Self {
        slopbench_slopcode::Error::from(error).into()
    }
}
