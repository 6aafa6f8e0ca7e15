//! Pairs of configurations, compared.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::Serialize;
use slopbench_analysis::{
    Error as AnalysisError, RunSet, TidyRow,
    comparison::{RowSelection, compare},
    configuration::AgentSetup,
    measure::STRICT,
};

use crate::{Error, cells::PageTable};

/// Up to so many configurations, each is compared with each: 28 pairs.
const MOST_COMPARED: usize = 8;

/// Two configurations beside each other.
#[derive(Clone, Debug, Serialize)]
pub struct PageComparison {
    /// The place of the first among the page's configurations.
    a: usize,
    /// That of the second.
    b: usize,
    /// What follows of all measures together.
    overall: Vec<String>,
    /// A sentence per measure.
    measures: Vec<String>,
    table: PageTable,
}

impl PageComparison {
    /// Each pair of few configurations; of many, the one with the best strict solve rate beside each other one.
    pub(crate) fn all(set: &RunSet, configurations: &[(&AgentSetup, String)]) -> Result<Vec<Self>, Error> {
        let sides = sides(set, configurations);
        let places = 0..sides.len();
        let pairs: Vec<(usize, usize)> = match sides.len() > MOST_COMPARED {
            false => places.clone().flat_map(|a| (a + 1..sides.len()).map(move |b| (a, b))).collect(),
            true => {
                let best = best(&sides);
                places.filter(|other| *other != best).map(|other| (best.min(other), best.max(other))).collect()
            }
        };
        let compared = pairs.into_par_iter().map(|(a, b)| Self::of(&sides, configurations, a, b));
        Ok(compared.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
    }

    /// `None` where the two have nothing in common.
    fn of(
        sides: &[RunSet],
        configurations: &[(&AgentSetup, String)],
        a: usize,
        b: usize,
    ) -> Result<Option<Self>, Error> {
        let side =
            |place: usize| RowSelection { name: &configurations[place].1, set: &sides[place], fields: Vec::new() };
        let compared = match compare(&side(a), &side(b)) {
            Ok(compared) => compared,
            Err(AnalysisError::NothingInCommon) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let measures: Vec<String> = compared.measures.iter().map(|one| one.sentence.clone()).collect();
        let overall = compared.sentences[..compared.sentences.len() - measures.len()].to_vec();
        // Its notes are the sentences that stand beside it.
        let mut table = compared.table();
        table.notes.drain(..compared.sentences.len());
        Ok(Some(Self { a, b, overall, measures, table: PageTable::without_csv(&table) }))
    }
}

/// The rows of each configuration.
fn sides(set: &RunSet, configurations: &[(&AgentSetup, String)]) -> Vec<RunSet> {
    let mut rows: BTreeMap<&AgentSetup, Vec<TidyRow>> = BTreeMap::new();
    set.rows.iter().for_each(|row| rows.entry(&row.configuration).or_default().push(row.clone()));
    let rows = configurations.iter().map(|(setup, _)| rows.remove(*setup).unwrap_or_default());
    rows.map(|rows| RunSet { runs: Vec::new(), rows }).collect()
}

fn best(sides: &[RunSet]) -> usize {
    let rate = |side: &RunSet| {
        let values: Vec<f64> = side.rows.iter().filter_map(|row| STRICT.value(row)).collect();
        if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
    };
    let rates: Vec<f64> = sides.iter().map(rate).collect();
    (0..rates.len()).max_by(|a, b| rates[*a].total_cmp(&rates[*b])).unwrap_or_default()
}
