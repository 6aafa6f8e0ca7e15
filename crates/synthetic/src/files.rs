//! A trajectory as the engine would have left it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use serde_json::{Value, json};
use slopbench_agents::stage::StageRecord;
use slopbench_digest::{Listing, Sha256, TreeId, canonical};
use slopbench_metrics::RuleSet;
use slopbench_runner::{Instrument, RunFolder, SEAL, SEAL_FORMAT, Seal, Spent};
use slopbench_slopcode::{results::Verdicts, run::Design};

use crate::{
    Error,
    trajectory::{MadeCheckpoint, MadeEnd},
    workspace,
};

pub(crate) fn write(
    folder: &RunFolder<Design>,
    unit: &str,
    problem: &str,
    made: Vec<MadeCheckpoint>,
    rules: Option<&RuleSet>,
) -> Result<(), Error> {
    let mut before = None;
    for (number, mut checkpoint) in (1..).zip(made) {
        let stage = Stage { folder, unit, name: format!("checkpoint_{number}/session") };
        let left_something = matches!(checkpoint.end, MadeEnd::Done | MadeEnd::Crashed);
        let tree = match rules.filter(|_| left_something) {
            Some(rules) => workspace::keep(folder, unit, number, &mut checkpoint, rules)?,
            None => tree(unit, number)?,
        };
        match checkpoint.end {
            MadeEnd::Pending => continue,
            MadeEnd::Unanswered => {
                let attempt = format!("attempts/{unit}/checkpoint_{number}/session/1");
                let record = session(&checkpoint, before, None)?;
                stage.write(&attempt, &[("session.json", canonical::to_vec(&record)?)], BTreeSet::new())?;
                continue;
            }
            MadeEnd::NotReached => {}
            MadeEnd::Done | MadeEnd::Crashed => {
                let record = session(&checkpoint, before, Some(tree))?;
                let mut files = vec![("session.json", canonical::to_vec(&record)?)];
                let mut trees = BTreeSet::from([tree]);
                if rules.is_some() {
                    files.push(("trajectory.json", canonical::to_vec(&workspace::steps(number, &checkpoint))?));
                    trees.extend(before.replace(tree));
                }
                stage.write(&format!("units/{unit}/{}", stage.name), &files, trees)?;
            }
        }
        let name = format!("checkpoint_{number}/grade");
        let verdicts = verdicts(&checkpoint, problem, number, tree)?;
        let usage = json!({"format": "slopbench.usage/2", "seconds": 1.0, "cases": {}});
        let mut files =
            vec![("verdicts.json", canonical::to_vec(&verdicts)?), ("usage.json", canonical::to_vec(&usage)?)];
        if let Some(grading) = &checkpoint.grading {
            files.push(("quality.json", canonical::to_vec(grading)?));
        }
        let place = format!("units/{unit}/{name}");
        Stage { folder, unit, name }.write(&place, &files, BTreeSet::new())?;
    }
    Ok(())
}

struct Stage<'a> {
    folder: &'a RunFolder<Design>,
    unit: &'a str,
    name: String,
}

impl Stage<'_> {
    fn write(&self, place: &str, files: &[(&str, Vec<u8>)], trees: BTreeSet<TreeId>) -> Result<(), Error> {
        let path = self.folder.store.root.join(place);
        let listing: BTreeMap<_, _> =
            files.iter().map(|(name, bytes)| ((*name).to_owned(), Sha256::of(bytes))).collect();
        let seal = Seal {
            format: SEAL_FORMAT.to_owned(),
            unit: self.unit.to_owned(),
            stage: self.name.clone(),
            plan: self.folder.store.plan(),
            instrument: Instrument::default(),
            trees,
            spent: Spent::default(),
            files: Listing(listing),
        };
        fs::create_dir_all(&path).map_err(|source| Error::Write { path: path.clone(), source })?;
        files.iter().try_for_each(|(name, bytes)| put(&path.join(name), bytes))?;
        put(&path.join(SEAL), &canonical::to_vec(&seal)?)
    }
}

fn put(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    fs::write(path, bytes).map_err(|source| Error::Write { path: path.to_owned(), source })
}

/// A name that no folder has, where there are no workspaces.
fn tree(unit: &str, checkpoint: u32) -> Result<TreeId, Error> {
    let digest = Sha256::of(format!("{unit} {checkpoint}").as_bytes()).to_string();
    let digits: String = digest.chars().skip("sha256:".len()).take(40).collect();
    Ok(serde_json::from_value(Value::String(digits))?)
}

fn session(checkpoint: &MadeCheckpoint, before: Option<TreeId>, tree: Option<TreeId>) -> Result<StageRecord, Error> {
    let [input, cached, output] = checkpoint.tokens;
    let usage = json!({"input": input, "cached_input": cached, "cache_writes": 0, "output": output, "reasoning": 0});
    let mut record = json!({
        "format": "slopbench.session/3", "before": before, "workspace": tree, "not_kept": {"count": {}, "named": []},
        "prompt": Sha256::of(b"made up"), "usage": {"synthetic": usage}, "counted_by": "gateway",
        "cost_usd": checkpoint.cost, "reported_cost_usd": null,
        "footprint": {"reasoning_chars": 0, "turns": checkpoint.turns, "turns_before_edit": null, "chars_before_edit": null,
            "files_read": null, "revisits": null, "lines_edited": checkpoint.lines_edited},
        "began": "2000-01-01T00:00:00Z", "seconds": checkpoint.seconds,
    });
    record["outcome"] = match checkpoint.end {
        MadeEnd::Crashed => json!({"outcome": "crashed", "code": 1}),
        MadeEnd::Unanswered => json!({"outcome": "unanswered", "reason": "made up: no answer"}),
        MadeEnd::Done | MadeEnd::NotReached | MadeEnd::Pending => json!({"outcome": "done"}),
    };
    Ok(serde_json::from_value(record)?)
}

fn verdicts(checkpoint: &MadeCheckpoint, problem: &str, number: u32, tree: TreeId) -> Result<Verdicts, Error> {
    let case = |case: &crate::verdicts::MadeCase| {
        let mut value = json!({"case": case.name, "category": case.category, "regression": case.regression});
        match case.passed {
            Some(true) => value["verdict"] = json!("pass"),
            Some(false) => {
                value["verdict"] = json!("fail");
                value["mismatches"] = json!(["stdout"]);
            }
            None => value["verdict"] = json!("missing"),
        }
        value
    };
    let cases: Vec<Value> = checkpoint.cases.iter().map(case).collect();
    let solve = slopbench_tests::Solve::from(&checkpoint.counts);
    Ok(serde_json::from_value(json!({
        "format": "slopbench.verdicts/2", "track": "python", "tool": {"name": "slopbench-synthetic", "version": "1"},
        "problem": {"name": problem, "digest": Sha256::of(b"synthetic")}, "checkpoint": number,
        "snapshot": checkpoint.grading.as_ref().map(|_| tree), "counts": checkpoint.counts, "solve": solve, "cases": cases,
    }))?)
}
