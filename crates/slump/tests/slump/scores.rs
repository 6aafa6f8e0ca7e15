//! Figures that are computed by hand.

#![allow(clippy::approx_constant, reason = "2.718 is a figure of the paper's, not e")]

use slopbench_metrics::integration::Integration;
use slopbench_slump::{
    SlumpCondition,
    scores::{Faithfulness, LossMeasure, RepositoryScores, aggregates, guard_effects, if50, recovery, slump_losses},
};

const GATE: &str = "def open_gate(x):\n    return x * 2\n\n\nLIMIT = 3\n";
const WHEEL: &str = "from gate import LIMIT, open_gate\n\n\ndef turn(x):\n    return min(open_gate(x), LIMIT)\n";
const STONE: &str = "class Stone:\n    def grind(self, x):\n        return x\n";
const MILL: &str = "import wheel\nfrom stone import Stone\n\n\ndef run(x):\n    return Stone().grind(wheel.turn(x))\n";
const MAIN: &str = "from mill import run\n\nif __name__ == \"__main__\":\n    run(1)\n";

/// What was done to the reference, the file with its new text (or none), the gate's score by a judge who is right, and the
/// symbols that are used and offered. The other three components are faithful.
type Degraded = (&'static str, &'static str, Option<&'static str>, u8, (u64, u64));

#[rustfmt::skip]
const FAMILY: &[Degraded] = &[
    ("nothing", "gate.py", Some(GATE), 4, (5, 5)),
    ("equivalent", "gate.py", Some("def open_gate(x):\n    return x + x\n\n\nLIMIT = 3\n"), 3, (5, 5)),
    ("simplified", "gate.py", Some("def open_gate(x):\n    return x\n\n\nLIMIT = 3\n"), 2, (5, 5)),
    ("wrong", "gate.py", Some("def open_gate(x):\n    return x / 2\n\n\nLIMIT = 3\n"), 1, (5, 5)),
    ("absent, and its importers name what is not there", "gate.py", None, 0, (3, 3)),
    ("a module bypassed", "wheel.py", Some("def turn(x):\n    return min(x + x, 3)\n"), 2, (3, 5)),
    ("a symbol unused", "wheel.py", Some("from gate import open_gate\n\n\ndef turn(x):\n    return min(open_gate(x), 3)\n"), 4, (4, 5)),
];

#[test]
fn a_degraded_family_of_one_reference_scores_as_counted_by_hand() {
    for (about, file, text, gate, (used, total)) in FAMILY {
        let reference =
            [("gate.py", GATE), ("wheel.py", WHEEL), ("stone.py", STONE), ("mill.py", MILL), ("main.py", MAIN)];
        let others = reference.into_iter().filter(|(path, _)| path != file);
        let sources: Vec<_> = others
            .chain(text.map(|text| (*file, text)))
            .map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()))
            .collect();
        let found = Integration::of_sources(&sources);
        assert_eq!((found.used, found.total), (*used, *total), "{about}: {found:?}");
        let faithfulness = Faithfulness::of([*gate, 4, 4, 4].map(Some));
        let mcf = (f64::from(*gate) + 12.0) / 4.0;
        assert_eq!(faithfulness.mcf, Some(mcf), "{about}");
        assert_eq!(found.dir, *used as f64 / *total as f64, "{about}");
        let scores =
            RepositoryScores { faithfulness: Some(faithfulness), ..of("t", SlumpCondition::EMERGENT, found.dir) };
        assert_eq!(scores.if50(), Some(mcf / 8.0 + *used as f64 / *total as f64 / 2.0), "{about}");
    }
}

/// Table 3 of the paper: 2.718 and 0.149 make 0.414, 3.031 and 0.303 make 0.530, and so on.
#[test]
fn implementation_faithfulness_is_the_papers() {
    for (mcf, dir, expected) in
        [(2.718, 0.149, 0.414), (3.031, 0.303, 0.530), (3.242, 0.148, 0.479), (3.245, 0.289, 0.550)]
    {
        assert!((if50(mcf, dir) - expected).abs() < 0.0006, "{mcf} {dir}");
    }
}

#[test]
fn a_component_without_a_verdict_is_left_out_and_never_absent() {
    let found = Faithfulness::of([Some(4), None, Some(1), Some(0), Some(2), None, Some(9)]);
    assert_eq!((found.levels, found.not_judged, found.mcf), ([1, 1, 1, 0, 1], 3, Some(7.0 / 4.0)));
    assert_eq!((found.severe(), found.faithful()), (2, 1));
    assert_eq!(Faithfulness::of([None]).mcf, None);
}

fn of(task: &str, condition: SlumpCondition, dir: f64) -> RepositoryScores {
    RepositoryScores {
        task: task.to_owned(),
        platform: "agent".to_owned(),
        condition: condition.name().to_owned(),
        repeat: 1,
        faithfulness: None,
        dir,
        compactions: None,
        state_kb: None,
        own_tests: None,
    }
}

/// Differences 0.1, 0.2, 0.3, 0 and −0.1: ranks 1.5, 3, 4 and 1.5, W⁻ = 1.5, and 3 of 16 assignments of signs are as low.
#[test]
fn a_loss_is_paired_by_task_and_tested() {
    let single = [("a", 0.5), ("b", 0.4), ("c", 0.3), ("d", 0.2), ("e", 0.6), ("alone", 0.9)];
    let emergent = [("a", 0.4), ("b", 0.2), ("c", 0.0), ("d", 0.2), ("e", 0.7)];
    let single = single.map(|(task, dir)| of(task, SlumpCondition::SINGLE_SHOT, dir));
    // Two repeats of one task count as their mean.
    let repeats = [of("c", SlumpCondition::EMERGENT, -0.1), of("c", SlumpCondition::EMERGENT, 0.1)];
    let emergent = emergent.map(|(task, dir)| of(task, SlumpCondition::EMERGENT, dir));
    let scores: Vec<_> = single.into_iter().chain(emergent).chain(repeats).collect();
    let losses = slump_losses(&scores);
    let [mcf, dir, if50] = &losses[..] else { panic!("{losses:?}") };
    assert_eq!((dir.measure, dir.pairs.len()), (LossMeasure::Dir, 5));
    assert_eq!((dir.wins, dir.ties, dir.losses, dir.p), (3, 1, 1, Some(0.375)));
    assert!(dir.mean_loss.is_some_and(|loss| (loss - 0.1).abs() < 1e-12), "{dir:?}");
    for unjudged in [mcf, if50] {
        assert_eq!((unjudged.pairs.len(), unjudged.mean_loss, unjudged.p), (0, None, None));
    }
}

/// Section 5.2: 2.718 without the guard, 3.000 with it, 3.031 with all at once: 90% of the gap.
#[test]
fn recovery_is_the_share_of_the_gap_that_is_closed() {
    let closed = recovery(3.0, 2.718, 3.031).unwrap();
    assert_eq!((closed * 100.0).round(), 90.0);
    assert_eq!(recovery(0.4, 0.3, 0.1 + 0.2), None, "a gap of rounding is none");
    assert!((recovery(0.1, 0.2, 0.4).unwrap() + 0.5).abs() < 1e-12, "wider than before");
}

#[test]
fn tables_are_means_over_tasks() {
    let judged = |one: RepositoryScores, scores: [u8; 2], compactions: u64| RepositoryScores {
        faithfulness: Some(Faithfulness::of(scores.map(Some))),
        compactions: Some(compactions),
        ..one
    };
    let scores = [
        judged(of("a", SlumpCondition::EMERGENT, 0.2), [2, 0], 5),
        judged(of("a", SlumpCondition::EMERGENT, 0.4), [4, 2], 7),
        judged(of("b", SlumpCondition::EMERGENT, 0.5), [4, 4], 1),
        judged(of("a", SlumpCondition::SINGLE_SHOT, 0.5), [4, 4], 0),
        RepositoryScores {
            state_kb: Some(390.0),
            ..judged(of("a", SlumpCondition::EMERGENT_GUARDED, 0.45), [4, 2], 2)
        },
    ];
    let table = aggregates(&scores);
    let rows: Vec<_> =
        table.iter().map(|row| (row.condition.as_str(), row.tasks, row.mcf, row.faithful, row.severe)).collect();
    // Of a, 1 and 3 make 2; with b's 4 that is 3.
    let expected = [
        ("emergent", 2, Some(3.0), 3, 1),
        ("single-shot", 1, Some(4.0), 2, 0),
        ("emergent-guarded", 1, Some(3.0), 1, 0),
    ];
    assert_eq!(rows, expected);
    assert!((table[0].dir.unwrap() - 0.4).abs() < 1e-12 && (table[0].if50.unwrap() - 0.575).abs() < 1e-12);
    let effects = guard_effects(&scores);
    assert_eq!(effects.len(), 1);
    let effect = &effects[0];
    // (3 − 2) / (4 − 2); DIR from 0.3 to 0.45; IF50 from 0.4 to 0.6, of 0.75.
    assert_eq!((effect.mcf_recovery, effect.state_kb, effect.compaction_change), (Some(0.5), Some(390.0), Some(-4.0)));
    assert!((effect.dir_change.unwrap() - 0.5).abs() < 1e-9, "{effect:?}");
    assert!((effect.if50_recovery.unwrap() - 0.2 / 0.35).abs() < 1e-9, "{effect:?}");
}
