//! The study on the engine: a unit is one session of a task under a condition, a stage one request of it.
//!
//! In the emergent condition a session is one conversation: each stage goes on where the last one ended, in the same home and
//! the same workspace, whole. What a stage leaves is kept as a git tree, so that a session resumes after any request.

mod design;
mod left;
mod prompt;
mod script;
mod session;
mod slump;
mod turn;

pub use self::{
    design::{DEFAULT_REQUEST_SECONDS, PlannedTask, SessionChoice, SlumpDesign, SlumpDocument, SlumpSession},
    left::{SessionLeft, left_after},
    script::reference_actions,
    session::{SessionSummary, SlumpSummary},
    slump::{SLUMP_STUDY, Slump, SlumpFolder, SlumpPlan, TurnActions},
    turn::{TURN, TurnRecord, turn_record},
};
