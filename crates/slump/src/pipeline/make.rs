//! One stage after the other: what is frozen is kept, what is not is asked for.

use std::path::Path;

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::{
    asking::{PipelineModel, StageQuestion},
    assembly::{self, DOCUMENT},
    components::{self, ComponentList},
    document::{DOCUMENT_FORMAT, PipelineDocument},
    error::PipelineError,
    flaw::AnswerFlaw,
    frozen::{AssetFolder, Origin, STAGE_ASSET_FORMAT, StageAsset},
    made::{MadeStage, MadeTask},
    prompt,
    requests::{self, WrittenRequests},
    specification::{self, CanonicalSpecification},
    stage::{PipelineStage, StageStep},
    trajectory::{self, ProjectTrajectory, REQUESTS_OF_VERSION},
};
use crate::{
    Error,
    task::{COMPONENTS_OF_TASK, REQUESTS_OF_TASK, SlumpTask, VERSIONS_OF_TASK, check, expect_name},
};

/// About how many requests a task has, as in the paper (57.4 on average).
const AIM: usize = 57;

/// What task is to be made, of what, and by whom.
#[derive(Clone, Copy, Debug)]
pub struct PipelineRequest<'a> {
    /// The document: Markdown, text or PDF.
    pub document: &'a Path,
    /// The task's folder, whose name is the task's.
    pub dir: &'a Path,
    /// Who is asked.
    pub model: &'a PipelineModel,
    /// Whether what was made otherwise than it would be made now is made anew.
    pub redo: bool,
    /// The last stage, where the others are to wait.
    pub until: Option<PipelineStage>,
}

/// Makes a task, or goes on with one. What is frozen and unchanged is not asked for again.
///
/// # Errors
///
/// [`Error::Pipeline`] if the document is none, a model gives no usable answer, or an asset was made otherwise; [`Error::Judge`] if nobody could be
/// asked; [`Error::Task`] if the task breaks a rule in the end; [`Error::Name`] if its folder's name is none of a task.
pub fn make_task(request: &PipelineRequest<'_>) -> Result<MadeTask, Error> {
    let mut maker = Maker::new(request, false);
    match maker.go() {
        Ok(task) => {
            assembly::write(&maker.folder, &task, &maker.made, &request.model.settings.name(), request.redo)?;
            let task = SlumpTask::load(request.dir)?;
            match check(&task) {
                flaws if flaws.is_empty() => Ok(maker.made),
                flaws => Err(Error::Task { dir: request.dir.to_path_buf(), flaws }),
            }
        }
        Err(halt) => maker.halted(halt),
    }
}

/// What is done already, and what comes next.
pub(super) fn done(request: &PipelineRequest<'_>) -> Result<MadeTask, Error> {
    let mut maker = Maker::new(request, true);
    match maker.go() {
        Ok(_) => Ok(maker.made),
        Err(halt) => maker.halted(halt),
    }
}

/// Why the pipeline goes no further.
enum Halt {
    /// It is not to.
    Before(StageStep),
    /// It cannot.
    Failed(Error),
}

impl<E: Into<Error>> From<E> for Halt {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

struct Maker<'a> {
    request: &'a PipelineRequest<'a>,
    folder: AssetFolder<'a>,
    /// Whether nobody is asked, and nothing is written.
    is_dry: bool,
    made: MadeTask,
}

impl<'a> Maker<'a> {
    fn new(request: &'a PipelineRequest<'a>, is_dry: bool) -> Self {
        let made = MadeTask { stages: Vec::new(), next: None, versions: None };
        Self { request, folder: AssetFolder(request.dir), is_dry, made }
    }

    fn halted(self, halt: Halt) -> Result<MadeTask, Error> {
        match halt {
            Halt::Before(step) => Ok(MadeTask { next: Some(step), ..self.made }),
            Halt::Failed(error) => Err(error),
        }
    }

    /// All stages: the task, not written yet.
    fn go(&mut self) -> Result<SlumpTask, Halt> {
        expect_name(&self.request.dir.file_name().unwrap_or_default().to_string_lossy())?;
        let document = self.document()?;
        let canonical = self.specification(&document)?;
        let mut task = assembly::begun(self.request.dir, &document, &canonical);
        let list = self.components(&canonical, &task)?;
        task.components = components::linked(&list);
        let way = self.trajectory(&canonical, &task)?;
        self.made.versions = Some(way.versions.len());
        (task.versions, task.alternatives) = (way.versions(), way.alternatives());
        for version in &way.versions {
            let material = requests::material(&task, version);
            let step = StageStep::of_version(version.id);
            let check = |answer: &WrittenRequests| requests::check(answer, version, &task);
            let written = self.step(step, &material, requests::schema(), &check)?;
            task.requests.extend(written.of_version(version.id));
        }
        task.specification = assembly::specification(&canonical, &task);
        Ok(task)
    }

    fn document(&self) -> Result<PipelineDocument, Halt> {
        let known: Option<PipelineDocument> = self.folder.get(DOCUMENT)?;
        if let Some(known) = &known {
            self.expect_format(DOCUMENT, &known.format, DOCUMENT_FORMAT)?;
        }
        let read = PipelineDocument::read(self.request.document, known.clone())?;
        match known {
            Some(known) if known == read => {}
            Some(_) if !self.request.redo => {
                let path = self.request.dir.join(DOCUMENT);
                return Err(PipelineError::Changed { path, made: "from another document".to_owned() }.into());
            }
            _ if self.is_dry => return Err(Halt::Before(PipelineStage::Specification.step())),
            _ => self.folder.put(DOCUMENT, &read)?,
        }
        Ok(read)
    }

    fn specification(&mut self, document: &PipelineDocument) -> Result<CanonicalSpecification, Halt> {
        let words = specification::least_words(&document.text);
        let material = json!({"document": document.text, "words": words});
        let check = |answer: &CanonicalSpecification| specification::check(answer, &document.text);
        self.step(PipelineStage::Specification.step(), &material, specification::schema(), &check)
    }

    fn components(&mut self, canonical: &CanonicalSpecification, task: &SlumpTask) -> Result<ComponentList, Halt> {
        let (least, most) = COMPONENTS_OF_TASK.into_inner();
        let material = json!({"specification": assembly::specification(canonical, task), "least": least, "most": most});
        let check = |answer: &ComponentList| components::check(answer, task.clone());
        self.step(PipelineStage::Components.step(), &material, components::schema(), &check)
    }

    fn trajectory(&mut self, canonical: &CanonicalSpecification, task: &SlumpTask) -> Result<ProjectTrajectory, Halt> {
        let (least, most) = VERSIONS_OF_TASK.into_inner();
        let (least_requests, most_requests) = REQUESTS_OF_TASK.into_inner();
        let mut without = task.clone();
        without.components.clear();
        let material = json!({
            "least": least, "most": most, "least_requests": least_requests, "most_requests": most_requests, "aim": AIM,
            "most_requests_of_version": REQUESTS_OF_VERSION.end(),
            "specification": assembly::specification(canonical, &without),
            "designs": format!("{:#}", json!(canonical.design_alternatives)),
            "components": format!("{:#}", json!(task.components)),
        });
        let check =
            |answer: &ProjectTrajectory| trajectory::check(answer, &task.components, &canonical.design_alternatives);
        self.step(PipelineStage::Trajectory.step(), &material, trajectory::schema(), &check)
    }

    /// The answer to a step: what is frozen, or what is answered now.
    fn step<A: Serialize + DeserializeOwned>(
        &mut self,
        step: StageStep,
        material: &Value,
        schema: Value,
        check: &dyn Fn(&A) -> Vec<AnswerFlaw>,
    ) -> Result<A, Halt> {
        let PipelineRequest { model, until, .. } = *self.request;
        if until.is_some_and(|until| step.stage > until) {
            return Err(Halt::Before(step));
        }
        // What comes after a step depends on all that is before it.
        let inputs: Vec<_> =
            [DOCUMENT.to_owned()].into_iter().chain(self.made.stages.iter().map(|made| made.file.clone())).collect();
        let prompt = prompt::digest(step.stage, &schema)?;
        let now = Origin { model: model.settings.name(), prompt, inputs: self.folder.inputs(&inputs)? };
        if let Some(kept) = self.kept(step, &now, check)? {
            self.note(&kept, false);
            return Ok(kept.answer);
        }
        if self.is_dry {
            return Err(Halt::Before(step));
        }
        let question = StageQuestion { step, prompt: prompt::filled(step.stage, material)?, schema, check };
        let answered = model.runtime.block_on(model.ask(question))?;
        let asset = StageAsset {
            format: STAGE_ASSET_FORMAT.to_owned(),
            step,
            settings: model.settings.clone(),
            prompt,
            inputs: now.inputs,
            refused: answered.refused,
            usage: answered.usage,
            answer: answered.answer,
        };
        self.folder.put(&step.file(), &asset)?;
        self.note(&asset, true);
        Ok(asset.answer)
    }

    /// What is frozen of a step, and would be made so now.
    fn kept<A: DeserializeOwned>(
        &self,
        step: StageStep,
        now: &Origin,
        check: &dyn Fn(&A) -> Vec<AnswerFlaw>,
    ) -> Result<Option<StageAsset<A>>, Error> {
        let file = step.file();
        let Some(kept) = self.folder.get::<StageAsset<A>>(&file)? else { return Ok(None) };
        self.expect_format(&file, &kept.format, STAGE_ASSET_FORMAT)?;
        let path = self.request.dir.join(&file);
        match kept.differs(now) {
            Some(_) if self.request.redo => return Ok(None),
            Some(made) => return Err(PipelineError::Changed { path, made }.into()),
            None => {}
        }
        match check(&kept.answer).first() {
            None => Ok(Some(kept)),
            Some(flaw) => Err(PipelineError::Spoiled { path, message: format!("in its answer, {flaw}") }.into()),
        }
    }

    fn expect_format(&self, file: &str, format: &str, expected: &str) -> Result<(), PipelineError> {
        let message = format!("format is \"{format}\"; this version reads \"{expected}\"");
        match format == expected {
            true => Ok(()),
            false => Err(PipelineError::Spoiled { path: self.request.dir.join(file), message }),
        }
    }

    fn note<A>(&mut self, asset: &StageAsset<A>, asked: bool) {
        self.made.stages.push(MadeStage {
            step: asset.step,
            file: asset.step.file(),
            asked,
            refused: asset.refused.len(),
            usage: asset.usage,
            prompt: asset.prompt,
        });
    }
}
