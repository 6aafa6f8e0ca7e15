//! The study on the engine: a unit is one session of a task under a condition, a stage one request of it.
//!
//! In the emergent condition a session is one conversation: each stage goes on where the last one ended, in the same home and
//! the same workspace, whole. What a stage leaves is kept as a git tree, so that a session resumes after any request.
//!
//! In a guarded session two stages of the guard stand around each request: what the agent is told before it, and the guard's state
//! after it. A guard's model is asked through the gateway's client; what it answers is recorded, and replayed.
//!
//! Where the design says so, the last stage of a session runs the tests that its agent wrote.

mod design;
mod guard_choice;
mod guarding;
mod left;
mod prompt;
mod script;
mod session;
mod slump;
mod stages;
mod testing;
mod turn;

pub use self::{
    design::{DEFAULT_REQUEST_SECONDS, PlannedTask, SessionChoice, SlumpDesign, SlumpDocument, SlumpSession},
    guard_choice::{GuardAccess, GuardAnswers, GuardModelChoice, PlannedGuard},
    guarding::{BRIEF, GUARD_UPDATE, GuardUpdate, guard_brief, guard_update},
    left::{SessionLeft, left_after},
    script::{ScriptedTurn, reference_actions},
    session::{GuardSummary, SessionSummary, SlumpSummary},
    slump::{SLUMP_STUDY, Slump, SlumpFolder, SlumpPlan, TurnActions},
    testing::{OWN_TESTS, own_tests},
    turn::{TURN, TurnRecord, turn_record},
};
