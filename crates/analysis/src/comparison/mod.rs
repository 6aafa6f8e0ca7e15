//! Which of two configurations is better, by how much, and whether that is real.
//!
//! What is paired is a checkpoint of a problem: the mean over its repeats on each side. What is independent is a problem: its
//! checkpoints' differences are averaged, and the problems' averages are tested, drawn and counted.

mod paired;
mod selection;
mod sentence;

use serde::Serialize;
use slopbench_stats::adjust::holm;

pub use self::{
    paired::{MeasureComparison, RepeatPower},
    selection::RowSelection,
};
use crate::{
    Cell, Error, Population, ResultTable, Statistic, TidyRow,
    configuration::AgentSetup,
    measure::MEASURES,
    table::{ResultColumn, Unit},
};

/// Below this p-value, corrected for all measures, a difference is called real.
pub const LEVEL: f64 = 0.05;

/// One side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedSide {
    /// What it is called: what was named, and its configuration.
    pub name: String,
    /// Its configuration.
    pub configuration: AgentSetup,
    /// What of it is there.
    pub population: Population,
    /// How many repeats of a problem it has, at most.
    pub repeats: usize,
}

/// Two configurations, measure by measure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunComparison {
    /// The format and its version.
    pub format: String,
    /// Whether a run behind it is made up.
    pub synthetic: bool,
    /// The first.
    pub a: ComparedSide,
    /// The second: differences are its figure less the first's.
    pub b: ComparedSide,
    /// The level of all tests together.
    pub level: f64,
    /// Each measure.
    pub measures: Vec<MeasureComparison>,
    /// What follows, in sentences: first whether anything can be said.
    pub sentences: Vec<String>,
}

/// Compares `b` with `a`, which are one configuration each.
///
/// # Errors
///
/// [`Error::SeveralConfigurations`], [`Error::NoConfiguration`] and [`Error::NothingInCommon`].
pub fn compare(a: &RowSelection<'_>, b: &RowSelection<'_>) -> Result<RunComparison, Error> {
    let (rows_a, rows_b) = (a.rows('a')?, b.rows('b')?);
    let mut measures: Vec<_> =
        MEASURES.iter().filter_map(|measure| MeasureComparison::of(measure, &rows_a, &rows_b)).collect();
    if measures.is_empty() {
        return Err(Error::NothingInCommon);
    }
    let p: Vec<f64> = measures.iter().filter_map(|measure| measure.p).collect();
    let mut corrected = holm(&p).unwrap_or_default().into_iter();
    for measure in &mut measures {
        measure.p_holm = measure.p.and_then(|_| corrected.next());
        measure.tests = p.len();
    }
    let synthetic = rows_a.iter().chain(&rows_b).any(|row| row.synthetic);
    let (a, b) = (ComparedSide::of(a.name, &rows_a), ComparedSide::of(b.name, &rows_b));
    measures.iter_mut().for_each(|measure| measure.sentence = sentence::of(measure));
    let sentences = sentence::overall(&a, &b, &measures);
    let format = "slopbench.run-comparison/1".to_owned();
    Ok(RunComparison { format, synthetic, a, b, level: LEVEL, measures, sentences })
}

impl ComparedSide {
    fn of(name: &str, rows: &[&TidyRow]) -> Self {
        let repeats = crate::configuration::group(rows.iter().copied(), |row| (&row.problem, row.checkpoint));
        let configuration = rows.first().map(|row| row.configuration.clone()).unwrap_or_default();
        Self {
            name: format!("{name} ({})", configuration.full_label()),
            configuration,
            population: Population::of(rows.iter().copied()),
            repeats: repeats.values().map(Vec::len).max().unwrap_or_default(),
        }
    }
}

impl RunComparison {
    /// The same as a table.
    pub fn table(&self) -> ResultTable {
        let columns = [
            ("measure", "measure", Unit::Text),
            ("problems", "problems", Unit::Count),
            ("pairs", "pairs", Unit::Count),
            ("unpaired", "unpaired", Unit::Count),
            ("a", "A", Unit::Fraction),
            ("b", "B", Unit::Fraction),
            ("difference", "B - A", Unit::Signed),
            ("p", "p", Unit::Probability),
            ("p_holm", "p (Holm)", Unit::Probability),
            ("p_wilcoxon", "p (Wilcoxon)", Unit::Probability),
            ("effect", "effect", Unit::Signed),
            ("verdict", "verdict", Unit::Text),
        ];
        ResultTable {
            name: "compare-runs".to_owned(),
            title: format!("B: {}, beside A: {}", self.b.name, self.a.name),
            source: "paired by problem and checkpoint, problems independent".to_owned(),
            synthetic: self.synthetic,
            population: joined(self.a.population, self.b.population),
            columns: columns.map(|(key, title, unit)| ResultColumn::new(key, title, unit)).to_vec(),
            rows: self.measures.iter().map(MeasureComparison::cells).collect(),
            notes: self.sentences.iter().cloned().chain([method()]).collect(),
        }
    }
}

/// How it is done, for who reads the table.
fn method() -> String {
    "The difference's bracket is Student's 95% interval of the problems' means; p is of the paired permutation test of them, corrected by \
     Holm's method for all measures of the table; effect is the matched-pairs rank-biserial correlation, from -1 to 1."
        .to_owned()
}

fn joined(a: Population, b: Population) -> Population {
    Population {
        runs: a.runs + b.runs,
        configurations: 2,
        problems: a.problems.max(b.problems),
        trajectories: a.trajectories + b.trajectories,
        planned: a.planned + b.planned,
        graded: a.graded + b.graded,
        produced: a.produced + b.produced,
        pending: a.pending + b.pending,
        infrastructure: a.infrastructure + b.infrastructure,
        withheld: a.withheld + b.withheld,
    }
}

impl MeasureComparison {
    fn cells(&self) -> Vec<Cell> {
        let number = |value: Option<f64>, why: &str| Cell::number(value.ok_or(why));
        let of = Statistic {
            value: self.difference,
            n: self.problems,
            missing: 0,
            passed: None,
            sd: self.sd,
            low: self.low,
            high: self.high,
            clusters: None,
        };
        vec![
            Cell::text(self.title),
            Cell::count(self.problems),
            Cell::count(self.pairs),
            Cell::count(self.unpaired),
            Cell::Number(self.mean_a),
            Cell::Number(self.mean_b),
            Cell::Figure(of),
            number(self.p, "nothing differs"),
            number(self.p_holm, "nothing differs"),
            number(self.p_wilcoxon, "nothing differs"),
            number(self.effect, "nothing differs"),
            Cell::text(self.verdict().word()),
        ]
    }
}
