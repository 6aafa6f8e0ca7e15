//! Every way in which a model does not answer is its own outcome.

use serde_json::json;
use slopbench_gateway::api::Api;
use slopbench_judge::{Judge, JudgedTree, Judgement, NotJudged, Outcome};

use crate::{
    component::{LOSS, Verdict, component, folder, settings, verdict},
    model::{APIS, Model, Says, Seen, call, text},
};

async fn judged(api: Api, says: impl Fn(&Seen) -> Says + Send + Sync + 'static) -> (Judgement<Verdict>, Vec<Seen>) {
    let tree = folder(&[LOSS]);
    let tree = JudgedTree::read(tree.path()).unwrap();
    let model = Model::new(api, says).await;
    let judged = Judge::new(model.client(), settings()).judge(&component(), Some(&tree), 0).await.unwrap();
    (judged, model.asked())
}

fn reason(judged: &Judgement<Verdict>) -> &NotJudged {
    let Outcome::NotJudged { reason } = &judged.outcome else { panic!("{judged:?}") };
    assert_eq!(judged.score, None, "no silent 0");
    reason
}

fn twice() -> String {
    format!("{} or rather {}", verdict(1, "a"), verdict(4, "b"))
}

type Behaviour = fn(&Seen) -> Says;

/// What a model does again and again, and what becomes of it.
fn behaviours() -> Vec<(Behaviour, NotJudged)> {
    vec![
        (|_| text(""), NotJudged::Silent),
        (|_| text("It looks faithful to me."), NotJudged::Prose),
        (|_| text(twice()), NotJudged::AnsweredTwice { verdicts: 2 }),
        (|_| Says::CutOff("{\"score\": 4, \"evid".to_owned()), NotJudged::CutOff),
        (|_| text(verdict(9, "")), NotJudged::Malformed { flaw: "the score is 9, expected 0 to 4".to_owned() }),
        (|_| call("list", json!({})), NotJudged::CallsSpent { calls: 8 }),
    ]
}

#[tokio::test]
async fn a_model_that_gives_no_verdict_is_asked_once_more_and_then_not_judged() {
    for api in APIS {
        for (behaviour, expected) in behaviours() {
            let (judged, asked) = judged(api, behaviour).await;
            assert_eq!(*reason(&judged), expected, "{api:?}");
            assert_eq!(judged.asked_again.as_ref(), Some(&expected), "{api:?}");
            let alone: Vec<_> = asked.iter().map(|seen| seen.alone).collect();
            assert_eq!(alone.iter().filter(|alone| **alone).count(), 1, "{api:?}: {alone:?}");
            assert_eq!(judged.requests as usize, asked.len());
        }
        let (judged, _) = judged(api, |_| Says::Refusal).await;
        assert!(matches!(reason(&judged), NotJudged::Refused { .. }), "{api:?}");
    }
}

#[tokio::test]
async fn a_verdict_at_the_second_time_of_asking_counts_and_says_why_it_was_asked() {
    for api in APIS {
        for (behaviour, expected) in behaviours() {
            let late = move |seen: &Seen| match seen.alone {
                true => text(verdict(2, "src/loss.py:2")),
                false => behaviour(seen),
            };
            let (judged, _) = judged(api, late).await;
            assert_eq!((judged.score, judged.asked_again), (Some(2.0), Some(expected)), "{api:?}");
        }
    }
}

#[tokio::test]
async fn the_ninth_call_is_refused() {
    for api in APIS {
        let (judged, asked) = judged(api, |seen: &Seen| match seen.alone {
            true => text(verdict(2, "src/loss.py:2")),
            false => call("read", json!({"path": "src/loss.py"})),
        })
        .await;
        let refused: Vec<_> = judged.calls.iter().map(|call| call.refused).collect();
        assert_eq!(refused, [&[false; 8][..], &[true]].concat());
        let last = asked.last().unwrap();
        assert_eq!(last.results.len(), 9);
        assert!(last.results[7].contains("-- looks left: 0") && last.results[7].contains("mean_of_squares"));
        assert_eq!(last.results[8], "-- refused: all 8 looks are spent; give the verdict now\n");
        assert_eq!((asked.len(), judged.score), (10, Some(2.0)));
    }
}

#[tokio::test]
async fn nine_calls_at_once_are_eight_and_a_refusal() {
    let (judged, asked) = judged(Api::AnthropicMessages, |seen: &Seen| match seen.alone {
        true => text(verdict(2, "")),
        false => Says::Calls(vec![("list", json!({})); 9]),
    })
    .await;
    assert_eq!(judged.calls.iter().filter(|call| !call.refused).count(), 8);
    assert_eq!((asked.len(), asked[1].results.len()), (2, 9));
}

#[tokio::test]
async fn eight_calls_and_a_verdict_are_within_bounds() {
    let (judged, _) = judged(Api::OpenaiChat, |seen: &Seen| match seen.results.len() {
        8 => text(verdict(4, "src/loss.py:2")),
        _ => call("list", json!({})),
    })
    .await;
    assert_eq!((judged.score, judged.asked_again, judged.calls.len()), (Some(4.0), None, 8));
}

#[tokio::test]
async fn evidence_that_is_not_there_is_marked() {
    let cited = "src/loss.py:2, src/loss.py:3, src/gone.py:1 and src/loss.py:1-2";
    let (judged, _) = judged(Api::OpenaiChat, move |_| text(verdict(4, cited))).await;
    let Outcome::Answered { evidence, .. } = &judged.outcome else { panic!("{judged:?}") };
    let exists: Vec<_> = evidence.iter().map(|one| one.exists).collect();
    assert_eq!(exists, [true, false, false, true]);
    let unfounded: Vec<_> = judged.outcome.unfounded().map(|one| one.citation.path.as_str()).collect();
    assert_eq!(unfounded, ["src/loss.py", "src/gone.py"]);
}

#[tokio::test]
async fn a_verdict_beside_a_call_and_another_one_later_are_two() {
    let (judged, _) = judged(Api::AnthropicMessages, |seen: &Seen| match seen.results.len() {
        0 => Says::Both(verdict(1, "").to_string(), "list", json!({})),
        _ => text(verdict(4, "")),
    })
    .await;
    assert_eq!(judged.asked_again, Some(NotJudged::AnsweredTwice { verdicts: 2 }));
    assert_eq!(judged.score, Some(4.0), "asked for the verdict alone, it gives one");
}

#[tokio::test]
async fn a_tool_that_there_is_not_and_arguments_that_are_none_count_and_say_so() {
    let (_, asked) = judged(Api::OpenaiChat, |seen: &Seen| match seen.results.len() {
        0 => call("shell", json!({"command": "ls"})),
        1 => call("read", json!({"path": 7})),
        2 => call("read", json!({"path": "src/loss.py", "from": 0})),
        3 => call("read", json!({"path": "../../etc/passwd"})),
        _ => text(verdict(0, "not found")),
    })
    .await;
    let results = &asked.last().unwrap().results;
    let expected = [
        "-- there is no tool \"shell\"",
        "-- path is 7; expected a text",
        "-- from is 0; expected a number from 1",
        "-- there is no file",
    ];
    for (result, expected) in results.iter().zip(expected) {
        assert!(result.starts_with(expected), "{result}");
    }
    assert!(results[3].ends_with("-- looks left: 4\n"), "{}", results[3]);
}

/// A call that is none is the model's doing: it is told so where the API has room for that, paid, and ends no judging.
#[tokio::test]
async fn a_garbled_call_ends_no_judging_and_is_paid() {
    for arguments in ["{pattern: x}", "[]"] {
        for api in APIS {
            let (judged, asked) = judged(api, move |seen: &Seen| match seen.alone || !seen.results.is_empty() {
                true => text(verdict(2, "src/loss.py:2")),
                false => Says::Garbled(arguments),
            })
            .await;
            assert_eq!((judged.score, judged.requests), (Some(2.0), 2), "{api:?}");
            assert_eq!((judged.usage.input, judged.usage.output), (2000, 20), "{api:?}");
            let results = &asked[1].results;
            match api {
                Api::OpenaiChat | Api::OpenaiResponses => {
                    assert_eq!(results[0], "-- the arguments are no JSON object\n-- looks left: 7\n");
                    assert_eq!(judged.asked_again, None);
                }
                _ => assert!(matches!(judged.asked_again, Some(NotJudged::Malformed { .. })), "{api:?}"),
            }
        }
    }
}
