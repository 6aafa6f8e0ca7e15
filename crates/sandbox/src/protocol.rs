//! What is asked of the worker, and what it answers: each a frame of [`wire`](crate::wire).

use serde::{Deserialize, Serialize};

use crate::feature::Feature;
use crate::session_spec::{JobEnd, SessionJob, SessionSpec};
use crate::suite::SuiteObservation;
use crate::suite_spec::{SuiteGround, SuiteJob};
use crate::{Limits, Observation, RawResponse, RequestBatch, Runtime, Solution, Task};

/// What the worker can be asked.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum WorkerRequest {
    /// Try what this machine offers.
    Probe,
    /// Build the root. Once, before any task.
    Open {
        /// The solution, without symbolic links.
        solution: Solution,
        /// What else of the machine is shown.
        runtime: Runtime,
    },
    /// Get ready in a container. Once, before any task.
    Enter {
        /// Whether the solution's environment is shown.
        has_environment: bool,
    },
    /// Run tasks in the same folders.
    Run(Vec<Task>),
    /// Start a task whose program is a server, and listen to the three questions below until it is over.
    Serve {
        /// The server.
        task: Task,
        /// Where it listens.
        port: u16,
    },
    /// Talk to the server.
    Exchange(RequestBatch),
    /// Kill the server and start it again.
    Restart,
    /// Kill the server.
    Stop,
    /// Build the root of a session, and hand over a listener on its loopback. Once, in place of all of the above.
    Settle(SessionSpec),
    /// Run a session's program. Once.
    Work(SessionJob),
    /// Build the rooms of a test suite and run its program. Once, in place of all of the above.
    PlaySuite(Box<SuiteGround>, SuiteJob),
    /// Run a test suite's program in this container. A descriptor follows: of the line to who keeps the solution's room.
    PlaySuiteHere(SuiteJob),
    /// Keep the solution's room in this container until that line ends. Its descriptor follows, and that of the listener that
    /// launchers connect to.
    KeepRoom {
        /// For both rooms together.
        limits: Limits,
        /// Whether the solution's environment is shown.
        has_environment: bool,
    },
}

/// What it answers, if there is no [`Error`](crate::Error).
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum WorkerReply {
    /// To [`WorkerRequest::Probe`].
    Features(Vec<Feature>),
    /// To [`WorkerRequest::Open`] and [`WorkerRequest::Enter`].
    Opened,
    /// To [`WorkerRequest::Serve`] and [`WorkerRequest::Restart`].
    Started,
    /// To [`WorkerRequest::Exchange`].
    Answers(Vec<RawResponse>),
    /// To [`WorkerRequest::Run`].
    Ran(Vec<Observation>),
    /// To [`WorkerRequest::Stop`]; and to every other question to a service that is over.
    Observed(Observation),
    /// To [`WorkerRequest::Settle`], once the listener was handed over.
    Settled,
    /// To [`WorkerRequest::Work`].
    Worked(JobEnd),
    /// To [`WorkerRequest::PlaySuite`] and [`WorkerRequest::PlaySuiteHere`].
    Played(SuiteObservation),
    /// To [`WorkerRequest::KeepRoom`].
    Kept,
}
