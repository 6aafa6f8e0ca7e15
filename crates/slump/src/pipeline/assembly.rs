//! From frozen answers to the files of a task.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use serde::Serialize;
use slopbench_digest::{ReadError, Sha256};

use super::{
    document::PipelineDocument, error::PipelineError, frozen::AssetFolder, made::MadeTask,
    specification::CanonicalSpecification, stage::PipelineStage,
};
use crate::{
    Error,
    task::{
        AssetKind, AssetOrigin, CodingRequest, DesignAlternative, ProjectVersion, SlumpTask, TASK_FORMAT,
        TaskComponent, TaskManifest, TaskProvenance, words::words,
    },
};

/// The file of the document, in the task's folder.
pub(super) const DOCUMENT: &str = "assets/document.json";

const AUDIT: &str = "audit.md";
const PROVENANCE: &str = "provenance.toml";

/// Files of a task, and the stages that they are made from; the last of them says most. None of the first two's is a model's.
const FILES: &[(&str, &[PipelineStage])] = &[
    ("paper.md", &[]),
    (AUDIT, &[]),
    ("task.toml", &[PipelineStage::Specification]),
    ("specification.md", &[PipelineStage::Specification, PipelineStage::Components]),
    ("components.toml", &[PipelineStage::Components]),
    ("versions.toml", &[PipelineStage::Trajectory]),
    ("requests.toml", &[PipelineStage::Requests]),
];

#[derive(Serialize)]
struct ComponentsFile<'a> {
    component: &'a [TaskComponent],
}

#[derive(Serialize)]
struct VersionsFile<'a> {
    version: &'a [ProjectVersion],
    alternative: &'a [DesignAlternative],
}

#[derive(Serialize)]
struct RequestsFile<'a> {
    request: &'a [CodingRequest],
}

/// The task in `dir` as far as its document and its specification go.
pub(super) fn begun(dir: &Path, document: &PipelineDocument, canonical: &CanonicalSpecification) -> SlumpTask {
    let mut hidden = canonical.hidden.clone();
    // A file called `paper.pdf` gives nothing away, one called `2511.00001v2.pdf` does.
    let stem = Path::new(&document.name).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    hidden.extend((words(&stem).len() > 1 && !hidden.contains(&stem)).then_some(stem));
    let manifest = TaskManifest {
        format: TASK_FORMAT.to_owned(),
        title: canonical.method_name.clone(),
        hidden,
        language: "python".to_owned(),
        packages: canonical.packages.clone(),
        summary: canonical.summary.clone(),
    };
    let paper = match document.text.starts_with("# ") {
        true => document.text.clone(),
        false => format!("# {}\n\n{}", canonical.document_title, document.text),
    };
    SlumpTask::unwritten(dir, manifest, paper)
}

/// The specification, with the components that the task has by now.
pub(super) fn specification(canonical: &CanonicalSpecification, task: &SlumpTask) -> String {
    let CanonicalSpecification { method_name, idea, evaluation, implementation, .. } = canonical;
    let or_none = |list: &[String]| if list.is_empty() { "none".to_owned() } else { list.join("; ") };
    let mut text = format!(
        "# {method_name}\n\n{}\n\n## Implementation\n\n{}\n\n## Evaluation\n\n- Data: {}\n- Metrics: {}\n\n{}\n",
        idea.trim(),
        implementation.trim(),
        or_none(&evaluation.datasets),
        or_none(&evaluation.metrics),
        evaluation.description.trim()
    );
    if !task.components.is_empty() {
        text += "\n## Components\n";
    }
    for component in &task.components {
        let TaskComponent { id, name, description, formula, inputs, outputs, connections, wiring } = component;
        text += &format!("\n### {id}: {name}\n\n{}\n", description.trim());
        if !formula.trim().is_empty() {
            text += &format!("\n$$ {} $$\n", formula.trim());
        }
        let rows =
            [("Takes", or_none(inputs)), ("Gives", or_none(outputs)), ("Connected with", connections.join(", "))];
        text += "\n";
        text.extend(rows.map(|(what, said)| format!("- {what}: {said}\n")));
        text += &if wiring.trim().is_empty() { String::new() } else { format!("- Wiring: {}\n", wiring.trim()) };
    }
    text
}

/// Writes the task's files. None that a person changed is overwritten, unless it is to be; the audit is a person's from the beginning.
pub(super) fn write(
    folder: &AssetFolder<'_>,
    task: &SlumpTask,
    made: &MadeTask,
    model: &str,
    redo: bool,
) -> Result<(), Error> {
    let before = provenance_before(folder.0)?;
    let mut assets = Vec::new();
    for (file, stages) in FILES {
        let path = folder.0.join(file);
        let there = read(&path)?;
        if *file == AUDIT && there.is_some() {
            let kept = before.iter().find(|asset| asset.file == AUDIT).cloned();
            assets.push(kept.unwrap_or_else(|| authored(AUDIT)));
            continue;
        }
        let text = text_of(file, task, made)?;
        if let Some(there) = there.filter(|there| *there != text.as_bytes()) {
            let now = Some(Sha256::of(&there));
            let is_ours = before.iter().any(|asset| asset.file == *file && asset.digest == now);
            if !is_ours && !redo {
                return Err(PipelineError::ByHand { path }.into());
            }
        }
        folder.write(file, text.as_bytes())?;
        assets.push(origin(folder, file, stages, made, model)?);
    }
    let provenance = written(&TaskProvenance { assets })?;
    folder.write(PROVENANCE, provenance.as_bytes())
}

fn text_of(file: &str, task: &SlumpTask, made: &MadeTask) -> Result<String, Error> {
    let SlumpTask { components, versions, alternatives, requests, .. } = task;
    Ok(match file {
        "paper.md" => task.paper.clone(),
        "specification.md" => task.specification.clone(),
        "task.toml" => written(&task.manifest)?,
        "components.toml" => written(&ComponentsFile { component: components })?,
        "versions.toml" => written(&VersionsFile { version: versions, alternative: alternatives })?,
        "requests.toml" => written(&RequestsFile { request: requests })?,
        _ => audit(task, made),
    })
}

/// What is left to a person.
fn audit(task: &SlumpTask, made: &MadeTask) -> String {
    let refused: usize = made.stages.iter().map(|stage| stage.refused).sum();
    format!(
        "# Audit\n\nThis task was made by a model, and no person has audited it yet.\n\nChecked by the pipeline: {} components, {} versions, {} \
         dead ends, {} requests keep the rules of `slopbench slump tasks check`. {refused} answers were asked for again; `assets` says why.\n\n\
         Left to a person (section 3.4 of the study), who puts down figures and what was mended here:\n\n\
         - Does the specification keep the document's mathematics, and add nothing?\n\
         - Can each component be verified, and is none there twice?\n\
         - Are the dead ends plausible, and do the versions end at the specification?\n\
         - Do requests say enough for someone who sees nothing else, and nothing too early, in other words too?\n",
        task.components.len(),
        task.versions.len(),
        task.alternatives.len(),
        task.requests.len(),
    )
}

/// Where a file comes from: what is no model's is derived from the document, and an audit from nothing.
fn origin(
    folder: &AssetFolder<'_>,
    file: &str,
    stages: &[PipelineStage],
    made: &MadeTask,
    model: &str,
) -> Result<AssetOrigin, Error> {
    if file == AUDIT {
        return Ok(authored(AUDIT));
    }
    let mut of_stages = made.stages.iter().filter(|one| stages.contains(&one.step.stage));
    let files: Vec<_> = of_stages.clone().map(|one| one.file.clone()).collect();
    let prompt = of_stages.next_back().map(|one| one.prompt);
    let files = if files.is_empty() { vec![DOCUMENT.to_owned()] } else { files };
    Ok(AssetOrigin {
        file: file.to_owned(),
        origin: if prompt.is_some() { AssetKind::Model } else { AssetKind::Derived },
        digest: Some(Sha256::of_file(&folder.0.join(file))?),
        model: prompt.map(|_| model.to_owned()),
        prompt,
        inputs: folder.inputs(&files)?,
    })
}

fn authored(file: &str) -> AssetOrigin {
    AssetOrigin {
        file: file.to_owned(),
        origin: AssetKind::Authored,
        digest: None,
        model: None,
        prompt: None,
        inputs: Vec::new(),
    }
}

fn written(value: &impl Serialize) -> Result<String, Error> {
    toml::to_string_pretty(value).map_err(|error| Error::Toml(error.to_string()))
}

fn provenance_before(dir: &Path) -> Result<Vec<AssetOrigin>, Error> {
    let path = dir.join(PROVENANCE);
    let Some(bytes) = read(&path)? else { return Ok(Vec::new()) };
    let provenance: Result<TaskProvenance, _> = toml::from_slice(&bytes);
    let spoiled = |error: toml::de::Error| PipelineError::Spoiled { path, message: error.message().to_owned() };
    Ok(provenance.map_err(spoiled)?.assets)
}

fn read(path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
    let failed = |source| ReadError { path: PathBuf::from(path), source };
    match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        bytes => bytes.map(Some).map_err(failed),
    }
}
