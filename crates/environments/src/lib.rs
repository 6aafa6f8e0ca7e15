//! What a solution's declared packages become, and its sources where they have to be built.
//!
//! [`Requirements`] are what a solution's files declare. [`Environments::prepare`] resolves them to a lock, the
//! [`EnvironmentRecord`], fetches the wheels that it names, and builds an [`Environment`]: a folder that a sandbox shows
//! read-only, as what lies in it was installed. [`Environments::open`] does the last of this with a record of before,
//! and asks no package index where the wheels are in the cache.
//!
//! Whose fault a failure is, is decided here. What a solution asks for and nobody can have makes a record, too, with one
//! sentence ([`Resolution::Refused`]); what the index or the machine fail at is an [`Error`].
//!
//! Nothing of a package runs on the machine itself. uv reads the metadata of wheels there, and pip, whose configuration
//! says where the index is, fetches bytes. They are unpacked in a sandbox's session (`room`, `build.py`), by the
//! interpreter that solutions find there.
//!
//! [`Environments::compile`] builds a solution of a language that has to be built, in such a session, too ([`Compilation`]), and
//! [`Environments::bytecode`] compiles modules of Python.
//! A [`PinnedTool`], such as uv, is fetched by its digest; others than uv are run on texts by [`Environments::inspect`].
//! What an agent may install beside is where the same configuration says (`sources`).
//!
//! [`requirements`](Requirements) are read, `resolve` asks uv, `wheels` has what is fetched, `build` what is built; `store`
//! lists and prunes it, `transfer` takes it to another machine.

mod build;
mod bytecode;
mod compile;
mod complaint;
mod environments;
mod error;
mod index;
mod interpreter;
mod record;
mod requirements;
mod resolve;
mod room;
mod sdist;
mod sources;
mod stop;
mod store;
mod tool;
mod transfer;
mod wheels;

pub use build::Environment;
pub use compile::{BuildPlan, BuiltSolution, Compilation};
pub use environments::{Environments, PreparedEnvironment};
pub use error::Error;
pub use index::PackageIndex;
pub use interpreter::Interpreter;
pub use record::{EnvironmentIdentity, EnvironmentRecord, LockedPackage, RECORD, Resolution, SourceBuild};
pub use requirements::{Requirement, Requirements};
pub use store::{EnvironmentStore, StoredEnvironment};
pub use tool::{PinnedTool, TOOL_FILES, TOOL_OUTPUT, ToolEnd};
