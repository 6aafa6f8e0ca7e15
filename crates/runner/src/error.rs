use std::path::{Path, PathBuf};

use crate::InstrumentDifference;

/// Why a run or one of its units does not go on.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A folder holds no run.
    #[error("{} is no run's folder: plan.json cannot be read: {source}", root.display())]
    NoRun {
        /// The folder.
        root: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// A file has the format of another version, or its study is another one.
    #[error("{}: expected {what} \"{expected}\", found \"{found}\"; begin a new run", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What differs.
        what: &'static str,
        /// What this version reads.
        expected: String,
        /// What the file says.
        found: String,
    },
    /// A new run was to be put where something else is.
    #[error("{} {what}; name another folder", root.display())]
    Occupied {
        /// The folder.
        root: PathBuf,
        /// What is there.
        what: &'static str,
    },
    /// Another process coordinates the run.
    #[error("another process works on {}; wait for its end", .0.display())]
    Coordinated(PathBuf),
    /// Another process does the unit.
    #[error("another process does the unit {unit} of {}; wait for its end", root.display())]
    Leased {
        /// The run's folder.
        root: PathBuf,
        /// The unit.
        unit: String,
    },
    /// The plan has no such unit.
    #[error("the run has no unit \"{0}\"")]
    NoUnit(String),
    /// A unit or a stage has a name that is no path of its own.
    #[error("\"{0}\" is no name for a unit or a stage: use letters, digits, and - _ . @ +")]
    Name(String),
    /// A study asked for a stage that is kept already: a bug of the study.
    #[error("{unit}: the study asks for {stage} again, which is done")]
    Again {
        /// The unit.
        unit: String,
        /// The stage.
        stage: String,
    },
    /// A run was planned with another instrument.
    #[error(
        "{} was planned with another instrument: {}; restore it, begin a new run with --out, or mix the two with \
         --accept-difference, which the run's results then name",
        root.display(),
        .differences.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    )]
    Instrument {
        /// The run's folder.
        root: PathBuf,
        /// Each part that differs, and was not accepted before.
        differences: Vec<InstrumentDifference>,
    },
    /// A run's folder is not as it was left.
    #[error("{}: {what}, and not by slopbench; restore it, or begin a new run", path.display())]
    Edited {
        /// The file or folder.
        path: PathBuf,
        /// What happened to it.
        what: String,
    },
    /// A stage had no answers from its model, which says nothing of who worked.
    #[error("{unit}, {stage}: {reason}; `slopbench resume` tries again")]
    Unanswered {
        /// The unit.
        unit: String,
        /// The stage.
        stage: String,
        /// What was seen.
        reason: String,
    },
    /// A stage had no answers, again and again.
    #[error(
        "{unit}, {stage}: given up after {attempts} sessions without answers from its model; read their gateway.jsonl in \
         {}, and remove that folder to have it tried again", folder.display()
    )]
    GivenUp {
        /// The unit.
        unit: String,
        /// The stage.
        stage: String,
        /// How many there were.
        attempts: usize,
        /// Where they are kept.
        folder: PathBuf,
    },
    /// A file could not be read.
    #[error(transparent)]
    Read(#[from] slopbench_digest::ReadError),
    /// A file could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A result could not be put into JSON: a bug.
    #[error("cannot write a result as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

/// Whose fault an error is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// What was asked for, or the files it was asked of.
    Configuration,
    /// The machine.
    Infrastructure,
}

impl Error {
    pub(crate) fn edited(path: &Path, what: impl Into<String>) -> Self {
        Self::Edited { path: path.to_path_buf(), what: what.into() }
    }

    /// Whose fault this is.
    pub fn fault(&self) -> Fault {
        match self {
            Self::Unanswered { .. }
            | Self::Leased { .. }
            | Self::GivenUp { .. }
            | Self::Write { .. }
            | Self::Json(_)
            | Self::Again { .. } => Fault::Infrastructure,
            Self::NoRun { .. }
            | Self::Format { .. }
            | Self::Occupied { .. }
            | Self::Coordinated(_)
            | Self::NoUnit(_)
            | Self::Name(_)
            | Self::Instrument { .. }
            | Self::Edited { .. }
            | Self::Read(_) => Fault::Configuration,
        }
    }
}
