//! With which instruments a run goes on, beside the planned one.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use slopbench_digest::canonical;

use crate::{
    Error, Instrument, InstrumentDifference, RunStore,
    files::{read_json, write},
};

const ACCEPTED: &str = "accepted.json";
const ACCEPTED_FORMAT: &str = "slopbench.accepted/1";

/// `accepted.json`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Accepted {
    format: String,
    differences: BTreeSet<InstrumentDifference>,
}

impl RunStore {
    /// Takes up work with `instrument`. Where it is not the planned one, each difference has to be accepted, once, and is
    /// then part of the run's results.
    pub(crate) fn admit(&self, instrument: &Instrument, accept: bool) -> Result<(), Error> {
        let mut accepted = self.accepted()?;
        let mut differences = self.planned.differences(instrument);
        differences.retain(|difference| !accepted.contains(difference));
        match (differences.is_empty(), accept) {
            (true, _) => Ok(()),
            (false, false) => Err(Error::Instrument { root: self.root.clone(), differences }),
            (false, true) => {
                accepted.extend(differences);
                let accepted = Accepted { format: ACCEPTED_FORMAT.to_owned(), differences: accepted };
                write(&self.root.join(ACCEPTED), &canonical::to_vec(&accepted)?)
            }
        }
    }

    /// In what the instruments of some stages differ from the planned one.
    ///
    /// # Errors
    ///
    /// [`Error::Edited`] if the file that says so is not as it was written.
    pub fn accepted(&self) -> Result<BTreeSet<InstrumentDifference>, Error> {
        let path = self.root.join(ACCEPTED);
        if !path.exists() {
            return Ok(BTreeSet::new());
        }
        let accepted: Accepted = read_json(&path)?;
        match accepted.format == ACCEPTED_FORMAT {
            true => Ok(accepted.differences),
            false => Err(Error::edited(&path, format!("its format is not \"{ACCEPTED_FORMAT}\""))),
        }
    }
}
