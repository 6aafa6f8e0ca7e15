//! Whether prompts change anything, paired by problem (paper, section 4.3).

use std::collections::BTreeMap;

use slopbench_stats::{
    adjust::holm,
    describe::mean,
    line,
    wilcoxon::{WilcoxonMethod, ZeroRule, wilcoxon},
};

use super::{
    layout::{Content, Group},
    prompts::{NO_PROMPTS, by_prompt},
};
use crate::{
    Cell, Error, RunSet, TidyRow,
    configuration::by_trajectory,
    measure::{
        CORE_RATE, COST, EROSION, ERROR_RATE, FUNCTIONALITY_RATE, ISOLATED_RATE, Measure, REGRESSION_RATE, STRICT_RATE,
        VERBOSITY,
    },
    statistic::{differences, mean_of_independent},
    table::{ResultColumn, Unit},
};

/// What is compared of a trajectory.
#[derive(Clone, Copy)]
enum Trait {
    /// The mean over its checkpoints.
    Mean(&'static Measure),
    /// The slope, a checkpoint.
    Slope(&'static Measure),
}

static TRAITS: [Trait; 11] = [
    Trait::Mean(&ISOLATED_RATE),
    Trait::Mean(&CORE_RATE),
    Trait::Mean(&FUNCTIONALITY_RATE),
    Trait::Mean(&ERROR_RATE),
    Trait::Mean(&REGRESSION_RATE),
    Trait::Mean(&STRICT_RATE),
    Trait::Mean(&EROSION),
    Trait::Mean(&VERBOSITY),
    Trait::Slope(&EROSION),
    Trait::Slope(&VERBOSITY),
    Trait::Mean(&COST),
];

impl Trait {
    fn title(self) -> String {
        match self {
            Self::Mean(measure) => measure.title.to_owned(),
            Self::Slope(measure) => format!("{}: slope, a checkpoint", measure.title),
        }
    }

    /// Of one trajectory.
    fn of(self, rows: &[&TidyRow]) -> Option<f64> {
        let points = |measure: &Measure| -> (Vec<f64>, Vec<f64>) {
            rows.iter().filter_map(|row| Some((f64::from(row.checkpoint), measure.value(row)?))).unzip()
        };
        match self {
            Self::Mean(measure) => mean(&points(measure).1).ok(),
            Self::Slope(measure) => {
                let (x, y) = points(measure);
                line::fit(&x, &y).ok().map(|line| line.slope)
            }
        }
    }

    /// The mean over the trajectories of each problem.
    fn by_problem<'a>(self, rows: &[&'a TidyRow]) -> BTreeMap<&'a str, f64> {
        let mut values: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for rows in by_trajectory(rows.iter().copied()) {
            values.entry(&rows[0].problem).or_default().extend(self.of(&rows));
        }
        values.into_iter().filter_map(|(problem, values)| Some((problem, mean(&values).ok()?))).collect()
    }
}

pub(super) fn prompt_tests(set: &RunSet) -> Result<Content, Error> {
    let columns = [
        ("measure", "measure", Unit::Text),
        ("problems", "problems", Unit::Count),
        ("baseline", "baseline", Unit::Fraction),
        ("difference", "difference", Unit::Signed),
        ("lower_in", "lower in", Unit::Count),
        ("higher_in", "higher in", Unit::Count),
        ("p", "p", Unit::Probability),
        ("p_holm", "p (Holm)", Unit::Probability),
    ];
    let columns = columns.map(|(key, title, unit)| ResultColumn::new(key, title, unit)).to_vec();
    let families = by_prompt(set);
    let none = families.is_empty();
    let mut content = Content::of_groups(set, Vec::new(), columns, |_| Vec::new());
    for mut family in families {
        let baseline = family.remove(0).rows;
        content.rows.extend(Content::of_groups(set, family, Vec::new(), |group| tests(group, &baseline)).rows);
    }
    let content = content.note(
        "Wilcoxon's signed-rank test, two-sided, of per-problem means over trajectories' means (slopes), prompt less baseline; zeros left \
         out before ranking. Holm corrects for the measures of one prompt. The difference's bracket is Student's 95% interval.",
    );
    Ok(if none { content.note(NO_PROMPTS) } else { content })
}

struct PromptTest {
    cells: Vec<Cell>,
    p: Option<f64>,
}

fn tests(group: &Group<'_>, baseline: &[&TidyRow]) -> Vec<Vec<Cell>> {
    let tests = TRAITS.map(|one| test(one, &group.rows, baseline));
    let p: Vec<f64> = tests.iter().filter_map(|test| test.p).collect();
    let mut corrected = holm(&p).unwrap_or_default().into_iter();
    let row = |PromptTest { mut cells, p }: PromptTest| {
        let corrected = p.and_then(|_| corrected.next());
        cells.push(Cell::number(corrected.ok_or("there is no test")));
        cells
    };
    tests.into_iter().map(row).collect()
}

fn test(of: Trait, rows: &[&TidyRow], baseline: &[&TidyRow]) -> PromptTest {
    let (with, without) = (of.by_problem(rows), of.by_problem(baseline));
    let pairs: Vec<(f64, f64)> =
        with.iter().filter_map(|(problem, with)| Some((*without.get(problem)?, *with))).collect();
    let differences = differences(&pairs);
    let before: Vec<f64> = pairs.iter().map(|(without, _)| *without).collect();
    let p = wilcoxon(&differences, ZeroRule::Wilcoxon, WilcoxonMethod::Auto).map(|test| test.p);
    let count = |is: fn(f64) -> bool| Cell::count(differences.iter().filter(|one| is(**one)).count());
    let cells = vec![
        Cell::Text(of.title()),
        Cell::count(pairs.len()),
        Cell::number(mean(&before)),
        Cell::figure(mean_of_independent(&differences)),
        count(|one| one < 0.0),
        count(|one| one > 0.0),
        Cell::number(p),
    ];
    PromptTest { cells, p: p.ok() }
}
