//! One trajectory: what each of its checkpoints would have been.

use slopbench_metrics::grading::Grading;
use slopbench_tests::VerdictCounts;

use crate::{
    Fate, SyntheticStudy,
    code::{CodeTraits, grading},
    draw::Draw,
    verdicts::{MadeCase, Suite, play},
};

/// Where a trajectory stands in the study, each from 0.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) model: usize,
    pub(crate) prompt: usize,
    pub(crate) problem: usize,
    pub(crate) checkpoints: u32,
}

/// How a session went.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum MadeEnd {
    Done,
    Crashed,
    /// After a crash, there is no session, and the grade is of nothing.
    NotReached,
    /// Its provider gave no answer: there is an attempt and no grade.
    Unanswered,
    /// Nothing was done yet.
    Pending,
}

/// One checkpoint.
pub(crate) struct MadeCheckpoint {
    pub(crate) end: MadeEnd,
    pub(crate) cases: Vec<MadeCase>,
    pub(crate) counts: VerdictCounts,
    pub(crate) grading: Option<Grading>,
    pub(crate) seconds: f64,
    pub(crate) cost: Option<f64>,
    pub(crate) tokens: [u64; 3],
    pub(crate) turns: u64,
    pub(crate) lines_edited: u64,
}

/// How likely what goes wrong is, a checkpoint.
const CRASHES: f64 = 0.02;
const UNANSWERED: f64 = 0.012;
const UNPRICED: f64 = 0.004;
const EMPTY: f64 = 0.01;
const WITHHELD: f64 = 0.01;

pub(crate) fn make(study: &SyntheticStudy, place: Place, id: &str) -> Vec<MadeCheckpoint> {
    let mut draw = Draw::of(study.seed, id);
    let suite = Suite::of(study.seed, place.problem);
    let traits = Traits::of(study, place, &mut draw);
    let mut made: Vec<MadeCheckpoint> = Vec::new();
    let mut ended = MadeEnd::Done;
    for number in 1..=place.checkpoints {
        ended = match (ended, study.fate) {
            (MadeEnd::Done, Some(Fate::Fails)) => MadeEnd::Crashed,
            (MadeEnd::Done, Some(Fate::Unanswered)) => MadeEnd::Unanswered,
            (MadeEnd::Done, None) if study.hazards && draw.chance(CRASHES) => MadeEnd::Crashed,
            (MadeEnd::Done, None) if study.hazards && number > 1 && draw.chance(UNANSWERED) => MadeEnd::Unanswered,
            (MadeEnd::Done, None) => MadeEnd::Done,
            (MadeEnd::Crashed | MadeEnd::NotReached, _) => MadeEnd::NotReached,
            (MadeEnd::Unanswered | MadeEnd::Pending, _) => MadeEnd::Pending,
        };
        let before = made.last().and_then(|one| one.grading.as_ref()).and_then(lines);
        made.push(checkpoint(study, &traits, &suite, number, ended, before, &mut draw));
    }
    made
}

/// What a trajectory is like, as drawn for its model, its prompt, its problem and itself.
struct Traits {
    skill: f64,
    price: f64,
    pace: f64,
    code: CodeTraits,
}

impl Traits {
    fn of(study: &SyntheticStudy, place: Place, draw: &mut Draw) -> Self {
        let mut problem = Draw::of(study.seed, &format!("problem {}", place.problem));
        let mut model = Draw::of(study.seed, &format!("model {}", if study.effects { place.model } else { 0 }));
        let prompt = if study.effects { place.prompt as f64 } else { 0.0 };
        let clean = 1.0 - 0.18 * prompt.min(1.0) - 0.05 * (prompt - 1.0).max(0.0);
        Self {
            skill: 0.2 + 0.5 * model.normal() - 0.7 * problem.normal() + 0.5 * draw.normal(),
            price: model.spread(1.0, 0.5)
                * problem.spread(1.0, 0.3)
                * (1.0 + 0.3 * prompt.min(1.0))
                * draw.spread(1.0, 0.25),
            pace: model.spread(5.0, 0.4) * draw.spread(1.0, 0.2),
            code: CodeTraits {
                size: problem.spread(140.0, 0.35) * draw.spread(1.0, 0.2),
                tangle: clean * model.spread(1.0, 0.25) * draw.spread(1.0, 0.25),
                slop: clean * model.spread(0.24, 0.15) * draw.spread(1.0, 0.15),
            },
        }
    }
}

fn lines(grading: &Grading) -> Option<f64> {
    grading.measurement.as_ref().map(|measurement| measurement.total.total_lines as f64)
}

fn checkpoint(
    study: &SyntheticStudy,
    traits: &Traits,
    suite: &Suite,
    number: u32,
    end: MadeEnd,
    before: Option<f64>,
    draw: &mut Draw,
) -> MadeCheckpoint {
    let left_something = matches!(end, MadeEnd::Done | MadeEnd::Crashed);
    let empty = left_something && study.hazards && draw.chance(EMPTY);
    let withheld = left_something && study.hazards && draw.chance(WITHHELD);
    let growth = f64::from(number);
    let grading = left_something.then(|| grading(&traits.code, number, empty, withheld, draw));
    let skill = (left_something && study.fate.is_none()).then_some(traits.skill);
    let (cases, counts) = play(suite, number, skill, draw);
    let cost = draw.spread(traits.price * (0.6 + 0.45 * growth), 0.45);
    let input = draw.spread(3e5 * growth, 0.4).round();
    let after = grading.as_ref().and_then(lines).unwrap_or_default();
    let edited = (after - before.unwrap_or_default()).abs() + draw.spread(0.12 * after + 1.0, 0.5);
    MadeCheckpoint {
        end,
        cases,
        counts,
        grading,
        seconds: draw.spread(60.0 * traits.pace * (0.7 + 0.3 * growth), 0.5),
        cost: (!(study.hazards && draw.chance(UNPRICED))).then_some(cost),
        tokens: [input, 0.8 * input, 0.02 * input].map(|count| count as u64),
        turns: draw.spread(12.0 * growth, 0.4) as u64,
        lines_edited: edited as u64,
    }
}
