//! The document, the specification, the audit by hand, and where each file comes from.

use std::{collections::BTreeSet, ops::RangeInclusive, path::Path};

use slopbench_digest::Sha256;
use slopbench_metrics::integration::{Integration, PublicSymbol};

use crate::task::{
    TaskFlaw,
    asset::{AssetKind, AssetOrigin},
    model::{REFERENCE, SlumpTask},
    names::is_id,
    words::words,
};

const PAPER: &str = "paper.md";
const SPECIFICATION: &str = "specification.md";
const AUDIT: &str = "audit.md";
const PROVENANCE: &str = "provenance.toml";

/// Two to four pages of a task's author; what stands in formulas counts, too. A document of others is as it is.
const WORDS_OF_PAPER: RangeInclusive<usize> = 1_000..=3_000;

/// The files that `provenance.toml` has an entry for.
const ASSETS: &[&str] =
    &["task.toml", PAPER, SPECIFICATION, "components.toml", "versions.toml", "requests.toml", AUDIT];

/// The title of a document: its first line.
pub(super) fn heading(paper: &str) -> Option<&str> {
    paper.lines().next()?.strip_prefix("# ").map(str::trim).filter(|title| !title.is_empty())
}

pub(super) fn paper(task: &SlumpTask) -> Vec<TaskFlaw> {
    let mut flaws = Vec::new();
    if heading(&task.paper).is_none() {
        flaws.push(TaskFlaw::at(PAPER, 1, "expected the document's title as `# Title`"));
    }
    let is_of_others = |asset: &AssetOrigin| asset.file == PAPER && asset.origin == AssetKind::Derived;
    if task.provenance.assets.iter().any(is_of_others) {
        return flaws;
    }
    let count = words(&task.paper).len();
    if !WORDS_OF_PAPER.contains(&count) {
        let (least, most) = WORDS_OF_PAPER.into_inner();
        flaws.push(TaskFlaw::of(PAPER, format!("{count} words; expected {least} to {most}, as of two to four pages")));
    }
    if !task.paper.contains('$') {
        flaws.push(TaskFlaw::of(PAPER, "no formula; expected mathematics as $…$"));
    }
    flaws
}

/// The specification names each component by its id, and no other.
pub(super) fn specification(task: &SlumpTask) -> Vec<TaskFlaw> {
    let mut flaws = Vec::new();
    let named: BTreeSet<_> = words(&task.specification).into_iter().filter(|word| is_id(word)).collect();
    let all: BTreeSet<_> = task.components.iter().map(|component| component.id.clone()).collect();
    for id in all.difference(&named) {
        flaws.push(TaskFlaw::of(SPECIFICATION, format!("lacks {id}; expected each component by its id")));
    }
    for (line, text) in (1..).zip(task.specification.lines()) {
        for id in words(text).into_iter().filter(|word| is_id(word) && !all.contains(word)) {
            flaws.push(TaskFlaw::at(SPECIFICATION, line, format!("names {id}, which components.toml lacks")));
        }
    }
    flaws
}

/// A reference uses all that its modules offer: its dependency integration ratio is 1.
pub(super) fn reference(task: &SlumpTask) -> Vec<TaskFlaw> {
    let Some(folder) = task.reference() else { return Vec::new() };
    match Integration::of_folder(&folder) {
        Err(error) => vec![TaskFlaw::of(REFERENCE, error.to_string())],
        Ok(found) if found.total == 0 => {
            vec![TaskFlaw::of(REFERENCE, "offers no symbol; expected modules that others use")]
        }
        Ok(found) => found.unused.iter().map(unused).collect(),
    }
}

fn unused(symbol: &PublicSymbol) -> TaskFlaw {
    let file = format!("{REFERENCE}/{}", symbol.path);
    let message =
        format!("no other module uses {}; expected that all are used, or a name with a leading _", symbol.name);
    TaskFlaw::at(&file, symbol.line, message)
}

pub(super) fn audit(task: &SlumpTask) -> Vec<TaskFlaw> {
    match std::fs::read_to_string(task.dir.join(AUDIT)) {
        Ok(text) if words(&text).len() >= 30 => Vec::new(),
        Ok(_) => {
            vec![TaskFlaw::of(AUDIT, "says hardly anything; expected what was checked by hand, and what was mended")]
        }
        Err(error) => vec![TaskFlaw::of(AUDIT, format!("cannot be read: {error}; a task has this file"))],
    }
}

pub(super) fn provenance(task: &SlumpTask) -> Vec<TaskFlaw> {
    let assets = &task.provenance.assets;
    let mut flaws = Vec::new();
    for file in ASSETS {
        match assets.iter().filter(|asset| asset.file == *file).count() {
            1 => {}
            0 => flaws.push(TaskFlaw::of(PROVENANCE, format!("lacks an [[asset]] with file = \"{file}\""))),
            _ => {
                flaws.push(TaskFlaw::of(PROVENANCE, format!("has several assets with file = \"{file}\"; expected one")))
            }
        }
    }
    for (asset, line) in assets.iter().zip(&task.lines.assets) {
        let of_asset = origin(&task.dir, asset).into_iter();
        flaws.extend(of_asset.map(|message| TaskFlaw::at(PROVENANCE, *line, format!("{}: {message}", asset.file))));
    }
    flaws
}

/// What is wrong with where a file comes from.
fn origin(dir: &Path, asset: &AssetOrigin) -> Vec<String> {
    let mut flaws = Vec::new();
    let of_model = [
        ("digest", asset.digest.is_some()),
        ("model", asset.model.is_some()),
        ("prompt", asset.prompt.is_some()),
        ("inputs", !asset.inputs.is_empty()),
    ];
    match asset.origin {
        AssetKind::Model => {
            let missing = of_model.into_iter().filter(|(_, is_there)| !is_there);
            flaws.extend(missing.map(|(key, _)| format!("a model's asset lacks {key}; expected what made it")));
        }
        AssetKind::Derived => {
            let expected = [true, false, false, true];
            let other = of_model.into_iter().zip(expected).filter(|((_, is_there), expected)| is_there != expected);
            flaws.extend(other.map(|((key, is_there), _)| match is_there {
                true => format!("a derived asset has {key}; expected origin = \"model\", or none"),
                false => format!("a derived asset lacks {key}; expected what it was made from"),
            }));
        }
        AssetKind::Authored => {
            let odd = of_model.into_iter().skip(1).filter(|(_, is_there)| *is_there);
            flaws.extend(
                odd.map(|(key, _)| format!("an authored asset has {key}; expected origin = \"model\", or none")),
            );
        }
    }
    let digests = asset.digest.map(|digest| (&asset.file, digest));
    let inputs = asset.inputs.iter().map(|input| (&input.file, input.digest));
    for (file, expected) in digests.into_iter().chain(inputs) {
        match Sha256::of_file(&dir.join(file)) {
            Ok(now) if now == expected => {}
            Ok(now) => {
                flaws.push(format!("{file} has the digest {now}; expected {expected}: make it again, or record it"))
            }
            Err(error) => flaws.push(error.to_string()),
        }
    }
    flaws
}
