use slopbench_metrics::integration::Integration;
use slopbench_slump::{
    ExposureAudit, SlumpTask, TaskFlaw,
    judging::{ExposureSource, JudgedExposure, SlumpScores},
    own_tests::OwnTests,
    scores::{AggregateScores, GuardEffect, SlumpLoss},
    study::SlumpSummary,
};

use crate::{Column, Role, Table, Text, printable};

/// One line per task, with what its requests disclose.
pub fn slump_tasks(tasks: &[SlumpTask], audits: &[ExposureAudit]) -> Text {
    let mut table = Table::new(&[
        Column::Text("task"),
        Column::Number("components"),
        Column::Number("versions"),
        Column::Number("requests"),
        Column::Number("RCR"),
        Column::Number("ESR"),
        Column::Prose("summary"),
    ]);
    for (task, audit) in tasks.iter().zip(audits) {
        table.row([
            task.name.clone(),
            task.components.len().to_string(),
            task.versions.len().to_string(),
            task.requests.len().to_string(),
            format!("{:.3}", audit.rcr),
            format!("{:.3}", audit.esr),
            task.manifest.summary.clone(),
        ]);
    }
    table.into()
}

/// One task: its components and versions, and what its requests disclose, request by request.
pub fn slump_task(task: &SlumpTask, audit: &ExposureAudit) -> Text {
    let mut text = Text::of(Role::Title, &format!("{}: {}", task.name, task.manifest.title));
    text += "\n";
    text += format!("{}\n\n", printable(&task.manifest.summary));
    text += components(task);
    text += "\n";
    text += versions(task);
    text += "\n";
    text += disclosure(task, audit);
    text += format!(
        "\nRecoverable {} of {} (RCR {:.3}), stated {} (ESR {:.3}), decided and recoverable {}.\n",
        audit.recoverable, audit.components, audit.rcr, audit.explicit, audit.esr, audit.committed_and_recoverable
    );
    text
}

fn components(task: &SlumpTask) -> Table {
    let columns =
        [Column::Text("component"), Column::Text("name"), Column::Number("decided in"), Column::Prose("connections")];
    let mut table = Table::new(&columns);
    for component in &task.components {
        let version = task.versions.iter().find(|version| version.decides.contains(&component.id));
        let version = version.map_or_else(|| "-".to_owned(), |version| version.id.to_string());
        table.row([component.id.clone(), component.name.clone(), version, component.connections.join(" ")]);
    }
    table
}

fn versions(task: &SlumpTask) -> Table {
    let columns =
        [Column::Number("version"), Column::Number("requests"), Column::Text("dead ends"), Column::Prose("summary")];
    let mut table = Table::new(&columns);
    for version in &task.versions {
        let requests = task.requests.iter().filter(|request| request.version == version.id).count();
        let tried = version.tries.iter().map(|id| format!("+{id}"));
        let ends: Vec<_> = tried.chain(version.drops.iter().map(|id| format!("-{id}"))).collect();
        table.row([version.id.to_string(), requests.to_string(), ends.join(" "), version.summary.clone()]);
    }
    table
}

fn disclosure(task: &SlumpTask, audit: &ExposureAudit) -> Table {
    let columns = [
        Column::Number("request"),
        Column::Number("version"),
        Column::Number("R = 4"),
        Column::Number("R >= 1"),
        Column::Prose("reveals"),
    ];
    let mut table = Table::new(&columns);
    for (request, point) in task.requests.iter().zip(&audit.curve) {
        let reveals: Vec<_> = request.reveals.iter().map(|(id, level)| format!("{id}={level}")).collect();
        table.row([
            point.request.to_string(),
            request.version.to_string(),
            format!("{:.3}", point.explicit),
            format!("{:.3}", point.recoverable),
            reveals.join(" "),
        ]);
    }
    table
}

/// What is wrong with one task.
pub fn task_flaws(task: &str, flaws: &[TaskFlaw]) -> Text {
    let mut text = Text::of(Role::Title, task);
    text += "\n";
    text += match flaws.len() {
        0 => Text::of(Role::Good, "no flaw found"),
        1 => Text::of(Role::Bad, "1 flaw:"),
        count => Text::of(Role::Bad, &format!("{count} flaws:")),
    };
    text.extend(flaws.iter().map(|flaw| format!("  {}\n", printable(&flaw.to_string()))));
    text
}

/// How much of what a repository's modules offer is used, and what is not.
pub fn integration(found: &Integration) -> Text {
    let mut text = Text::from(format!(
        "DIR {:.3}: {} of {} public symbols of standalone modules are used; called {}, with those that packages pass on {}, from \
         entry scripts {}\n\n",
        found.dir,
        found.used,
        found.total,
        found.called,
        found.used_or_passed_on,
        found.reachable.map_or_else(|| "-".to_owned(), |count| count.to_string())
    ));
    let mut table =
        Table::new(&[Column::Text("module"), Column::Text("kind"), Column::Number("symbols"), Column::Number("used")]);
    for module in &found.modules {
        let kind = serde_json::to_value(module.kind).ok();
        let kind = kind.as_ref().and_then(|kind| kind.as_str()).unwrap_or_default().to_owned();
        table.row([module.path.clone(), kind, module.total.to_string(), module.used.to_string()]);
    }
    text += table;
    let unused = found.unused.iter().map(|one| format!("{}:{} {}", one.path, one.line, one.name));
    let unresolved = found.unresolved.iter().map(|one| format!("{}:{} {}", one.path, one.line, one.detail));
    let skipped = found.skipped.iter().map(|one| format!("{} {}", one.path, one.detail));
    for (title, lines) in [
        ("unused", unused.collect::<Vec<_>>()),
        ("not followed", unresolved.collect()),
        ("not measured", skipped.collect()),
    ] {
        if !lines.is_empty() {
            text += Text::heading(title);
            text.extend(lines.iter().map(|line| format!("  {}\n", printable(line))));
        }
    }
    text
}

/// A run's sessions, means by condition, and what is lost.
pub fn slump_run(summary: &SlumpSummary, rows: &[AggregateScores], losses: &[SlumpLoss]) -> Text {
    let mut text = Text::from(sessions(summary));
    if !rows.is_empty() {
        text += "\n";
        text += aggregate_table(rows);
    }
    if losses.iter().any(|loss| !loss.pairs.is_empty()) {
        text += "\n";
        text += loss_table(losses);
    }
    text
}

fn sessions(summary: &SlumpSummary) -> Table {
    let mut table = Table::new(&[
        Column::Text("session"),
        Column::Number("requests"),
        Column::Number("done"),
        Column::Number("restarts"),
        Column::Number("compactions"),
        Column::Number("tokens"),
        Column::Number("USD"),
        Column::Number("DIR"),
        Column::Text("own tests"),
    ]);
    for session in &summary.sessions {
        table.row([
            session.id.clone(),
            session.requests.to_string(),
            session.done.to_string(),
            session.restarts.to_string(),
            session.compactions.map_or_else(|| "-".to_owned(), |count| count.to_string()),
            (session.tokens.input + session.tokens.output).to_string(),
            figure(session.cost_usd, 2),
            match session.not_kept {
                true => "not kept".to_owned(),
                false => figure(session.integration.as_ref().map(|found| found.dir), 3),
            },
            own_tests(session.own_tests.as_ref()),
        ]);
    }
    table
}

/// The share of an agent's own tests that pass, or why there is none; of tests that nobody runs, a dash.
fn own_tests(tests: Option<&OwnTests>) -> String {
    tests.map_or_else(|| "-".to_owned(), OwnTests::text)
}

fn aggregate_table(rows: &[AggregateScores]) -> Table {
    let mut table = Table::new(&[
        Column::Text("platform"),
        Column::Text("condition"),
        Column::Number("tasks"),
        Column::Number("MCF"),
        Column::Number("DIR"),
        Column::Number("IF50"),
    ]);
    for row in rows {
        let figures = [row.mcf, row.dir, row.if50].map(|value| figure(value, 3));
        let names = [row.platform.clone(), row.condition.clone(), row.tasks.to_string()];
        table.row(names.into_iter().chain(figures));
    }
    table
}

fn loss_table(losses: &[SlumpLoss]) -> Table {
    let mut table = Table::new(&[
        Column::Text("platform"),
        Column::Text("measure"),
        Column::Number("tasks"),
        Column::Number("loss"),
        Column::Number("W/T/L"),
        Column::Number("p"),
    ]);
    for loss in losses.iter().filter(|loss| !loss.pairs.is_empty()) {
        table.row([
            loss.platform.clone(),
            format!("{:?}", loss.measure).to_uppercase(),
            loss.pairs.len().to_string(),
            loss.mean_loss.map_or_else(|| "-".to_owned(), |loss| format!("{loss:+.3}")),
            format!("{}/{}/{}", loss.wins, loss.ties, loss.losses),
            figure(loss.p, 4),
        ]);
    }
    table
}

fn figure(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.digits$}"))
}

/// What a judge says of how much tasks' requests disclose.
pub fn judged_exposure(judged: &[(JudgedExposure, ExposureAudit)]) -> Text {
    let mut table = Table::new(&[
        Column::Text("task"),
        Column::Number("components"),
        Column::Number("recoverable"),
        Column::Number("RCR"),
        Column::Number("ESR"),
        Column::Text("judge"),
    ]);
    for (exposure, audit) in judged {
        table.row([
            exposure.task.clone(),
            audit.components.to_string(),
            audit.recoverable.to_string(),
            format!("{:.3}", audit.rcr),
            format!("{:.3}", audit.esr),
            exposure.judge.settings.model.clone(),
        ]);
    }
    table.into()
}

/// Every repository's figures, means by condition, and what is lost, with how far the judge can be trusted.
pub fn slump_scores(scores: &SlumpScores) -> Text {
    let mut table = Table::new(&[
        Column::Text("session"),
        Column::Number("MCF"),
        Column::Number("DIR"),
        Column::Number("IF50"),
        Column::Text("own tests"),
        Column::Number("faithful"),
        Column::Number("severe"),
        Column::Number("not judged"),
        Column::Number("unfounded"),
        Column::Number("attempts"),
    ]);
    for one in &scores.repositories {
        let of = one.scores.faithfulness.as_ref();
        let counts = [of.map(|of| of.faithful()), of.map(|of| of.severe()), of.map(|of| of.not_judged)];
        let figures = [one.scores.mcf(), Some(one.scores.dir), one.scores.if50()].map(|value| figure(value, 3));
        let counts = counts.map(|count| count.map_or_else(|| "-".to_owned(), |count| count.to_string()));
        let of_judge = [one.unfounded().to_string(), one.attempts.total.to_string()];
        let tests = own_tests(one.scores.own_tests.as_ref());
        let names = [one.session.clone()].into_iter();
        table.row(names.chain(figures).chain([tests]).chain(counts).chain(of_judge));
    }
    let mut text = Text::from(table);
    text += "\n";
    text += aggregate_table(&scores.aggregates);
    text += "\n";
    text += loss_table(&scores.losses);
    if !scores.guard_effects.is_empty() {
        text += "\n";
        text += guard_table(&scores.guard_effects);
    }
    if !scores.not_kept.is_empty() {
        text += Text::heading("not kept, and so without scores");
        text.extend(scores.not_kept.iter().map(|session| format!("  {}\n", printable(session))));
    }
    let authored = scores.exposure.iter().filter(|(_, source)| **source == ExposureSource::Author);
    let authored: Vec<_> = authored.map(|(task, _)| task.as_str()).collect();
    if !authored.is_empty() {
        text += format!(
            "\nThat the requests disclose enough is as the author says, of {}.\n",
            printable(&authored.join(", "))
        );
    }
    text += format!("\n{}\n", printable(&scores.standing));
    text
}

fn guard_table(effects: &[GuardEffect]) -> Table {
    let mut table = Table::new(&[
        Column::Text("platform"),
        Column::Text("task"),
        Column::Number("MCF recovery"),
        Column::Number("IF50 recovery"),
        Column::Number("DIR change"),
        Column::Number("state KB"),
        Column::Number("compactions"),
    ]);
    for effect in effects {
        let shares = [effect.mcf_recovery, effect.if50_recovery, effect.dir_change];
        let shares =
            shares.map(|share| share.map_or_else(|| "-".to_owned(), |share| format!("{:+.0}%", 100.0 * share)));
        let rest = [figure(effect.state_kb, 0), figure(effect.compaction_change, 1)];
        table.row([effect.platform.clone(), effect.task.clone()].into_iter().chain(shares).chain(rest));
    }
    table
}
