//! Calibration: samples, blind sheets, and figures against scikit-learn, SciPy and statsmodels.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{collections::BTreeMap, fs, path::Path};

use serde::Deserialize;
use slopbench_digest::Sha256;
use slopbench_judge::{
    JudgeSettings,
    calibration::{
        CalibrationReport, CalibrationSample, Drift, JUDGEMENTS_FORMAT, JudgeIdentity, JudgeStanding, JudgedItem,
        JudgedItems, Measured, RaterAgreement, ScoreLevel, ScoreScale, read_sheet,
    },
};

fn identity(model: &str) -> JudgeIdentity {
    JudgeIdentity {
        kind: "test/1".to_owned(),
        prompt: Sha256::of(b"prompt"),
        settings: JudgeSettings::new("acme", model),
        votes: 1,
    }
}

/// 300 items of three tasks and two agents; level 0 is rare, and every tenth was not judged.
fn items() -> JudgedItems {
    let level = |name: &str| ScoreLevel { name: name.to_owned(), meaning: format!("It is {name}.") };
    let item = |index: usize| JudgedItem {
        id: format!("item-{index}"),
        labels: BTreeMap::from([
            ("task".to_owned(), format!("task-{}", index % 3)),
            ("agent".to_owned(), format!("agent-{}", index % 2)),
        ]),
        question: format!("Is component {index} <there>, \"quoted\"?\nLook & see."),
        place: format!("runs/{index}"),
        score: (index % 10 != 9).then_some(if index.is_multiple_of(29) { 0 } else { 1 + index % 4 }),
    };
    let scale = ScoreScale {
        instructions: "Look, then score.".to_owned(),
        levels: ["absent", "wrong", "simplified", "equivalent", "faithful"].map(level).to_vec(),
    };
    JudgedItems {
        format: JUDGEMENTS_FORMAT.to_owned(),
        judge: identity("m"),
        scale,
        items: (0..300).map(item).collect(),
    }
}

fn by() -> Vec<String> {
    vec!["task".to_owned(), "agent".to_owned()]
}

#[test]
fn a_sample_has_something_of_each_stratum_and_follows_from_its_seed() {
    let all = items();
    let sample = CalibrationSample::draw(&all, 120, &by(), 7).unwrap();
    assert_eq!((sample.items.len(), sample.judged, sample.not_judged), (120, 270, 30));
    let stratum = |item: &JudgedItem| (item.labels["task"].clone(), item.labels["agent"].clone(), item.score);
    let strata = |items: &mut dyn Iterator<Item = &JudgedItem>| {
        items.filter(|item| item.score.is_some()).map(stratum).collect::<std::collections::BTreeSet<_>>()
    };
    let drawn = strata(&mut sample.items.iter().map(|one| &one.item));
    assert_eq!(drawn, strata(&mut all.items.iter()));
    assert_eq!(CalibrationSample::draw(&all, 120, &by(), 7).unwrap(), sample);
    let other = CalibrationSample::draw(&all, 120, &by(), 8).unwrap();
    assert_ne!(other.items, sample.items);
    let mut shuffled = all.clone();
    shuffled.items.reverse();
    assert_eq!(CalibrationSample::draw(&shuffled, 120, &by(), 7).unwrap().items, sample.items);
    for (pairs, by, expected) in [
        (0, by(), "expected 1 to 270"),
        (271, by(), "271 pairs are asked for of 270"),
        (9, vec!["place".to_owned()], "has no label `place`"),
    ] {
        let error = CalibrationSample::draw(&all, pairs, &by, 7).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

/// The sheets of two samples that differ in the judge's scores alone are the same to the byte.
#[test]
fn sheets_say_nothing_of_the_judge() {
    let dir = tempfile::tempdir().unwrap();
    let sample = CalibrationSample::draw(&items(), 40, &by(), 7).unwrap();
    let mut other = sample.clone();
    other.judge = identity("another-model");
    other.items.iter_mut().for_each(|one| one.item.score = Some(0));
    let written = [(&sample, "a"), (&other, "b")].map(|(sample, name)| {
        let [_, html, csv] = sample.write(&dir.path().join(name)).unwrap();
        [html, csv].map(|path| fs::read_to_string(path).unwrap())
    });
    assert_eq!(written[0], written[1]);
    let [html, csv] = &written[0];
    assert!(html.contains("Is component") && html.contains("&lt;there&gt;, &quot;quoted&quot;?\nLook &amp; see."));
    assert!(!html.contains("<there>") && !html.contains("http://") && !html.contains("https://"));
    assert_eq!(html.matches("type=\"radio\"").count(), 40 * 5);
    assert!(!html.contains("item-") && !csv.contains("item-") && csv.starts_with("item,question,place,score,note\n"));
}

#[test]
fn what_people_fill_in_is_read_back_and_flaws_are_named_with_their_line() {
    let dir = tempfile::tempdir().unwrap();
    let sample = CalibrationSample::draw(&items(), 4, &[], 7).unwrap();
    let codes: Vec<_> = sample.items.iter().map(|one| one.code.as_str()).collect();
    let read = |text: &str| {
        let path = dir.path().join("anna.csv");
        fs::write(&path, text).unwrap();
        read_sheet(&sample, &path)
    };
    let ratings = read(&format!(
        "\u{feff}item,score,note\n\"{}\",\"4\",\"a, \"\"b\"\"\"\n{}, 0 ,\n{},,\n",
        codes[0], codes[1], codes[2]
    ))
    .unwrap();
    assert_eq!(ratings.rater, "anna");
    assert_eq!(ratings.scores, BTreeMap::from([(codes[0].to_owned(), 4), (codes[1].to_owned(), 0)]));
    let flaws = [
        ("item,note\n".to_owned(), "anna.csv:1: there is no column `score`"),
        (format!("item,score\n{},5\n", codes[0]), "anna.csv:2: the score is \"5\", expected 0 to 4"),
        (format!("item,score\n{0},1\n{0},1\n", codes[0]), "anna.csv:3: the item"),
        ("item,score\nabc,1\n".to_owned(), "anna.csv:2: the sample has no item \"abc\""),
    ];
    for (text, expected) in flaws {
        let error = read(&text).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn two_people_are_compared_with_the_judge_and_with_each_other() {
    let dir = tempfile::tempdir().unwrap();
    let sample = CalibrationSample::draw(&items(), 60, &by(), 7).unwrap();
    let sheet = |name: &str, score: &dyn Fn(usize, usize) -> usize| {
        let rows = sample.items.iter().enumerate();
        let row = |(index, one): (usize, &slopbench_judge::calibration::SampledItem)| {
            format!("{},{}\n", one.code, score(index, one.item.score.unwrap()))
        };
        let path = dir.path().join(name);
        fs::write(&path, format!("item,score\n{}", rows.map(row).collect::<String>())).unwrap();
        read_sheet(&sample, &path).unwrap()
    };
    let people = [
        sheet("anna.csv", &|_, score| score),
        sheet("ben.csv", &|index, score| if index.is_multiple_of(6) { 4 - score } else { score }),
    ];
    let report = CalibrationReport::new(&sample, &people).unwrap();
    let names: Vec<_> = report.agreements.iter().map(|one| (one.first.as_str(), one.second.as_str())).collect();
    assert_eq!(names, [("anna", "judge"), ("ben", "judge"), ("anna", "ben")]);
    assert_eq!(report.agreements[0].quadratic_kappa.value, Some(1.0));
    assert_eq!(report.agreements[1].confusion, {
        let mut transposed = report.agreements[2].confusion.clone();
        (0..5).for_each(|a| (0..5).for_each(|b| transposed[a][b] = report.agreements[2].confusion[b][a]));
        transposed
    });
    let path = dir.path().join("calibration.json");
    report.write(&path).unwrap();
    assert_eq!(CalibrationReport::load(&path).unwrap(), report);
    assert!(CalibrationReport::new(&sample, &[people[0].clone(), people[0].clone()]).is_err());

    let standing = |judge: &JudgeIdentity, report| JudgeStanding::of(judge, report).to_string();
    assert!(standing(&identity("m"), None).contains("is not calibrated: how far people agree with it is unknown"));
    assert!(standing(&identity("n"), Some(&report)).contains("the calibration is of another model"));
    let voting = JudgeIdentity { votes: 3, ..identity("m") };
    assert!(standing(&voting, Some(&report)).contains("the calibration is of another model, prompt or setting"));
    assert!(standing(&identity("m"), Some(&report)).contains("2 people on 60 items: quadratic kappa at least 0."));
    // Who scored three of sixty was compared on three.
    let mut hasty = people.clone();
    hasty[1].scores = hasty[1].scores.clone().into_iter().take(3).collect();
    let hasty = CalibrationReport::new(&sample, &hasty).unwrap();
    assert!(standing(&identity("m"), Some(&hasty)).contains("2 people on 3 items"));
}

#[test]
fn another_model_on_the_same_items_is_compared() {
    let first = items();
    let mut second = JudgedItems { judge: identity("m2"), ..first.clone() };
    second.items.iter_mut().for_each(|item| item.score = item.score.map(|score| (score + 1).min(4)));
    second.items[0].score = None;
    second.items[9].score = Some(1);
    second.items[2].id = "renamed".to_owned();
    let drift = Drift::between(&first, &second).unwrap();
    assert_eq!((drift.only_in_one, drift.newly_judged, drift.no_longer_judged), (2, 1, 1));
    let moved = first.items.iter().enumerate().filter(|(index, item)| ![0, 2].contains(index) && item.score.is_some());
    let moved: Vec<_> = moved.map(|(_, item)| f64::from(u8::from(item.score != Some(4)))).collect();
    assert_eq!(drift.shift.value, Some(moved.iter().sum::<f64>() / moved.len() as f64));
    assert_eq!((drift.agreement.within_one.value, drift.agreement.within_one.pairs), (Some(1.0), 268));
    second.scale.levels.pop();
    assert!(Drift::between(&first, &second).is_err());
}

#[test]
fn a_flawed_file_of_judged_items_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("judgements.json");
    let load = |change: &dyn Fn(&mut JudgedItems)| {
        let mut items = items();
        change(&mut items);
        fs::write(&path, serde_json::to_string(&items).unwrap()).unwrap();
        JudgedItems::load(&path).map_err(|error| error.to_string())
    };
    assert_eq!(load(&|_| {}).unwrap(), items());
    type Change = fn(&mut JudgedItems);
    let flaws: [(Change, &str); 4] = [
        (|items| items.format = "slopbench.judgements/9".to_owned(), "this version reads format"),
        (|items| items.items[1].id = "item-0".to_owned(), "two items have the id \"item-0\""),
        (|items| items.items[1].score = Some(5), "has the score 5, expected 0 to 4"),
        (|items| items.scale.levels.truncate(1), "the scale has 1 levels"),
    ];
    for (change, expected) in flaws {
        let error = load(&change).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}

#[derive(Deserialize)]
struct Raters {
    first: Vec<usize>,
    second: Vec<usize>,
    levels: usize,
    kappa: [f64; 3],
    spearman: [f64; 3],
    exact: [f64; 3],
    within_one: [f64; 3],
    confusion: Vec<Vec<usize>>,
}

#[derive(Deserialize)]
struct Fixture {
    cases: Vec<Raters>,
}

#[test]
fn figures_and_intervals_are_those_of_scikit_learn_scipy_and_statsmodels() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../stats/tests/fixtures/raters.json");
    let fixture: Fixture = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    assert!(fixture.cases.len() >= 4);
    let close = |measured: &Measured, expected: [f64; 3], what: &str| {
        let told = [measured.value, measured.low, measured.high].map(Option::unwrap);
        let is_close = told.iter().zip(expected).all(|(told, expected)| (told - expected).abs() < 1e-12);
        assert!(is_close, "{what}: {told:?}, expected {expected:?}");
    };
    for case in fixture.cases {
        let pairs: Vec<_> = case.first.into_iter().zip(case.second).collect();
        let told = RaterAgreement::of("a", "b", &pairs, case.levels);
        close(&told.quadratic_kappa, case.kappa, "kappa");
        close(&told.spearman, case.spearman, "spearman");
        close(&told.exact, case.exact, "exact");
        close(&told.within_one, case.within_one, "within one");
        assert_eq!(told.confusion, case.confusion);
    }
}
