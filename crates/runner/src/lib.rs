//! The engine of every study: runs, their units and stages, and what is kept of them.
//!
//! A *run* is a folder with a [`Plan`]. A *unit* is an independent chain of *stages*: a trajectory of checkpoints, a
//! conversation of requests, a loop of two agents. A [`Study`] says what the units of its plan are, which stage of a unit
//! comes next, and how a stage is carried out. [`Run`] does the rest: it keeps every stage whole in the [`RunStore`], leases
//! units, stops at the [`Budget`], and resumes at the first stage that is not there.
//!
//! - [`Run::carry_out`] is the *coordinator*: one process per run. It has an [`Executor`] do every unit, and alone collects
//!   garbage and knows the budget. Results of the whole run are written under its lock.
//! - [`Run::carry_out_unit`] does one unit under a lease of its own, in any process that sees the folder. Doing a unit twice
//!   does nothing the second time.

mod accepted;
mod budget;
mod error;
mod executor;
mod files;
mod fingerprint;
mod instrument;
mod lease;
mod plan;
mod run;
mod seal;
mod stage;
mod store;
mod study;
mod watch;

pub use self::{
    budget::{Budget, Spent},
    error::{Error, Fault},
    executor::{Executor, Threads},
    files::{read_json, remove, rename, write},
    instrument::{Instrument, InstrumentDifference},
    lease::{Coordinator, Lease},
    plan::{PLAN_FORMAT, Plan, RunFolder},
    run::{Run, RunEnd},
    seal::{SEAL, SEAL_FORMAT, Seal},
    stage::{EndedStage, SettledStage, Stage},
    store::{RunStore, Temporary},
    study::{Assignment, Study},
    watch::{RunEvent, Watch},
};
