//! Who is asked, what is kept, and what it costs.

use std::sync::Arc;

use serde_json::json;
use slopbench_gateway::{
    api::Api,
    client::Client,
    player::Player,
    script::{Script, ScriptedAnswer, ScriptedCall},
    server::Mode,
};
use slopbench_judge::{Judge, JudgeBudget, JudgeError, JudgeSettings, JudgedTree, JudgementCache, Outcome, VoteRule};

use crate::{
    component::{Component, LOSS, component, folder, settings, verdict},
    model::{APIS, Model, Says, Seen, call, client, text},
};

/// Searches, reads where something was found, and judges by that.
fn honest(seen: &Seen) -> Says {
    match seen.results.as_slice() {
        [] => call("search", json!({"pattern": "mean_of_squares"})),
        [found] if found.contains("loss.py:2:") => call("read", json!({"path": "src/loss.py"})),
        [_] => text(verdict(0, "not found")),
        [_, read, ..] if read.contains("2|     return mean_of_squares") => text(verdict(4, "src/loss.py:1-2")),
        _ => text(verdict(1, "src/loss.py:1")),
    }
}

#[tokio::test]
async fn every_api_is_asked_recorded_and_replayed_and_what_is_kept_asks_nobody() {
    let (dir, tree) = (tempfile::tempdir().unwrap(), folder(&[LOSS]));
    let tree = JudgedTree::read(tree.path()).unwrap();
    for api in APIS {
        let model = Model::new(api, honest).await;
        let recorder = Client::recorder("judge 1");
        let asking = client(api, Mode::Record(model.forwarder(), recorder.clone()));
        let cache = JudgementCache::new(dir.path().join(format!("{api:?}")));
        let judge = Judge::new(asking, settings()).with_cache(cache.clone());
        let judged = judge.judge(&component(), Some(&tree), 0).await.unwrap();
        assert_eq!((judged.score, judged.requests, judged.calls.len()), (Some(4.0), 3, 2), "{api:?}");
        assert_eq!((judged.usage.input, judged.usage.output), (3000, 30));
        assert!((judged.cost_usd.unwrap() - 0.0033).abs() < 1e-12);
        let Outcome::Answered { evidence, .. } = &judged.outcome else { panic!("{judged:?}") };
        assert!(evidence.len() == 1 && evidence[0].exists);

        // Recorded: the same conversation without a provider.
        let cassette = dir.path().join("judge.jsonl");
        recorder.save(&cassette).await.unwrap();
        let replaying = client(api, Mode::Replay(Client::replay(&cassette).unwrap()));
        let replayed = Judge::new(replaying, settings()).judge(&component(), Some(&tree), 0).await.unwrap();
        assert_eq!(replayed, judged);

        // Kept: nobody is asked, and what is not kept says so.
        assert_eq!(judge.judge(&component(), Some(&tree), 0).await.unwrap(), judged);
        assert_eq!(model.asked().len(), 3);
        let offline = Judge::of_cache(cache.clone(), settings());
        assert_eq!(offline.judge(&component(), Some(&tree), 0).await.unwrap(), judged);
        let error = offline.judge(&component(), Some(&tree), 1).await.unwrap_err();
        assert!(matches!(error, JudgeError::NotCached { vote: 1, .. }), "{error}");
        assert!(error.to_string().contains("is not in the cache"), "{error}");
    }
}

#[tokio::test]
async fn whatever_is_asked_otherwise_is_another_judgement() {
    let (first, second) = (folder(&[LOSS]), folder(&[LOSS, ("b.py", "")]));
    let (first, second) = (JudgedTree::read(first.path()).unwrap(), JudgedTree::read(second.path()).unwrap());
    let judge = |settings| Judge::of_cache(JudgementCache::new("nowhere"), settings);
    let key = judge(settings()).key(&component(), Some(&first), 0).unwrap().digest().unwrap();
    let other = Component { component: "another".to_owned() };
    let changed = |change: fn(&mut JudgeSettings)| {
        let mut settings = settings();
        change(&mut settings);
        judge(settings).key(&component(), Some(&first), 0).unwrap()
    };
    let others = [
        judge(settings()).key(&other, Some(&first), 0).unwrap(),
        judge(settings()).key(&component(), Some(&second), 0).unwrap(),
        judge(settings()).key(&component(), None, 0).unwrap(),
        judge(settings()).key(&component(), Some(&first), 1).unwrap(),
        changed(|settings| settings.model = "n".to_owned()),
        changed(|settings| settings.provider = "other".to_owned()),
        changed(|settings| *settings = settings.clone().of_script(b"one")),
        changed(|settings| *settings = settings.clone().of_script(b"two")),
        changed(|settings| settings.temperature = None),
        changed(|settings| settings.calls = 7),
        changed(|settings| settings.max_tokens = 201),
    ];
    let digests: std::collections::BTreeSet<_> = others.iter().map(|key| key.digest().unwrap()).collect();
    assert_eq!(digests.len(), others.len());
    assert!(!digests.contains(&key));
    let copy = folder(&[LOSS]);
    let copy = JudgedTree::read(copy.path()).unwrap();
    assert_eq!(judge(settings()).key(&component(), Some(&copy), 0).unwrap().digest().unwrap(), key);
}

#[tokio::test]
async fn what_was_edited_in_the_cache_is_refused() {
    let (dir, tree) = (tempfile::tempdir().unwrap(), folder(&[LOSS]));
    let tree = JudgedTree::read(tree.path()).unwrap();
    let model = Model::new(Api::OpenaiChat, honest).await;
    let cache = JudgementCache::new(dir.path());
    let judge = Judge::new(model.client(), settings()).with_cache(cache.clone());
    let judged = judge.judge(&component(), Some(&tree), 0).await.unwrap();
    let path = cache.path(&judged.key).unwrap();
    let kept = std::fs::read_to_string(&path).unwrap();
    let flaws = [
        (kept.replace("\"vote\": 0", "\"vote\": 1"), "another question"),
        (kept.replace("slopbench.judgement/1", "slopbench.judgement/2"), "this version reads format"),
        (kept.replace("\"score\": 4.0,\n  \"usage\"", "\"scores\": 4.0,\n  \"usage\""), "unknown field"),
    ];
    for (text, expected) in flaws {
        assert_ne!(text, kept, "{expected}");
        std::fs::write(&path, text).unwrap();
        let error = judge.judge(&component(), Some(&tree), 0).await.unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains("remove the file"), "{error}");
    }
}

#[tokio::test]
async fn a_budget_is_kept_before_it_is_exceeded_and_shared() {
    let tree = folder(&[LOSS]);
    let tree = JudgedTree::read(tree.path()).unwrap();
    let model = Model::new(Api::OpenaiChat, honest).await;
    let budget = Arc::new(JudgeBudget::new(Some(0.0075)));
    let judge = |settings| Judge::new(model.client(), settings).with_budget(Arc::clone(&budget));
    // Three requests of $0.0011, of each at most 200 tokens written are set aside.
    judge(settings()).judge(&component(), Some(&tree), 0).await.unwrap();
    let error = judge(settings()).judge(&component(), Some(&tree), 1).await.unwrap_err();
    assert!(matches!(error, JudgeError::BudgetSpent { .. }), "{error}");
    assert!(budget.spent_usd() <= 0.0075 && budget.spent_usd() > 0.0033, "{}", budget.spent_usd());
    let error = judge(JudgeSettings::new("acme", "unpriced")).judge(&component(), Some(&tree), 0).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no price of unpriced, so that a budget cannot be kept: add one to a catalogue, or judge without a budget"
    );
}

#[tokio::test]
async fn what_is_estimated_is_never_exceeded() {
    let (dir, tree) = (tempfile::tempdir().unwrap(), folder(&[LOSS]));
    let tree = JudgedTree::read(tree.path()).unwrap();
    let model = Model::new(Api::OpenaiChat, |seen: &Seen| match seen.alone {
        true => text(verdict(1, "")),
        false => call("read", json!({"path": "src/loss.py"})),
    });
    let judge = Judge::new(model.await.client(), settings()).with_cache(JudgementCache::new(dir.path()));
    let estimate = judge.estimate(&component(), Some(&tree), 2).unwrap();
    let judged = judge.judge(&component(), Some(&tree), 0).await.unwrap();
    assert_eq!((estimate.questions, estimate.cached), (2, 0));
    assert!(u64::from(judged.requests) <= estimate.requests / 2, "{estimate:?}");
    assert!(judged.cost_usd.unwrap() < estimate.usd.unwrap() / 2.0, "{estimate:?}");
    let rest = judge.estimate(&component(), Some(&tree), 2).unwrap();
    assert_eq!((rest.cached, rest.usd.unwrap() < estimate.usd.unwrap()), (1, true));
}

/// A tree can be written so that each of its bytes is a token, a model writes as much as it may, and reads all of it again.
#[tokio::test]
async fn what_a_hostile_tree_and_a_talkative_model_take_was_set_aside() {
    let foreign = "\u{10a60}\u{1e900}\u{a9f2}".repeat(4000);
    let tree = folder(&[("src/loss.py", &foreign)]);
    let tree = JudgedTree::read(tree.path()).unwrap();
    let settings = JudgeSettings { max_tokens: 900, ..settings() };
    let chatter = "x".repeat(900);
    let model = Model::new(Api::OpenaiChat, move |seen: &Seen| match seen.alone {
        true => text(verdict(1, "")),
        false => Says::Both(chatter.clone(), "read", json!({"path": "src/loss.py"})),
    })
    .await;
    let judge = Judge::new(model.client(), settings);
    let estimate = judge.estimate(&component(), Some(&tree), 1).unwrap();
    judge.judge(&component(), Some(&tree), 0).await.unwrap();
    let asked = model.asked();
    let read = |seen: &Seen| seen.results.iter().map(|result| result.len() + 900).sum::<usize>() as u64;
    let most: u64 = asked.iter().map(read).sum();
    assert!(most > 300_000, "{most}");
    assert!(estimate.input_tokens >= most && estimate.requests >= asked.len() as u64, "{estimate:?} {most}");
}

#[tokio::test]
async fn votes_differ_by_their_seed_and_come_to_one_score() {
    let tree = folder(&[LOSS]);
    let tree = JudgedTree::read(tree.path()).unwrap();
    let model = Model::new(Api::OpenaiChat, |seen: &Seen| {
        let scores = [("\"seed\":0", 3), ("\"seed\":1", 4), ("\"seed\":2", 4)];
        let score = scores.iter().find(|(seed, _)| seen.body.contains(seed)).unwrap().1;
        text(verdict(score, "src/loss.py:1"))
    });
    let votes = Judge::new(model.await.client(), settings()).votes(&component(), Some(&tree), 3).await.unwrap();
    let result = votes.result(VoteRule::Majority).unwrap();
    assert_eq!((result.score, result.agreeing, result.judged, result.lowest), (4.0, 2, 3, 3.0));
    assert!((votes.result(VoteRule::Mean).unwrap().score - 11.0 / 3.0).abs() < 1e-12);
}

#[tokio::test]
async fn a_script_looks_and_answers_without_any_server() {
    let tree = folder(&[LOSS]);
    let tree = JudgedTree::read(tree.path()).unwrap();
    let arguments = json!({"path": "src/loss.py"}).as_object().unwrap().clone();
    let answers = vec![ScriptedAnswer {
        asked: "COMPONENT: the loss".to_owned(),
        text: verdict(3, "src/loss.py:2").to_string(),
        calls: vec![ScriptedCall { tool: "read".to_owned(), arguments }],
    }];
    for api in APIS {
        let script = Script { answers: answers.clone(), ..Script::of_actions([]) };
        let player = Player { script, workspace: "/workspace".into(), tools: vec![], finish_command: None };
        let judge = Judge::new(client(api, Mode::Scripted(player)), settings());
        let judged = judge.judge(&component(), Some(&tree), 0).await.unwrap();
        assert_eq!((judged.score, judged.calls.len(), judged.requests), (Some(3.0), 1, 2), "{api:?}");
        // What the script does not answer is no verdict, and above all no 0.
        let other = Component { component: "another".to_owned() };
        let error = judge.judge(&other, Some(&tree), 0).await.unwrap_err();
        assert!(error.to_string().contains("the script has no answer to this request"), "{error}");
        assert!(!error.is_of_infrastructure());
    }
}

/// A filter's refusal or a cut-off is kept like any outcome, and asked again only where that is wanted.
#[tokio::test]
async fn what_was_not_judged_may_be_asked_again() {
    use std::sync::atomic::{AtomicBool, Ordering};
    let (dir, tree) = (tempfile::tempdir().unwrap(), folder(&[LOSS]));
    let tree = JudgedTree::read(tree.path()).unwrap();
    let is_awake = Arc::new(AtomicBool::new(false));
    let awake = Arc::clone(&is_awake);
    let model = Model::new(Api::OpenaiChat, move |_: &Seen| match awake.load(Ordering::SeqCst) {
        true => text(verdict(3, "src/loss.py:2")),
        false => Says::CutOff(String::new()),
    })
    .await;
    let judge = || Judge::new(model.client(), settings()).with_cache(JudgementCache::new(dir.path()));
    assert_eq!(judge().judge(&component(), Some(&tree), 0).await.unwrap().score, None);
    is_awake.store(true, Ordering::SeqCst);
    assert_eq!(judge().judge(&component(), Some(&tree), 0).await.unwrap().score, None);
    let again = judge().asking_again();
    assert_eq!(again.estimate(&component(), Some(&tree), 1).unwrap().cached, 0);
    assert_eq!(again.judge(&component(), Some(&tree), 0).await.unwrap().score, Some(3.0));
    assert_eq!(judge().judge(&component(), Some(&tree), 0).await.unwrap().score, Some(3.0));
    // A verdict is never asked again.
    let requests = model.asked().len();
    judge().asking_again().judge(&component(), Some(&tree), 0).await.unwrap();
    assert_eq!(model.asked().len(), requests);
}
