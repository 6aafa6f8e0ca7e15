//! ProjectGuard: what a project has committed to and how its code is organised, kept beside a coding agent, outside of its
//! context.
//!
//! After the method of *SLUMP*, appendix B. A [`Guard`] keeps two views of a project in one folder:
//!
//! - the [semantic state](semantic): records of designs, decisions and resources, a Markdown file each, and a table of how they
//!   relate. People read and edit them;
//! - the [structural state](structural): files, signatures and imports, parsed from what changed, by no model.
//!
//! ```no_run
//! # use slopbench_guard::{FinishedTurn, Guard, GuardSettings, SessionLoad, SourceTree};
//! # fn say(_: &str) -> String { String::new() }
//! # fn main() -> Result<(), slopbench_guard::Error> {
//! let state = std::path::Path::new(".projectguard");
//! let mut guard = Guard::create(state, &GuardSettings::default())?; // later: Guard::open(state)?
//! let request = "Make the loss symmetric.";
//! let load = SessionLoad { turns: 12, context_tokens: Some(90_000) };
//! let brief = guard.before(request, load)?;
//! if brief.restart.is_some() {
//!     // Begin a fresh session: what it is told next is all that it knows.
//! }
//! let told = brief.before(request);
//! let answer = say(&told);
//! let tree = SourceTree::Revision { repository: ".".into(), revision: "HEAD".to_owned() };
//! let report = guard.after(&FinishedTurn { request, answer: &answer }, &tree)?;
//! # Ok(())
//! # }
//! ```
//!
//! With a [`GuardModel`], a turn's requests are read for commitments, which are merged into the records, and each request gets a
//! forecast; whatever a model does wrong is a named outcome ([`SemanticOutcome::Failed`], [`Brief::failure`]) and changes no record.
//! Without one, the structural state is kept all the same, and the next update with a model reads what was not read.
//!
//! Where to start: [`guard`](Guard) puts the parts together; `semantic/record.rs` says what a record's file holds,
//! `asking/` what models are asked (`prompts/` in which words), `brief.rs` what an agent is told, `writes.rs` how several
//! files are written together, `lock.rs` by one process at a time.

mod asking;
mod brief;
mod error;
mod files;
mod forecasts;
mod guard;
mod lock;
mod reading;
mod report;
mod restart;
pub mod semantic;
mod settings;
mod shortening;
pub mod structural;
mod turns;
mod writes;

pub use asking::forecast::{Forecast, ForecastApproach, ForecastModule, ModuleAdvice};
pub use asking::merge::MergeCounts;
pub use asking::model::GuardModel;
pub use asking::{ModelFailure, ModelFailureKind, ModelUse};
pub use error::Error;
pub use guard::Guard;
pub use report::{Brief, BriefFormat, FinishedTurn, StateSize, TurnReport, TurnReportFormat};
pub use restart::{RestartPolicy, RestartReason, SessionLoad};
pub use settings::{GuardFormat, GuardSettings};
pub use structural::SourceTree;
pub use turns::{GuardStage, LoggedTurn, SemanticOutcome};
