//! What can go wrong that is not the solution's fault.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::feature::Feature;

/// A failure of the infrastructure. Causes are text because most of them come from another process.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum Error {
    /// The worker's binary is nowhere to be found.
    #[error(
        "the sandbox's worker `slopbench-sandbox` was expected at {}: build it (`cargo build -p slopbench-sandbox`), or name it in \
         SLOPBENCH_SANDBOX_WORKER",
        list(.tried)
    )]
    WorkerNotFound {
        /// Where it was looked for.
        tried: Vec<PathBuf>,
    },
    /// The worker's binary could not be started.
    #[error("cannot start the sandbox's worker {}: {cause}", .path.display())]
    WorkerStart {
        /// The binary.
        path: PathBuf,
        /// What the system said.
        cause: String,
    },
    /// The worker died, or was silent for too long. The task may be run again in a sandbox opened
    /// anew.
    #[error("the sandbox's worker was lost: {cause}; open the sandbox again and repeat the task")]
    WorkerLost {
        /// What was seen of it.
        cause: String,
    },
    /// The machine lacks something that namespaces need.
    #[error(
        "this machine cannot run the embedded sandbox: {}. Or, for solutions that you trust, use `--sandbox none` (no \
         protection at all)",
        features(.missing)
    )]
    Unsupported {
        /// What is missing, each with a word on what to do.
        missing: Vec<Feature>,
    },
    /// A step of building or entering the sandbox failed, though the machine seems to offer all
    /// that is needed.
    #[error("the sandbox could not {step}: {cause}; `slopbench doctor` says what this machine lacks")]
    Setup {
        /// What was to be done, as in "mount /proc".
        step: String,
        /// What the system said.
        cause: String,
    },
    /// No container engine answers.
    #[error(
        "no container engine at {host}: {cause}; start one (on Debian: `apt-get install docker.io`, then `dockerd`), name its \
         socket in DOCKER_HOST, or use `--sandbox namespaces`"
    )]
    NoEngine {
        /// Where it was looked for.
        host: String,
        /// What was seen.
        cause: String,
    },
    /// The engine lacks what the containers of sandboxes need.
    #[error(
        "{engine}, at {host}, is not an engine that {lack}, as sandboxes need: expected Docker 20.10 or newer that does; name its \
         socket in DOCKER_HOST, or use `--sandbox namespaces`"
    )]
    Unfit {
        /// Where it listens.
        host: String,
        /// What it is.
        engine: String,
        /// What another one does.
        lack: String,
    },
    /// The engine is on another machine, where folders of this one are not.
    #[error(
        "the container engine at {host} cannot show folders of this machine, as sessions of agents and \
         environments of solutions need: expected a socket \
         (unix://…) in DOCKER_HOST, or use `--sandbox namespaces`"
    )]
    Remote {
        /// Where it is.
        host: String,
    },
    /// The engine lacks the image, or has another one of its name.
    #[error("the container engine has no image {name} ({cause}); run `cargo xtask images --load {}`", recipe(.name))]
    NoImage {
        /// The image's name.
        name: String,
        /// What was seen.
        cause: String,
    },
    /// The container engine failed at something.
    #[error("the container engine could not {step}: {cause}")]
    Engine {
        /// What was to be done, as in "create a container".
        step: String,
        /// What it said.
        cause: String,
    },
    /// The task itself makes no sense.
    #[error("the task cannot be run: {0}")]
    Task(String),
    /// A program that is not the solution's, the interpreter say, could not be executed.
    #[error("cannot execute `{program}` in the sandbox: {cause}; is its folder among the runtime's paths?")]
    Program {
        /// As named in the task.
        program: String,
        /// What the system said.
        cause: String,
    },
    /// The solution could not be copied into the sandbox.
    #[error("cannot copy the solution's {}: {cause}", .path.display())]
    Solution {
        /// The offending file or folder.
        path: PathBuf,
        /// What the system said.
        cause: String,
    },
    /// A path that a session was to use.
    #[error("cannot use {} for a session: {cause}", .path.display())]
    Place {
        /// Which.
        path: PathBuf,
        /// Why not.
        cause: String,
    },
    /// No usable interpreter, or a path of the runtime that cannot be exposed.
    #[error("no runtime: {0}")]
    Runtime(String),
}

impl Error {
    /// A step that failed with a system error.
    pub(crate) fn setup(step: impl Into<String>, cause: impl ToString) -> Self {
        Self::Setup { step: step.into(), cause: cause.to_string() }
    }
}

/// What `cargo xtask images` calls the image of this name.
fn recipe(image: &str) -> &str {
    let name = image.rsplit('/').next().unwrap_or(image);
    name.split(':').next().unwrap_or(name)
}

fn list(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(" or ")
}

fn features(missing: &[Feature]) -> String {
    missing.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
