//! Who judges, as a command line names them.

use std::{env, fs, sync::Arc, time::Duration};

use serde::Serialize;
use slopbench_agents::stage::now;
use slopbench_digest::canonical;
use slopbench_gateway::{
    backoff::{RetryPolicy, SystemClock},
    client::Client,
    player::Player,
    script::Script,
    server::{Forwarder, Mode},
};
use slopbench_judge::{Judge, JudgeBudget, JudgeSettings, JudgementCache, JudgingEstimate};
use slopbench_report::{Text, judging_estimate};

use crate::{
    Failure,
    args::{Args, JudgingArgs},
    catalogue,
    files::{put, unreadable, unwritable},
    output::{print, print_json},
};

/// How long a provider may be silent.
const SILENCE: Duration = Duration::from_secs(600);

/// The judge that a command line asks for.
pub(crate) fn judge(asked: &JudgingArgs) -> Result<Judge, Failure> {
    let catalogue = catalogue::load(&asked.catalogue)?;
    let model = catalogue.models.model(&asked.model).map_err(Failure::configuration)?;
    let settings = settings(asked, JudgeSettings::new(&model.provider, &model.id))?;
    let cache = JudgementCache::new(asked.out.join("judgements"));
    if asked.offline {
        return Ok(Judge::of_cache(cache, settings));
    }
    let provider = &catalogue.models.providers.get(&model.provider).map_err(Failure::configuration)?.value;
    let unspoken = || Failure::configuration(format!("the provider \"{}\" speaks no API", provider.name));
    let api = *provider.apis.first().ok_or_else(unspoken)?;
    let mode = match &asked.script {
        Some(script) => {
            let script = Script::load(script).map_err(Failure::configuration)?;
            Mode::Scripted(Player { script, workspace: "/".into(), tools: Vec::new(), finish_command: None })
        }
        None => {
            let open = provider.open(|variable| env::var(variable).ok()).map_err(Failure::configuration)?;
            let forwarder = Forwarder::new(vec![open], RetryPolicy::default(), Arc::new(SystemClock), SILENCE);
            Mode::Forward(forwarder.map_err(Failure::infrastructure)?)
        }
    };
    let client = Client::new(api, mode, &model.provider, catalogue.models.prices.clone(), &now()[..10]);
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
