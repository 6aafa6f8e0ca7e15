//! Tasks: a folder each, as `docs/src/slump-tasks.md` describes it.

mod asset;
mod check;
mod flaw;
mod model;
pub(crate) mod names;
mod read;
mod scaffold;
pub(crate) mod words;

pub use self::{
    asset::{AssetInput, AssetKind, AssetOrigin, TaskProvenance},
    check::check,
    flaw::TaskFlaw,
    model::{CodingRequest, DesignAlternative, ProjectVersion, SlumpTask, TASK_FORMAT, TaskComponent, TaskManifest},
    read::{load_tasks, task_names},
    scaffold::scaffold_task,
};
pub(crate) use self::{
    check::{COMPONENTS, COMPONENTS_OF_TASK, REQUESTS, REQUESTS_OF_TASK, VERSIONS_OF_TASK, forbidden},
    scaffold::expect_name,
};
