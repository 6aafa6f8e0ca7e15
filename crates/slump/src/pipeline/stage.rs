//! The stages, and the steps that they take.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A stage of the pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PipelineStage {
    /// A: the canonical specification, and designs that might have been.
    Specification,
    /// B: components.
    Components,
    /// C: versions, and dead ends.
    Trajectory,
    /// D: requests, version by version.
    Requests,
}

/// A question of a stage; the last stage has one for each version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StageStep {
    /// The stage.
    pub stage: PipelineStage,
    /// The version that requests are of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
}

impl PipelineStage {
    /// All, in their order.
    pub const ALL: [Self; 4] = [Self::Specification, Self::Components, Self::Trajectory, Self::Requests];

    /// The letter of its prompt.
    pub fn letter(self) -> char {
        match self {
            Self::Specification => 'A',
            Self::Components => 'B',
            Self::Trajectory => 'C',
            Self::Requests => 'D',
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Specification => "specification",
            Self::Components => "components",
            Self::Trajectory => "trajectory",
            Self::Requests => "requests",
        }
    }

    /// The question of a stage that has one.
    pub(super) fn step(self) -> StageStep {
        StageStep { stage: self, version: None }
    }
}

impl StageStep {
    /// The question for a version's requests.
    pub(super) fn of_version(version: u32) -> Self {
        Self { stage: PipelineStage::Requests, version: Some(version) }
    }

    /// The file of its asset, in the task's folder.
    pub fn file(self) -> String {
        let (letter, name) = (self.stage.letter().to_ascii_lowercase(), self.stage.name());
        match self.version {
            Some(version) => format!("assets/{letter}-{name}-{version:02}.json"),
            None => format!("assets/{letter}-{name}.json"),
        }
    }
}

impl fmt::Display for StageStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "stage {} ({})", self.stage.letter(), self.stage.name())?;
        self.version.map_or(Ok(()), |version| write!(f, ", version {version}"))
    }
}
