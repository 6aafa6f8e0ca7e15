//! Tasks: a folder each, as `docs/src/slump-tasks.md` describes it.

mod asset;
mod check;
mod flaw;
mod model;
mod names;
mod read;
mod scaffold;
mod words;

pub use self::{
    asset::{AssetInput, AssetKind, AssetOrigin, TaskProvenance},
    check::check,
    flaw::TaskFlaw,
    model::{CodingRequest, DesignAlternative, ProjectVersion, SlumpTask, TASK_FORMAT, TaskComponent, TaskManifest},
    read::{load_tasks, task_names},
    scaffold::scaffold_task,
};
