use std::path::PathBuf;

use super::{flaw::AnswerFlaw, stage::StageStep};

/// Why the pipeline stops.
#[derive(Debug, thiserror::Error)]
pub enum PipelineError {
    /// The document is none that a task can be made of.
    #[error("{}: {message}", path.display())]
    Document {
        /// The document.
        path: PathBuf,
        /// What is wrong, and what is expected.
        message: String,
    },
    /// A PDF cannot be read without poppler.
    #[error(
        "{}: a PDF is read with `pdftotext`, which is not installed; install poppler (Debian and Ubuntu: poppler-utils; Homebrew: \
         poppler; Nix: poppler_utils), or give the document as Markdown or text", path.display()
    )]
    NoPdfReader {
        /// The document.
        path: PathBuf,
    },
    /// A model's answer was not what was asked for, as often as it may be asked.
    #[error(
        "{step}: no usable answer after asking {attempts} times; the last one:\n{}\nwhat is before is kept: the same command asks this \
         again; let it ask more often with --attempts, or answer at more length with --max-tokens",
        .flaws.iter().map(|flaw| format!("  {flaw}")).collect::<Vec<_>>().join("\n")
    )]
    Answer {
        /// What was asked.
        step: StageStep,
        /// How often.
        attempts: u32,
        /// What is wrong with the last answer.
        flaws: Vec<AnswerFlaw>,
    },
    /// An asset was made otherwise than it would be made now.
    #[error("{}: it was made {made}; put that back, or make it anew with --redo, and with it all that follows from it", path.display())]
    Changed {
        /// The asset.
        path: PathBuf,
        /// From what, and what there is now.
        made: String,
    },
    /// An asset is not as its format has it.
    #[error("{}: {message}; put it back, or remove the file, and it is asked for anew", path.display())]
    Spoiled {
        /// The asset.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// A file of the task is not what the pipeline wrote.
    #[error("{}: it was changed by hand; keep it and go on without the pipeline, or overwrite it with --redo", path.display())]
    ByHand {
        /// The file.
        path: PathBuf,
    },
    /// A prompt cannot be filled: a bug.
    #[error("the prompt of {stage} cannot be filled: {message}")]
    Prompt {
        /// The stage's name.
        stage: &'static str,
        /// Why not.
        message: String,
    },
}
