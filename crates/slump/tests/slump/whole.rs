//! The whole study: five tasks, both ways of disclosure, with a guard and without, by a scripted agent, a scripted guard and a scripted
//! judge, to figures that are computed by hand.
//!
//! The tasks are small (twelve components, two requests); a session leaves what this table says. F, S, W, A count components that are
//! faithful (4), simplified (2), wrong (1) and absent (0); P = 4F + 2S + W, so that MCF = P/12. Each component that is there is a module with one
//! public symbol, of which the program uses U, so that DIR = U / (12 − A). IF50 = P/96 + DIR/2.
//!
//! | task  | emergent: F S W A | P  | DIR  | single shot: F S W A | P  | DIR  | emergent, guarded | P  | DIR  |
//! | ----- | ----------------- | -- | ---- | -------------------- | -- | ---- | ----------------- | -- | ---- |
//! | hand  | 6 4 0 2           | 32 | 2/10 | 12 0 0 0             | 48 | 6/12 | 9 1 0 2           | 38 | 4/10 |
//! | horse | 4 4 2 2           | 26 | 1/10 | 10 2 0 0             | 44 | 3/12 | 10 2 0 0          | 44 | 3/12 |
//! | steam | 8 4 0 0           | 40 | 3/12 | 8 4 0 0              | 40 | 6/12 | 9 3 0 0           | 42 | 6/12 |
//! | tidal | 11 1 0 0          | 46 | 5/12 | 9 3 0 0              | 42 | 4/12 | 10 2 0 0          | 44 | 4/12 |
//! | wind  | 0 6 0 6           | 12 | 0/6  | 9 1 0 2              | 38 | 4/10 | 2 8 0 2           | 24 | 2/10 |
//!
//! The guarded single shot leaves what the plain one does.

use std::{collections::BTreeMap, num::NonZeroUsize};

use serde_json::json;
use slopbench_gateway::{
    api::Api,
    script::{Action, Script, ScriptedAnswer, ScriptedCall},
};
use slopbench_guard::{Guard, GuardSettings, RestartPolicy};
use slopbench_sandbox::probe;
use slopbench_slump::{
    Error, SlumpCondition,
    judging::{SlumpScores, judge_slump},
    scores::{LossMeasure, SlumpLoss},
    study::{
        GuardAccess, GuardAnswers, GuardModelChoice, PlannedGuard, ScriptedTurn, SlumpFolder, SlumpSummary,
        guard_update,
    },
};
use slopbench_test_support::{Need, need};

use crate::{
    bench::Bench,
    fixture::{NAMES, TaskFixture},
    judging::scripted_judge,
};

/// What a session leaves: F, S, W, A and U above.
type Left = ([usize; 4], usize);

/// By task: emergent, single shot, and emergent with a guard.
const LEFT: [(&str, [Left; 3]); 5] = [
    ("hand_mill", [([6, 4, 0, 2], 2), ([12, 0, 0, 0], 6), ([9, 1, 0, 2], 4)]),
    ("horse_mill", [([4, 4, 2, 2], 1), ([10, 2, 0, 0], 3), ([10, 2, 0, 0], 3)]),
    ("steam_mill", [([8, 4, 0, 0], 3), ([8, 4, 0, 0], 6), ([9, 3, 0, 0], 6)]),
    ("tidal_mill", [([11, 1, 0, 0], 5), ([9, 3, 0, 0], 4), ([10, 2, 0, 0], 4)]),
    ("wind_mill", [([0, 6, 0, 6], 0), ([9, 1, 0, 2], 4), ([2, 8, 0, 2], 2)]),
];

/// A component in its forms and their scores; an absent one has no file.
const FORMS: [(&str, u8); 3] = [("x * x + 1", 4), ("x * x", 2), ("x - 1", 1)];

fn code(name: &str, form: &str) -> String {
    format!("def {name}(x): return {form}")
}

/// Writes every second component with each of two requests, and the program with the last.
fn actions(turn: &ScriptedTurn<'_>) -> Result<Vec<Action>, Error> {
    let (_, left) = LEFT.iter().find(|(task, _)| *task == turn.task.name).unwrap();
    let (counts, used) = left[match turn.condition {
        SlumpCondition::EMERGENT => 0,
        SlumpCondition::EMERGENT_GUARDED => 2,
        _ => 1,
    }];
    let forms = FORMS.iter().zip(counts).flat_map(|((form, _), count)| std::iter::repeat_n(form, count));
    let is_now = |index: &usize| index % turn.requests == turn.request - 1;
    let files = NAMES.iter().zip(forms).enumerate().filter(|(index, _)| is_now(index));
    let mut command: String =
        files.map(|(_, (name, form))| format!("echo '{}' > {name}.py\n", code(name, form))).collect();
    if turn.request == turn.requests {
        let imports: String = NAMES[..used].iter().map(|name| format!("from {name} import {name}\n")).collect();
        command += &format!("cat > run.py <<END\n{imports}if __name__ == \"__main__\":\n    pass\nEND\n");
    }
    Ok(vec![Action::Run(command)])
}

/// A judge that reads a component's file and scores the form that stands there.
fn judge_answers() -> Vec<ScriptedAnswer> {
    let verdict = |name: &str, score: u8| {
        let evidence = if score > 0 { format!("{name}.py:1") } else { "not found".to_owned() };
        json!({"score": score, "evidence": evidence, "deviation": "none"}).to_string()
    };
    let seen = NAMES.iter().flat_map(|name| {
        let answer = |(form, score): (&str, u8)| ScriptedAnswer {
            asked: code(name, form),
            text: verdict(name, score),
            calls: Vec::new(),
        };
        FORMS.map(answer)
    });
    let unseen = NAMES.iter().map(|name| {
        let path = [("path".to_owned(), json!(format!("{name}.py")))];
        let read = ScriptedCall { tool: "read".to_owned(), arguments: path.into_iter().collect() };
        ScriptedAnswer { asked: format!("COMPONENT: The {name} part\n"), text: verdict(name, 0), calls: vec![read] }
    });
    seen.chain(unseen).collect()
}

/// A guard that records each request of an emergent session as a design, and begins the conversation anew after one.
fn guard() -> (PlannedGuard, GuardAccess) {
    let answer =
        |asked: String, text: serde_json::Value| ScriptedAnswer { asked, text: text.to_string(), calls: Vec::new() };
    let mut answers = Vec::new();
    for turn in 1..=2 {
        let (title, quote) = (format!("Part {turn}"), format!("write part {turn} of the mill"));
        let commitment = json!({
            "kind": "design", "title": title, "statement": quote, "turn": turn, "source": "request", "quote": quote,
        });
        let asked = format!("## Request of turn {turn}\n\nPlease write part {turn} of the mill.");
        answers.push(answer(asked, json!({"commitments": [commitment]})));
        let operation = json!({
            "operation": "add", "commitment": 1, "record": format!("part-{turn}"), "kind": "design", "title": title,
            "text": quote, "find": "", "relation": "", "to": "",
        });
        answers.push(answer(format!("# Merger, turn {turn}\n"), json!({"operations": [operation]})));
    }
    answers.push(answer("# Extractor, turn ".to_owned(), json!({"commitments": []})));
    let forecast = json!({
        "purpose": "It adds a part.", "approach": "add", "reason": "There is none yet.", "records": [], "modules": [],
        "constraints": [], "context_tokens": 0,
    });
    answers.push(answer("# Forecaster, turn ".to_owned(), forecast));
    let restart = RestartPolicy { after_turns: Some(1), ..RestartPolicy::default() };
    let planned = PlannedGuard {
        settings: GuardSettings { restart, ..GuardSettings::default() },
        model: Some(GuardModelChoice { id: "m".to_owned(), provider: "script:test".to_owned() }),
    };
    let script = Script { answers, ..Script::of_actions([]) };
    (planned, GuardAccess { api: Api::AnthropicMessages, answers: GuardAnswers::Scripted(script) })
}

#[test]
fn five_tasks_under_four_conditions_come_to_the_tables_that_are_computed_by_hand() {
    if need(Need::Namespaces, probe::available()).is_none() {
        return;
    }
    let (tasks, root) = (LEFT.map(|(name, _)| TaskFixture::disclosed(name, 2)), tempfile::tempdir().unwrap());
    let (planned, access) = guard();
    let bench = Bench { guard: Some(planned), jobs: NonZeroUsize::new(2).unwrap(), ..Bench::new(root.path(), &tasks) };
    let folder = bench.open(&[Bench::agent()], &SlumpCondition::ALL);
    bench.run(&folder, &actions, Some(&access));
    let summary = SlumpSummary::read(&folder).unwrap();
    assert!(summary.complete && summary.sessions.len() == 20, "{summary:?}");
    guards_did_their_work(&folder, &summary);
    let judge = scripted_judge(judge_answers());
    let scores = judge_slump(&folder, &bench.tasks, &judge, &[], None).unwrap().scores;
    table_3(&scores);
    losses(&scores.losses);
    table_6(&scores, &summary);
}

/// Two forecasts, two extractions and two mergers of an emergent session; of a single shot, whose text says nothing to be recorded, one
/// forecast and one extraction.
fn guards_did_their_work(folder: &SlumpFolder, summary: &SlumpSummary) {
    for session in &summary.sessions {
        let (restarts, expected) = match session.condition {
            SlumpCondition::EMERGENT_GUARDED => (1, Some((2, 1, 6))),
            SlumpCondition::SINGLE_SHOT_GUARDED => (0, Some((1, 0, 2))),
            _ => (0, None),
        };
        let guard = session.guard.as_ref();
        assert_eq!(guard.map(|guard| (guard.updates, guard.restarts, guard.used.calls)), expected, "{}", session.id);
        assert_eq!((session.restarts, guard.map_or(0, |guard| guard.failures)), (restarts, 0), "{}", session.id);
        let Some(guard) = guard else { continue };
        let state = guard_update(&folder.store, &session.id, session.requests).unwrap().unwrap().state;
        let state = Guard::open(&folder.store.tree(state).unwrap()).unwrap();
        assert_eq!((state.turns().len(), state.size().unwrap()), (session.requests, guard.size));
    }
}

fn close(value: Option<f64>, expected: f64, what: &str) {
    assert!((value.unwrap() - expected).abs() < 1e-12, "{what}: {value:?}, expected {expected}");
}

/// Means over the five tasks.
///
/// MCF: (32 + 26 + 40 + 46 + 12) / 60 = 156/60, (48 + 44 + 40 + 42 + 38) / 60 = 212/60, (38 + 44 + 42 + 44 + 24) / 60 = 192/60.
/// DIR, in sixtieths: 12 + 6 + 15 + 25 + 0 = 58, 30 + 15 + 30 + 20 + 24 = 119, 24 + 15 + 30 + 20 + 12 = 101; each by 60 · 5.
/// IF50 = (mean MCF)/8 + (mean DIR)/2. Faithful: ΣF; severe: ΣW + ΣA.
fn table_3(scores: &SlumpScores) {
    let rows = [
        ("emergent", 156.0, 58.0, 29, 12),
        ("single-shot", 212.0, 119.0, 48, 2),
        ("emergent-guarded", 192.0, 101.0, 40, 4),
        ("single-shot-guarded", 212.0, 119.0, 48, 2),
    ];
    assert_eq!(scores.aggregates.len(), rows.len());
    for (row, (condition, points, sixtieths, faithful, severe)) in scores.aggregates.iter().zip(rows) {
        assert_eq!((row.condition.as_str(), row.tasks, row.not_judged), (condition, 5, 0));
        close(row.mcf, points / 60.0, condition);
        close(row.dir, sixtieths / 300.0, condition);
        close(row.if50, points / 480.0 + sixtieths / 600.0, condition);
        assert_eq!((row.faithful, row.severe), (faithful, severe), "{condition}");
    }
}

/// Single shot − emergent, by task, in the order above.
///
/// MCF, in twelfths: 16, 18, 0, −4, 26: three wins, a tie, a loss; mean 56/60. Without the zero the ranks of 4, 16, 18, 26 are 1 to 4, and the
/// negative one has 1. Of the 2⁴ assignments of signs, 2 have a sum of at most 1: p = 2 · 2/16.
/// DIR, in sixtieths: 18, 9, 15, −5, 24: mean 61/300. The negative one has rank 1 of 5: p = 2 · 2/32.
/// IF50 = ΔP/96 + ΔDIR/2, in 480ths: 5·16 + 4·18 = 152, 5·18 + 4·9 = 126, 0 + 60 = 60, −20 − 20 = −40, 130 + 96 = 226; sum 524. p = 2 · 2/32.
fn losses(losses: &[SlumpLoss]) {
    let rows = [
        (LossMeasure::Mcf, 56.0 / 60.0, (3, 1, 1), 0.25),
        (LossMeasure::Dir, 61.0 / 300.0, (4, 0, 1), 0.125),
        (LossMeasure::If50, 524.0 / 2400.0, (4, 0, 1), 0.125),
    ];
    assert_eq!(losses.len(), rows.len());
    for (loss, (measure, mean, counts, p)) in losses.iter().zip(rows) {
        assert_eq!((loss.measure, (loss.wins, loss.ties, loss.losses), loss.pairs.len()), (measure, counts, 5));
        close(loss.mean_loss, mean, "loss");
        close(loss.p, p, "p");
    }
}

/// (guarded − emergent) / (single shot − emergent).
///
/// MCF: 6/16, 18/18, no gap, −2/−4, 12/26.
/// IF50, in 480ths: guarded − emergent is 5·6 + 4·12 = 78, 126, 10 + 60 = 70, −10 − 20 = −30, 60 + 48 = 108; by 152, 126, 60, −40, 226.
/// DIR change: (24 − 12)/12, (15 − 6)/6, (30 − 15)/15, (20 − 25)/25, and none where there was none before.
fn table_6(scores: &SlumpScores, summary: &SlumpSummary) {
    let rows = [
        ("hand_mill", Some(6.0 / 16.0), 78.0 / 152.0, Some(1.0)),
        ("horse_mill", Some(1.0), 1.0, Some(1.5)),
        ("steam_mill", None, 70.0 / 60.0, Some(1.0)),
        ("tidal_mill", Some(0.5), 0.75, Some(-0.2)),
        ("wind_mill", Some(12.0 / 26.0), 108.0 / 226.0, None),
    ];
    let guarded = summary.sessions.iter().filter(|one| one.condition == SlumpCondition::EMERGENT_GUARDED);
    let sizes: BTreeMap<_, _> = guarded.map(|one| (one.task.as_str(), one.guard.as_ref().unwrap().size)).collect();
    assert_eq!(scores.guard_effects.len(), rows.len());
    for (effect, (task, mcf, if50, dir)) in scores.guard_effects.iter().zip(rows) {
        assert_eq!(effect.task, task);
        for (value, expected) in
            [(effect.mcf_recovery, mcf), (effect.if50_recovery, Some(if50)), (effect.dir_change, dir)]
        {
            match expected {
                Some(expected) => close(value, expected, task),
                None => assert_eq!(value, None, "{task}"),
            }
        }
        close(effect.state_kb, sizes[task].kilobytes(), task);
        assert_eq!(effect.compaction_change, Some(0.0));
    }
}
