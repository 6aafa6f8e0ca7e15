//! The rubric over checkpoints, by a model that flags every comment that it is shown.

use serde_json::{Value, json};
use slopbench_gateway::api::Api;
use slopbench_judge::{
    Judge, JudgedTree, NotJudged, Question,
    rubric::{
        CheckpointFlags, CriterionKind, PlacedFlag, RubricAnswer, RubricQuestion, changed_parts, estimate_checkpoint,
        judge_checkpoint,
    },
};

use crate::{
    component::{folder, settings},
    model::{APIS, Model, Says, Seen, text},
};

/// The lines of the part that a request shows: number, whether it changed, text.
fn shown(seen: &Seen) -> Vec<(u32, bool, String)> {
    let (_, part) = seen.body.split_once("<<<PART\\n").unwrap();
    let (part, _) = part.split_once("\\nPART>>>").unwrap();
    let line = |line: &str| {
        let (number, text) = line.split_once("| ")?;
        let number = number.trim_end_matches(['+', ' ']).parse().ok()?;
        Some((number, line.contains("+|"), text.to_owned()))
    };
    part.split("\\n").filter_map(line).collect()
}

fn flag(criterion: &str, line: u32) -> Value {
    json!({"criterion": criterion, "first": line, "last": line, "why": "It says what stands there."})
}

/// Flags each comment that is shown, changed or not, and each that is called a workaround.
fn flagging(seen: &Seen) -> Says {
    if seen.body.contains("unanswerable") {
        return text("I would rather not say.");
    }
    let lines = shown(seen);
    let comments = lines.iter().filter(|(.., text)| text.starts_with('#'));
    let of = |text: &str| if text.contains("workaround") { "workaround-kept" } else { "narrating-comment" };
    let flags: Vec<_> = comments.map(|(number, _, text)| flag(of(text), *number)).collect();
    text(json!({"flags": flags}))
}

fn places(flags: &[PlacedFlag]) -> Vec<(&str, &str, u32)> {
    flags.iter().map(|one| (one.path.as_str(), one.flag.criterion.as_str(), one.flag.first)).collect()
}

fn tree(files: &[(&str, &str)]) -> JudgedTree {
    JudgedTree::read(folder(files).path()).unwrap()
}

#[tokio::test]
async fn flags_on_unchanged_lines_are_carried_and_new_ones_stand_apart() {
    let filler: String = (0..20).map(|line| format!("x = {line}\n")).collect();
    let first =
        tree(&[("a.py", &format!("# one\n{filler}# two\n")), ("b.py", "# three\ny = 1\n"), ("c.py", "z = 1\n")]);
    // A line before moves `# two`, `# one` is gone, `b.py` is as it was, `c.py` has two more.
    let second = tree(&[
        ("a.py", &format!("w = 0\n{filler}# two\n")),
        ("b.py", "# three\ny = 1\n"),
        ("c.py", "# four\n# a workaround\nz = 1\n"),
    ]);
    let third = tree(&[("a.py", &format!("v = 9\nw = 0\n{filler}# two\n")), ("b.py", "# 3\ny = 1\n")]);
    for api in APIS {
        let model = Model::new(api, flagging).await;
        let judge = Judge::new(model.client(), settings());
        let one = judge_checkpoint(&judge, None, &first, None).await.unwrap();
        let comment = "narrating-comment";
        assert_eq!(places(&one.new), [("a.py", comment, 1), ("a.py", comment, 22), ("b.py", comment, 1)]);
        assert_eq!((one.carried.len(), one.changed_lines), (0, 25));
        let two = judge_checkpoint(&judge, Some((&first, &one)), &second, Some("Do it.")).await.unwrap();
        assert_eq!(places(&two.new), [("c.py", comment, 1), ("c.py", "workaround-kept", 2)]);
        assert_eq!(places(&two.carried), [("a.py", comment, 22), ("b.py", comment, 1)]);
        let counts = [CriterionKind::Verbosity, CriterionKind::Erosion].map(|kind| two.count(kind));
        assert_eq!(counts.map(|count| (count.new, count.carried)), [(1, 2), (1, 0)]);
        let three = judge_checkpoint(&judge, Some((&second, &two)), &third, None).await.unwrap();
        assert_eq!(places(&three.new), [("b.py", comment, 1)]);
        assert_eq!(places(&three.carried), [("a.py", comment, 23)]);
        assert_eq!(model.asked().len(), 3 + 2 + 2, "what did not change is not asked about");
    }
}

#[tokio::test]
async fn flags_beside_the_change_and_parts_without_a_verdict_are_kept_apart() {
    let before = tree(&[("a.py", "# old\nx = 1\n")]);
    let after = tree(&[("a.py", "# old\nx = 2\n"), ("b.py", "# unanswerable\n")]);
    let model = Model::new(Api::OpenaiChat, flagging).await;
    let judge = Judge::new(model.client(), settings());
    let nothing = CheckpointFlags::default();
    let found = judge_checkpoint(&judge, Some((&before, &nothing)), &after, None).await.unwrap();
    assert_eq!((places(&found.new), places(&found.beside)), (vec![], vec![("a.py", "narrating-comment", 1)]));
    assert_eq!(found.not_judged.len(), 1);
    assert_eq!((found.not_judged[0].path.as_str(), found.not_judged[0].lines), ("b.py", 1));
    assert_eq!(found.not_judged[0].reason, NotJudged::Prose);
    let estimate = estimate_checkpoint(&judge, Some(&before), &after, None).unwrap();
    assert_eq!(estimate.questions, 2);
    assert!(estimate.usd.unwrap() > 0.0);
}

#[test]
fn a_criterion_that_there_is_not_is_no_answer() {
    let after = tree(&[("a.py", "x = 1\n")]);
    let parts = changed_parts(None, &after);
    let question = RubricQuestion::new(&parts[0], None);
    let answer =
        |criterion: &str| -> RubricAnswer { serde_json::from_value(json!({"flags": [flag(criterion, 1)]})).unwrap() };
    assert_eq!(question.check(&answer("dead-definition")), Ok(()));
    assert_eq!(question.check(&answer("ugly")), Err("there is no criterion \"ugly\"".to_owned()));
    let names = question
        .schema()
        .pointer("/properties/flags/items/properties/criterion/enum")
        .unwrap()
        .as_array()
        .unwrap()
        .len();
    assert_eq!(names, 45);
}
