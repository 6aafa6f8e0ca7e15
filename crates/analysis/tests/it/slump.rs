//! SLUMP's tables and figures, of figures of repositories that are made up by hand and of the repository's own tasks.

use std::path::Path;

use slopbench_analysis::{
    Cell, ResultTable,
    slump::{SlumpSet, slump_figures},
};
use slopbench_judge::calibration::JudgeIdentity;
use slopbench_slump::{
    SlumpTask,
    judging::{EXPOSURE_FORMAT, JudgedExposure, JudgedPrefix},
    load_tasks,
    own_tests::{OwnTests, OwnTestsOutcome},
    scores::{Faithfulness, RepositoryScores},
};

/// How many of twelve components are faithful, simplified, wrong and absent, and DIR.
type Left = ([usize; 4], f64);

/// By task: emergent, at once, emergent with a guard.
const REPOSITORIES: [(&str, [Left; 3]); 3] = [
    ("bounded_groups", [([6, 4, 0, 2], 0.25), ([12, 0, 0, 0], 0.5), ([9, 1, 0, 2], 0.375)]),
    ("grouped_drift", [([4, 4, 2, 2], 0.0), ([10, 2, 0, 0], 0.25), ([10, 2, 0, 0], 0.25)]),
    ("ranked_silence", [([8, 4, 0, 0], 0.5), ([8, 4, 0, 0], 0.25), ([9, 3, 0, 0], 0.5)]),
];

fn tasks() -> Vec<SlumpTask> {
    load_tasks(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tasks")).unwrap()
}

fn scores() -> Vec<RepositoryScores> {
    let of = |task: &str, condition: &str, (levels, dir): Left, state_kb| {
        let levels = [4, 2, 1, 0].into_iter().zip(levels).flat_map(|(score, count)| std::iter::repeat_n(score, count));
        RepositoryScores {
            task: task.to_owned(),
            platform: "agent-1 model".to_owned(),
            condition: condition.to_owned(),
            repeat: 1,
            faithfulness: Some(Faithfulness::of(levels.map(Some))),
            dir,
            compactions: None,
            state_kb,
            own_tests: None,
        }
    };
    let each = |(task, [emergent, at_once, guarded]): (&str, [Left; 3])| {
        [
            of(task, "emergent", emergent, None),
            of(task, "single-shot", at_once, None),
            of(task, "emergent-guarded", guarded, Some(12.5)),
        ]
    };
    REPOSITORIES.into_iter().flat_map(each).collect()
}

/// With nobody's word on what requests disclose but their authors'.
fn set(scores: Vec<RepositoryScores>) -> SlumpSet {
    SlumpSet::new(&tasks(), &[], scores, 1).unwrap()
}

fn table<'t>(tables: &'t [ResultTable], name: &str) -> &'t ResultTable {
    tables.iter().find(|table| table.name == name).unwrap()
}

/// The words and values of a table; what is absent is `None`.
fn values(table: &ResultTable, key: &str) -> Vec<Option<f64>> {
    (0..table.rows.len()).map(|row| table.cell(row, key).and_then(Cell::value)).collect()
}

fn close(table: &ResultTable, key: &str, expected: &[Option<f64>]) {
    let found = values(table, key);
    let is_close = |(found, expected): (&Option<f64>, &Option<f64>)| match (found, expected) {
        (Some(found), Some(expected)) => (found - expected).abs() < 1e-12,
        (found, expected) => found == expected,
    };
    assert!(
        found.len() == expected.len() && found.iter().zip(expected).all(is_close),
        "{key}: {found:?}, {expected:?}"
    );
}

/// P = 4F + 2S + W is 32, 26, 40 where it emerges, 48, 44, 40 at once, 38, 44, 42 with a guard; MCF = P/12 and IF50 = P/96 + DIR/2.
#[test]
fn tables_have_the_figures_that_are_computed_by_hand() {
    let tables = set(scores()).tables();
    let means = table(&tables, "slump-table-3");
    close(means, "mcf", &[Some(98.0 / 36.0), Some(132.0 / 36.0), Some(124.0 / 36.0)]);
    close(means, "dir", &[Some(0.25), Some(1.0 / 3.0), Some(0.375)]);
    close(means, "if50", &[Some(98.0 / 288.0 + 0.125), Some(132.0 / 288.0 + 1.0 / 6.0), Some(124.0 / 288.0 + 0.1875)]);
    close(means, "faithful", &[Some(18.0), Some(30.0), Some(28.0)]);
    close(means, "severe", &[Some(6.0), Some(0.0), Some(2.0)]);
    let losses = table(&tables, "slump-losses");
    close(losses, "loss", &[Some(34.0 / 36.0), Some(0.25 / 3.0), Some(34.0 / 288.0 + 0.125 / 3.0)]);
    close(losses, "wins", &[Some(2.0), Some(2.0), Some(2.0)]);
    close(losses, "ties", &[Some(1.0), Some(0.0), Some(0.0)]);
    // The guard's gain by the gap: 6/16, 18/18, and no gap.
    let guarded = table(&tables, "slump-table-6");
    close(guarded, "mcf_recovery", &[Some(6.0 / 16.0), Some(1.0), None]);
    close(guarded, "dir_change", &[Some(0.5), None, Some(0.0)]);
    close(guarded, "state_kb", &[Some(12.5); 3]);
    // Who scores is told beside scores alone.
    let told = set(scores()).with_standings(vec!["Nobody knows this judge.".to_owned()]).tables();
    for table in &told {
        let is_told = table.notes.iter().any(|note| note == "Nobody knows this judge.");
        assert_eq!(is_told, !["slump-figure-1", "slump-table-5"].contains(&&*table.name), "{}", table.name);
    }
    let sizes = table(&tables, "slump-table-5");
    close(sizes, "components", &[23.0, 22.0, 23.0, 24.0, 24.0].map(Some));
    close(sizes, "requests", &[58.0, 55.0, 52.0, 54.0, 57.0].map(Some));
}

#[test]
fn figures_are_the_same_to_the_byte_and_only_those_with_values_are_drawn() {
    let figures = slump_figures(&set(scores()).tables());
    assert_eq!(figures.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["slump-figure-1", "slump-figure-2"]);
    // A line for each task, a point for each request; a point for each task with both conditions.
    let [exposure, faithfulness] = &figures[..] else { panic!("two figures") };
    let points = |series: &slopbench_plot::Series| series.data.len();
    assert_eq!(exposure.panels[0].series.iter().map(points).collect::<Vec<_>>(), [58, 55, 52, 54, 57]);
    assert_eq!(faithfulness.panels[0].series.iter().map(points).collect::<Vec<_>>(), [3, 3]);
    for figure in &figures {
        insta::assert_binary_snapshot!(&format!("{}.svg", figure.name), figure.svg().into_bytes());
    }
    let unjudged = scores().into_iter().map(|one| RepositoryScores { faithfulness: None, ..one }).collect();
    let figures = slump_figures(&set(unjudged).tables());
    assert_eq!(figures.len(), 1, "nobody judged");
}

/// Of the three emergent sessions 2/4, 3/3 and 3/4 pass: ranks 1, 3, 2 beside IF50's 2, 1, 3 give ρ = 1 − 6·6/(3·8) = −1/2, and with one degree
/// of freedom p = 1 − 2/π · atan(1/√3) = 2/3. IF50 is 44/96, 26/96 and 64/96.
#[test]
fn own_tests_beside_if50_are_as_computed_by_hand() {
    let of = |[passed, failed, skipped, uncollected]: [usize; 4]| OwnTests {
        collected: passed + failed + skipped,
        uncollected: (0..uncollected).map(|at| format!("test_{at}.py")).collect(),
        passed,
        failed,
        skipped,
        ..OwnTests::none(OwnTestsOutcome::Whole)
    };
    let emergent = [[2, 1, 5, 1], [3, 0, 0, 0], [3, 1, 0, 0]].map(|counts| of(counts).rated());
    let others = [OwnTestsOutcome::NoTests, OwnTestsOutcome::TimedOut].map(OwnTests::none);
    let mut scores = scores();
    for (one, tests) in scores.iter_mut().filter(|one| one.condition == "emergent").zip(emergent) {
        one.own_tests = Some(tests);
    }
    for (one, tests) in scores.iter_mut().filter(|one| one.condition == "single-shot").zip(others) {
        one.own_tests = Some(tests);
    }
    let tables = set(scores).tables();
    let rows = table(&tables, "slump-figure-3");
    let some = |value: f64| Some(value);
    close(rows, "pass_rate", &[some(0.5), None, None, some(1.0), None, None, some(0.75), None, None]);
    close(rows, "collected", &[some(8.0), some(0.0), None, some(3.0), some(0.0), None, some(4.0), None, None]);
    let words: Vec<_> = (0..4).map(|row| rows.cell(row, "tests").cloned()).collect();
    let expected = ["run", "no tests", "not run", "run"].map(|word| Some(Cell::text(word)));
    assert_eq!(words, expected);
    assert_eq!(rows.cell(4, "pass_rate"), Some(&Cell::absent("timed out")));
    let found = table(&tables, "slump-own-tests");
    close(found, "sessions", &[some(3.0)]);
    close(found, "spearman", &[some(-0.5)]);
    close(found, "spearman_p", &[some(2.0 / 3.0)]);
    close(found, "pearson", &[some(-4.5 / (0.125_f64 * 2168.0 / 3.0).sqrt())]);
    let figures = slump_figures(&tables);
    let figure = figures.iter().find(|one| one.name == "slump-figure-3").unwrap();
    let [panel] = &figure.panels[..] else { panic!("one platform") };
    let points: Vec<_> = panel.series.iter().flat_map(|one| &one.data).map(|one| (one.x, one.y)).collect();
    assert_eq!(panel.series.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["emergent"]);
    assert_eq!(points, [(0.5, some(32.0 / 96.0 + 0.125)), (1.0, some(26.0 / 96.0)), (0.75, some(40.0 / 96.0 + 0.25))]);
    insta::assert_binary_snapshot!("slump-figure-3.svg", figure.svg().into_bytes());
}

/// A judge's word on the first task: of four components in 23, one after the second request and all four after the third are stated, and the
/// second is not judged whole.
#[test]
fn a_judges_curve_takes_the_place_of_the_authors() {
    let tasks = tasks();
    let task = &tasks[0];
    let levels = |request: usize| -> Vec<Option<u8>> {
        (0..task.components.len())
            .map(|place| match (request, place) {
                (1, 0) => Some(1),
                (2, 5) => None,
                (3, 0..4) => Some(4),
                (3, 4) => Some(2),
                _ => Some(0),
            })
            .collect()
    };
    let prefixes = (1..=3).map(|requests| JudgedPrefix { requests, levels: levels(requests) }).collect();
    let judged = JudgedExposure {
        format: EXPOSURE_FORMAT.to_owned(),
        task: task.name.clone(),
        digest: task.digest().unwrap(),
        judge: identity(),
        components: task.components.iter().map(|one| one.id.clone()).collect(),
        prefixes,
    };
    let tables = SlumpSet::new(&tasks, std::slice::from_ref(&judged), scores(), 1).unwrap().tables();
    let curves = table(&tables, "slump-figure-1");
    let share = |count: f64| Some(count / 23.0);
    assert_eq!(values(curves, "explicit")[..3], [Some(0.0), None, share(4.0)]);
    assert_eq!(values(curves, "recoverable")[..3], [share(1.0), None, share(5.0)]);
    let by = |row: usize| curves.cell(row, "by").cloned();
    assert_eq!([by(2), by(3)], [Some(Cell::text("judge")), Some(Cell::text("author"))]);
    // The last request was not judged: there are no rates.
    let sizes = table(&tables, "slump-table-5");
    assert_eq!(values(sizes, "rcr")[0], None);
    assert!(values(sizes, "rcr")[1].is_some());
    let figures = slump_figures(&tables);
    let drawn: Vec<_> = figures[0].panels[0].series[0].data.iter().map(|point| point.y).collect();
    assert_eq!(drawn, [Some(0.0), None, share(4.0)], "what is not judged is a gap");

    let of_other = |judged: JudgedExposure| SlumpSet::new(&tasks, &[judged], scores(), 1).unwrap_err().to_string();
    assert!(
        of_other(JudgedExposure { task: "tidal_mill".to_owned(), ..judged.clone() })
            .contains("no run has the task tidal_mill")
    );
    assert!(of_other(JudgedExposure { task: tasks[1].name.clone(), ..judged }).contains("judge it anew"));
}

fn identity() -> JudgeIdentity {
    let settings = serde_json::json!({
        "provider": "nobody", "model": "by-hand", "temperature": 0.0, "seed": 0, "calls": 8, "max_tokens": 4096,
    });
    let identity = serde_json::json!({"kind": "slump.exposure/1", "prompt": format!("sha256:{}", "0".repeat(64)), "settings": settings});
    serde_json::from_value(identity).unwrap()
}
