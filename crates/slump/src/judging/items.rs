//! What a judge scored, as people are given it to calibrate the judge by.

use std::collections::BTreeMap;

use slopbench_judge::calibration::{JUDGEMENTS_FORMAT, JudgeIdentity, JudgedItem, JudgedItems, ScoreLevel, ScoreScale};

use super::{
    questions::ComponentQuestion,
    verdicts::{JudgedComponent, JudgedRepository},
};
use crate::task::SlumpTask;

/// What each score means, from 0 on, in the words of the judge's own prompt.
const LEVELS: [(&str, &str); 5] = [
    ("absent", "no code attempts it."),
    ("wrong", "code attempts it, and what it computes contradicts the formula or the description."),
    (
        "simplified",
        "a degraded or approximate form: a term is missing, a simpler operation stands in for the one that is asked for, or only a part is there.",
    ),
    ("equivalent", "the code has another form, and does the same in the same role."),
    ("faithful", "the code does what is described, in the form and at the place that are described."),
];

const INSTRUCTIONS: &str = "Say how faithfully the repository implements the component: find the code, compare what it computes with \
the formula and the description, and look whether it is connected as said in what the repository runs in the end. Names do not matter.";

/// A repository's items. `place` is its folder in the run, whose name says neither who worked nor how the task was disclosed.
pub(super) fn items(judged: &JudgedRepository, task: &SlumpTask, place: &str) -> Vec<JudgedItem> {
    let labels = [("task", &judged.scores.task), ("agent", &judged.scores.platform)];
    let labels: BTreeMap<_, _> = labels.into_iter().map(|(name, value)| (name.to_owned(), value.clone())).collect();
    let item = |(id, component): (&String, &JudgedComponent)| {
        let question = ComponentQuestion::of(task, task.component(id)?);
        Some(JudgedItem {
            id: format!("{}/{id}", judged.session),
            labels: labels.clone(),
            question: question.text(),
            place: place.to_owned(),
            score: component.score.map(usize::from),
        })
    };
    judged.components.iter().filter_map(item).collect()
}

/// All items of a judge.
pub(super) fn judged_items(judge: JudgeIdentity, items: Vec<JudgedItem>) -> JudgedItems {
    let level = |(name, meaning): (&str, &str)| ScoreLevel { name: name.to_owned(), meaning: meaning.to_owned() };
    let scale = ScoreScale { instructions: INSTRUCTIONS.to_owned(), levels: LEVELS.into_iter().map(level).collect() };
    JudgedItems { format: JUDGEMENTS_FORMAT.to_owned(), judge, scale, items }
}

#[cfg(test)]
mod tests {
    use super::LEVELS;

    #[test]
    fn people_and_judges_are_told_the_same_of_each_level() {
        let prompt = include_str!("../../prompts/component.md");
        for (score, (name, meaning)) in LEVELS.iter().enumerate() {
            assert!(prompt.contains(&format!("- {score}, {name}: {meaning}\n")), "{name}");
        }
    }
}
