//! Which guard goes with a run, and who answers it.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use slopbench_agents::stage::{CASSETTE, Equipment};
use slopbench_gateway::{
    api::Api,
    catalogue::CatalogueTable,
    client::Client,
    player::Player,
    prices::Prices,
    script::Script,
    server::{Mode, Recorder},
};
use slopbench_guard::{GuardModel, GuardSettings};

use crate::Error;

/// The guard of a run's guarded sessions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedGuard {
    /// How large its briefs are, and when a conversation begins anew.
    pub settings: GuardSettings,
    /// Who extracts, merges and forecasts; without one, the guard keeps the code's structure and the requests alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<GuardModelChoice>,
}

/// The model that a guard asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GuardModelChoice {
    /// What its provider calls it.
    pub id: String,
    /// Its provider; of a scripted model `script:` and the script's digest.
    pub provider: String,
}

/// Who answers a guard's model, where it has one.
#[derive(Clone, Debug)]
pub struct GuardAccess {
    /// The API that it is asked in.
    pub api: Api,
    /// Where its answers come from.
    pub answers: GuardAnswers,
}

/// Where the answers of a guard's model come from.
#[derive(Clone, Debug)]
pub enum GuardAnswers {
    /// Its provider. What it answers is recorded.
    Provider,
    /// A script.
    Scripted(Script),
    /// What was recorded of the same stages in this folder of a run.
    Replayed(PathBuf),
}

impl GuardAccess {
    /// The model of a stage, and what records it.
    pub(super) fn model(
        &self,
        choice: &GuardModelChoice,
        equipment: &Equipment,
        stage: &Path,
    ) -> Result<(GuardModel, Option<Recorder>), Error> {
        let (mode, recorder) = match &self.answers {
            GuardAnswers::Provider => {
                let recorder = Client::recorder("guard");
                (Mode::Record(equipment.forwarder(&choice.provider)?, recorder.clone()), Some(recorder))
            }
            GuardAnswers::Scripted(script) => {
                let script = script.clone();
                let player = Player { script, workspace: "/".into(), tools: Vec::new(), finish_command: None };
                // Nobody charges for what a script says, and prices are of a day.
                let prices = Prices(CatalogueTable::new("price"));
                let client = Client::new(self.api, Mode::Scripted(player), &choice.provider, prices, "");
                return Ok((GuardModel::new(client, &choice.id)?, None));
            }
            GuardAnswers::Replayed(run) => {
                (Mode::Replay(Client::replay(&run.join("units").join(stage).join(CASSETTE))?), None)
            }
        };
        let client = equipment.client(self.api, mode, &choice.provider);
        Ok((GuardModel::new(client, &choice.id)?, recorder))
    }
}
