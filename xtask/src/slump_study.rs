//! The whole study SLUMP on the repository's own tasks, under all four conditions, with a program for an agent and scripts in the place of guard and
//! judge; and whether its tables are what a second program makes of the authored table and of the repositories that are left.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
    time::Instant,
};

use clap::Args;
use serde_json::{Value, json};

use crate::{
    Failure,
    slump_scripts::{self, Left, StudyTask},
};

/// What sessions leave, the program that leaves it, and the program that computes the tables.
const FIXTURES: &str = "xtask/slump-study";

const CONDITIONS: &str = "emergent,single-shot,emergent-guarded,single-shot-guarded";

/// Whose word guard and judge's scripts are given for; nobody asks it.
const MODEL: &str = "sonnet-4.5";

/// What the second program calls the verdicts, which are no table.
const COMPONENTS: &str = "components";

/// What figures may differ by, which are sums in other orders.
const TOLERANCE: f64 = 1e-12;

/// Which study is done.
#[derive(Args)]
pub(crate) struct SlumpStudy {
    /// Tasks, separated by commas [default: all].
    #[arg(long = "task", value_delimiter = ',', value_name = "NAMES")]
    names: Vec<String>,

    /// CPython 3.11 or newer, for the second program.
    #[arg(long, default_value = "python3", value_name = "PROGRAM")]
    python: String,
}

impl SlumpStudy {
    /// Exit code 1 where a figure differs.
    pub(crate) fn run(&self, root: &Path, slopbench: &Path) -> Result<ExitCode, Failure> {
        let (fixtures, scratch) = (root.join(FIXTURES), root.join("target/slump-study"));
        drop(fs::remove_dir_all(&scratch));
        fs::create_dir_all(&scratch)?;
        let left: Left = toml::from_str(&fs::read_to_string(fixtures.join("left.toml"))?)?;
        let is_chosen = |name: &&String| self.names.is_empty() || self.names.contains(name);
        let names: Vec<_> = left.keys().filter(is_chosen).cloned().collect();
        if names.is_empty() || self.names.iter().any(|name| !left.contains_key(name)) {
            return Err(format!("--task takes {}", left.keys().cloned().collect::<Vec<_>>().join(", ")).into());
        }
        let tasks: Vec<_> =
            names.iter().map(|name| StudyTask::read(&root.join("tasks").join(name))).collect::<Result<_, _>>()?;
        fs::write(scratch.join("guard.toml"), slump_scripts::guard(&tasks)?)?;
        fs::write(scratch.join("judge.toml"), slump_scripts::judge(&tasks)?)?;
        let study = Study { slopbench, tasks: root.join("tasks"), scratch };

        let began = Instant::now();
        let program = fs::read_to_string(fixtures.join("agent.py"))?;
        study.build(&names, &program, &slump_scripts::plan(&tasks, &left)?)?;
        let (built, began) = (began.elapsed().as_secs_f64(), Instant::now());
        study.judge()?;
        let judged = began.elapsed().as_secs_f64();
        let (report, scores) = (study.report()?, study.scores()?);
        let expected = self.expected(&fixtures, &study, &names)?;

        let (mut compared, mut differences) = (0, Vec::new());
        for (table, rows) in expected.as_object().into_iter().flatten() {
            let shown = if table == COMPONENTS { verdicts(&scores) } else { rows_of(&report, table) };
            let (count, found) = compare(table, &shown, rows);
            writeln!(io::stdout(), "{table:<15} {count} figures, {} differ", found.len())?;
            compared += count;
            differences.extend(found);
        }
        let mut out = io::stdout();
        writeln!(out, "seconds         {built:.0} for the sessions, {judged:.0} for the judge")?;
        differences.iter().try_for_each(|one| writeln!(out, "differs         {one}"))?;
        writeln!(out, "all             {compared} figures, {} differ", differences.len())?;
        Ok(ExitCode::from(u8::from(!differences.is_empty() || compared == 0)))
    }

    /// What the second program computes: by table, its rows as objects.
    fn expected(&self, fixtures: &Path, study: &Study<'_>, names: &[String]) -> Result<Value, Failure> {
        let mut command = Command::new(&self.python);
        command.arg(fixtures.join("expected.py")).arg(fixtures.join("left.toml")).arg(&study.tasks);
        output(command.arg(study.run()).args(names))
    }
}

/// A study that is done.
struct Study<'a> {
    slopbench: &'a Path,
    tasks: PathBuf,
    scratch: PathBuf,
}

impl Study<'_> {
    fn run(&self) -> PathBuf {
        self.scratch.join("run")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.slopbench);
        command.args(arguments).arg("--tasks").arg(&self.tasks);
        command
    }

    /// Has every session of these tasks held.
    fn build(&self, names: &[String], program: &str, plan: &str) -> Result<(), Failure> {
        let run =
            ["slump", "run", "--condition", CONDITIONS, "--agent", "command", "--offline", "--guard-model", MODEL];
        let mut command = self.command(&run);
        command.args(["--task", &names.join(","), "--time-limit", "60", "--out"]).arg(self.run());
        command.arg("--guard-script").arg(self.scratch.join("guard.toml"));
        carry_out(command.args(["--", "python3", "-c", program, plan, "{prompt}"]))
    }

    fn judge(&self) -> Result<(), Failure> {
        let mut command = self.command(&["slump", "judge", "--model", MODEL]);
        command.arg(self.run()).arg("--script").arg(self.scratch.join("judge.toml"));
        carry_out(command.arg("--out").arg(self.scratch.join("judged")))
    }

    /// What the judge wrote.
    fn scores(&self) -> Result<Value, Failure> {
        Ok(serde_json::from_slice(&fs::read(self.scratch.join("judged/scores.json"))?)?)
    }

    /// Every table, as users get them.
    fn report(&self) -> Result<Value, Failure> {
        let mut command = self.command(&["--json", "report"]);
        output(command.arg(self.run()).arg("--scores").arg(self.scratch.join("judged/scores.json")))
    }
}

/// A row for each component of each session, as the judge found it.
fn verdicts(scores: &Value) -> Vec<Value> {
    let mut rows = Vec::new();
    for repository in scores["repositories"].as_array().into_iter().flatten() {
        for (id, verdict) in repository["components"].as_object().into_iter().flatten() {
            let score = verdict.get("score").filter(|score| !score.is_null()).cloned();
            let score = score.unwrap_or_else(|| json!({"absent": verdict}));
            rows.push(json!({"session": repository["session"], "component": id, "score": score}));
        }
    }
    rows
}

/// The rows of a table of the report, as objects.
fn rows_of(report: &Value, table: &str) -> Vec<Value> {
    let tables = report["tables"].as_array().into_iter().flatten();
    let Some(table) = tables.into_iter().find(|one| one["name"] == table) else { return Vec::new() };
    let keys: Vec<_> = table["columns"].as_array().into_iter().flatten().map(|one| one["key"].to_string()).collect();
    let row = |row: &Value| {
        let cells = row.as_array().into_iter().flatten().cloned();
        keys.iter().map(|key| key.trim_matches('"').to_owned()).zip(cells).collect()
    };
    table["rows"].as_array().into_iter().flatten().map(row).collect()
}

/// How many figures are compared, and which cells differ, names among them. What is missing has no figure, whatever the reason.
fn compare(table: &str, rows: &[Value], expected: &Value) -> (usize, Vec<String>) {
    let expected: Vec<_> = expected.as_array().into_iter().flatten().collect();
    let mut differences = Vec::new();
    if rows.len() != expected.len() {
        differences.push(format!("{table} has {} rows, expected {}", rows.len(), expected.len()));
    }
    let mut compared = 0;
    for (number, (row, expected)) in (1..).zip(rows.iter().zip(expected)) {
        let keys = |value: &Value| value.as_object().map(|cells| cells.keys().cloned().collect::<Vec<_>>());
        if keys(row) != keys(expected) {
            differences.push(format!("{table}, row {number}: columns {:?}, expected {:?}", keys(row), keys(expected)));
        }
        for (key, expected) in expected.as_object().into_iter().flatten() {
            compared += usize::from(!expected.is_string());
            if !agrees(&row[key], expected) {
                differences.push(format!("{table}, row {number}, {key}: {}, expected {expected}", row[key]));
            }
        }
    }
    (compared, differences)
}

fn agrees(cell: &Value, expected: &Value) -> bool {
    match (cell.as_f64(), expected.as_f64()) {
        (Some(value), Some(expected)) => (value - expected).abs() <= TOLERANCE * expected.abs().max(1.0),
        _ if expected.is_null() => cell.get("absent").is_some(),
        _ => cell == expected,
    }
}

/// Carries a command out that tells of each of some hundred stages; only where it fails its last words are shown.
fn carry_out(command: &mut Command) -> Result<(), Failure> {
    let output = command.stdout(Stdio::null()).output()?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(format!("{}: {}: {}", named(command), output.status, said.lines().last().unwrap_or_default()).into())
}

/// What a command says, as JSON.
fn output(command: &mut Command) -> Result<Value, Failure> {
    let output = command.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("{}: {}", named(command), output.status).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// A command by its program and first words: the rest may be a program's text.
fn named(command: &Command) -> String {
    let words = command.get_args().take(2).map(|word| word.to_string_lossy().into_owned());
    [command.get_program().to_string_lossy().into_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_figure_that_differs_is_named() {
        let report = json!({"tables": [{
            "name": "t", "columns": [{"key": "task"}, {"key": "mcf"}, {"key": "gap"}],
            "rows": [["a", 1.5, {"absent": "no gap"}], ["b", 2, 0.25]],
        }]});
        let rows = rows_of(&report, "t");
        let expected = |mcf: f64, gap: Value| json!([{"task": "a", "mcf": mcf, "gap": gap}, {"task": "b", "mcf": 2.0, "gap": 0.25}]);
        assert_eq!(compare("t", &rows, &expected(1.5, Value::Null)), (4, Vec::new()));
        assert_eq!(compare("t", &rows, &expected(1.6, Value::Null)).1, ["t, row 1, mcf: 1.5, expected 1.6"]);
        assert_eq!(compare("t", &rows, &expected(1.5, 0.0.into())).1.len(), 1, "what is missing is not zero");
        assert_eq!(compare("t", &rows[..1], &expected(1.5, Value::Null)).1, ["t has 1 rows, expected 2"]);
        assert_eq!(compare("t", &rows, &json!([{"task": "a"}])).1.len(), 2, "a row and columns too many");
    }
}
