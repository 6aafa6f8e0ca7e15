use slopbench_slump::{ExposureAudit, SlumpTask, TaskFlaw};

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
