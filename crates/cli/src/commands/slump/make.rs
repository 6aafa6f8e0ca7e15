use std::{env, fs, sync::Arc, time::Duration};

use slopbench_agents::stage::now;
use slopbench_gateway::{
    backoff::{RetryPolicy, SystemClock},
    client::Client,
    player::Player,
    script::Script,
    server::{Forwarder, Mode, Recorder},
};
use slopbench_judge::JudgeBudget;
use slopbench_report::made_task;
use slopbench_slump::pipeline::{PipelineModel, PipelineRequest, PipelineSettings, estimate_task, make_task};

use crate::{
    Failure,
    args::{Args, SlumpMakeArgs},
    catalogue,
    files::unreadable,
    judging::say_estimate,
    output::{Status, print, print_json},
};

/// How long a provider may be silent.
const SILENCE: Duration = Duration::from_secs(600);

/// The day of a time as in 2026-11-22T10:00:00Z.
const DAY: usize = 10;

pub(super) fn run(args: &Args, asked: &SlumpMakeArgs) -> Result<Status, Failure> {
    if let Some(file) = asked.record.as_ref().filter(|file| file.exists()) {
        let message =
            format!("{}: it is there already, and what it holds was paid for; name another file", file.display());
        return Err(Failure::configuration(message));
    }
    let recorder = asked.record.as_ref().map(|_| Client::recorder("pipeline"));
    let model = model(asked, recorder.as_ref())?;
    let (document, dir) = (asked.document.as_path(), asked.out.as_path());
    let request =
        PipelineRequest { document, dir, model: &model, redo: asked.redo, until: asked.until.map(Into::into) };
    if asked.dry_run {
        say_estimate(args, &estimate_task(&request)?)?;
        return Ok(Status::Ok);
    }
    let made = make_task(&request);
    // What was answered is paid, whatever became of it.
    if let (Some(recorder), Some(file)) = (&recorder, &asked.record) {
        model.save(recorder, file)?;
    }
    let made = made?;
    match args.json {
        true => print_json(&made)?,
        false => print(made_task(dir, &made, model.budget().spent_usd(), model.budget().has_unpriced()))?,
    }
    Ok(Status::Ok)
}

fn model(asked: &SlumpMakeArgs, recorder: Option<&Recorder>) -> Result<PipelineModel, Failure> {
    let models = catalogue::load(&asked.catalogue)?.models;
    let model = models.model(&asked.model).map_err(Failure::configuration)?;
    let provider = &models.providers.get(&model.provider).map_err(Failure::configuration)?.value;
    let unspoken = || Failure::configuration(format!("the provider \"{}\" speaks no API", provider.name));
    let api = *provider.apis.first().ok_or_else(unspoken)?;
    let settings = PipelineSettings {
        provider: model.provider.clone(),
        model: model.id.clone(),
        temperature: asked.temperature.0,
        max_tokens: asked.max_tokens.get(),
    };
    let (mode, settings) = match (&asked.script, &asked.replay) {
        (Some(file), _) => {
            let script = Script::load(file).map_err(Failure::configuration)?;
            let bytes = fs::read(file).map_err(|error| unreadable(file, &error))?;
            let player = Player { script, workspace: "/".into(), tools: Vec::new(), finish_command: None };
            (Mode::Scripted(player), settings.of_script(&bytes))
        }
        (None, Some(file)) => (Mode::Replay(Client::replay(file).map_err(Failure::configuration)?), settings),
        // Nobody is asked what something may cost, and no key is needed to know.
        (None, None) if asked.dry_run => (Mode::Scripted(nobody()), settings),
        (None, None) => {
            let open = provider.open(|variable| env::var(variable).ok()).map_err(Failure::configuration)?;
            let forwarder = Forwarder::new(vec![open], RetryPolicy::default(), Arc::new(SystemClock), SILENCE);
            let forwarder = forwarder.map_err(Failure::infrastructure)?;
            let mode = match recorder {
                Some(recorder) => Mode::Record(forwarder, recorder.clone()),
                None => Mode::Forward(forwarder),
            };
            (mode, settings)
        }
    };
    let today = now().chars().take(DAY).collect::<String>();
    let client = Client::new(api, mode, &model.provider, models.prices.clone(), &today);
    let budget = Arc::new(JudgeBudget::new(asked.budget_usd));
    Ok(PipelineModel::new(client, settings, budget, asked.attempts)?)
}

fn nobody() -> Player {
    Player { script: Script::of_actions([]), workspace: "/".into(), tools: Vec::new(), finish_command: None }
}
