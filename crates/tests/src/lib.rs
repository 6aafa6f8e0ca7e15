//! What a solution must do: problems, hidden cases, comparison, verdicts.
//!
//! A [`Problem`] is loaded from its folder ([`problem`] has the format, `problems/README.md` explains it).
//! [`Problem::suite`] derives the cases of a checkpoint, [`Engine::run`] plays them in a sandbox and compares what was
//! observed *outside* it: no expectation ever enters one. The result is a [`Verdict`] a case and, over all cases of a
//! checkpoint, a [`Solve`].

mod case;
mod category;
mod compare;
mod engine;
mod error;
mod excerpt;
mod exit_code;
mod expect;
mod expect_format;
mod format;
mod gate;
mod harness;
mod http;
mod inspect;
mod json;
mod json_pattern;
mod judging;
mod kind;
mod matching;
mod normalise;
mod open;
mod outcome;
mod paths;
pub mod problem;
mod program_run;
pub mod pytest;
mod selection;
mod sentences;
mod tally;
mod texts;
mod track;
mod unplayable;
mod verdict;

pub use case::{Case, CaseId};
pub use category::Category;
pub use compare::Mismatch;
pub use engine::{Engine, PlayedCheckpoint};
pub use error::LoadError;
pub use expect::Expectations;
pub use gate::{Alone, Gate, Pass};
pub use harness::Harness;
pub use http::Server;
pub use open::OpenSandbox;
pub use outcome::CaseOutcome;
pub use problem::{Checkpoint, Problem, Superseded};
pub use selection::Selection;
pub use sentences::Sentence;
pub use tally::{Solve, Tally, VerdictCounts};
pub use track::{BUILD_LIMITS, BuildDefinition, Entry, EntryBuild, TRACKS, Track, TrackDefinition};
pub use unplayable::Unplayable;
pub use verdict::Verdict;
