//! Who judges, as a command line names them.

use std::{fs, sync::Arc};

use serde::Serialize;
use slopbench_digest::canonical;
use slopbench_judge::{Judge, JudgeBudget, JudgeSettings, JudgementCache, JudgingEstimate};
use slopbench_report::{Text, judging_estimate};

use crate::{
    Failure,
    args::{Args, JudgingArgs},
    files::{put, unreadable, unwritable},
    models::{Answers, AskedModel, ModelChoice},
    output::{print, print_json},
};

/// The judge that a command line asks for. Of one that is asked for nothing but an estimate, no key is needed.
pub(crate) fn judge(asked: &JudgingArgs) -> Result<Judge, Failure> {
    let answers = match &asked.script {
        Some(script) => Answers::Script(script),
        None if asked.dry_run => Answers::Nowhere,
        None => Answers::Provider,
    };
    let choice = ModelChoice { model: &asked.model, catalogue: &asked.catalogue, answers };
    let cache = JudgementCache::new(asked.out.join("judgements"));
    if asked.offline {
        let (provider, id) = choice.named()?;
        return Ok(Judge::of_cache(cache, settings(asked, JudgeSettings::new(&provider, &id))?));
    }
    let AskedModel { client, provider, id, .. } = choice.open()?;
    let settings = settings(asked, JudgeSettings::new(&provider, &id))?;
    let budget = Arc::new(JudgeBudget::new(asked.budget_usd));
    let judge = Judge::new(client, settings).with_cache(cache).with_budget(budget);
    Ok(if asked.again_not_judged { judge.asking_again() } else { judge })
}

fn settings(asked: &JudgingArgs, settings: JudgeSettings) -> Result<JudgeSettings, Failure> {
    let settings = JudgeSettings {
        temperature: asked.temperature.0,
        seed: Some(asked.seed),
        max_tokens: asked.max_tokens.get(),
        calls: asked.calls,
        ..settings
    };
    Ok(match &asked.script {
        Some(script) => settings.of_script(&fs::read(script).map_err(|error| unreadable(script, &error))?),
        None => settings,
    })
}

/// Says what judging may cost at most.
pub(crate) fn say_estimate(args: &Args, estimate: &JudgingEstimate) -> Result<(), Failure> {
    match args.json {
        true => print_json(estimate),
        false => print(judging_estimate(estimate)),
    }
}

/// Writes what was judged into the folder that is asked for, and says it, what it cost, and where it is.
pub(crate) fn say_judged<T: Serialize>(
    args: &Args,
    asked: &JudgingArgs,
    judge: &Judge,
    name: &str,
    judged: &T,
    text: impl FnOnce() -> Text,
) -> Result<(), Failure> {
    let path = asked.out.join(name);
    fs::create_dir_all(&asked.out).map_err(|error| unwritable(&asked.out, &error))?;
    put(&path, &canonical::to_vec(judged).map_err(Failure::infrastructure)?)?;
    if args.json {
        return print_json(judged);
    }
    let spent = judge.budget().spent_usd();
    let more = if judge.budget().has_unpriced() { ", and what has no price" } else { "" };
    let mut text = text();
    text += format!("spent ${spent:.4}{more}; written to {}\n", path.display());
    print(text)
}
