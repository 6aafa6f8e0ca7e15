//! Where foreign code runs.
//!
//! A [`Task`] says what to run: arguments, environment, standard input, the files of its working
//! folder and its [`Limits`]. A [`Sandbox`] runs it and hands back an [`Observation`]: how it
//! ended, what it printed, the files that were asked for. A [`Service`] is a task that goes on while a [`Peer`] sends it
//! requests. Nothing is compared here, so no expectation ever has to enter a sandbox.
//!
//! [`Namespaces`] is the default: Linux namespaces, no daemon, no root. [`Docker`](docker::Docker) runs tasks in a
//! container, with the same verdicts. [`Host`] runs on the machine itself, unprotected. [`probe`] says what this machine offers, [`Runtime`] which
//! interpreter a solution sees. A [`session`] is for programs that work for hours on folders of the machine: coding agents. A
//! test [`suite`] that starts the solution itself has one sandbox, and what it starts has another.
//!
//! Start reading at [`task`](Task), then `namespaces` (this side), `protocol` (what both say), `worker` (the process on the
//! other side: `stage` builds the root, `run` runs one task, `inside` enters the namespaces, `init`
//! is process 1 in there; of suites, `room` is the solution's room, `starter` starts programs there, `launcher` stands for
//! them in the suite's). `layout` says where things lie, `session_spec` what a session is to be.

mod connections;
pub mod docker;
mod error;
mod feature;
mod folder;
mod handover;
mod host;
mod image;
mod interpreters;
mod layout;
pub mod message;
mod namespaces;
pub mod probe;
mod protocol;
mod record;
mod remote;
mod runtime;
mod sandbox;
mod service;
pub mod session;
mod session_spec;
mod signal;
mod signal_watch;
pub mod snapshot;
mod solution;
mod streams;
pub mod suite;
mod suite_spec;
mod sys;
mod task;
mod toolchain;
mod wire;
pub mod worker;
mod worker_channel;
mod worker_process;
mod worker_program;

pub use error::Error;
pub use folder::read_file_start;
pub use host::Host;
pub use interpreters::{python_of_version, python_version};
pub use layout::{ASSETS, ASSETS_VARIABLE, ENVIRONMENT};
pub use namespaces::Namespaces;
pub use runtime::Runtime;
pub use sandbox::Sandbox;
pub use service::{PORT_PLACE, Peer, Play, RawResponse, RequestBatch, ResponseEnd, Service};
pub use signal::{PlannedSignal, SignalMoment, signal_name, signal_number};
pub use solution::Solution;
pub use task::{Collected, FileEntry, Limit, Limits, Observation, ProgramEnd, ResourceUsage, Task};
pub use worker::{RefusedCall, refusals};
