//! Runs that may go on: read again whenever something was done.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use slopbench_analysis::tables::TableDefinition;
use tokio::sync::watch;

use crate::{Error, PageDocument, PageFigure, PageSettings, PageStudy, Specification, html, html::json_in_html};

/// How often it is looked whether something was done.
const LOOK_TIME: Duration = Duration::from_secs(2);

/// What makes the figures of a study.
pub type DrawFigures = dyn Fn(&PageStudy) -> Vec<PageFigure> + Send + Sync;

/// What a served page holds.
pub struct ViewSettings {
    /// Tables to show.
    pub tables: Vec<&'static TableDefinition>,
    /// Makes figures, whenever something was done.
    pub figures: Box<DrawFigures>,
    /// What was asked, as far as it is at hand.
    pub specifications: Vec<Specification>,
}

pub(super) struct LiveStudy {
    roots: Vec<PathBuf>,
    settings: ViewSettings,
    current: Mutex<Arc<ReadStudy>>,
    /// Why the runs could not be read when something was done last; empty where they could.
    trouble: Mutex<String>,
    versions: watch::Sender<u64>,
}

/// Runs as they were at one moment.
struct ReadStudy {
    study: PageStudy,
    fingerprint: String,
    html: Bytes,
    json: Bytes,
}

impl ReadStudy {
    fn read(roots: &[PathBuf], settings: &ViewSettings) -> Result<Self, Error> {
        let study = PageStudy::read(roots)?;
        // Before the rest is read: what is done meanwhile makes for another version.
        let fingerprint = study.fingerprint();
        let parts = PageSettings {
            tables: &settings.tables,
            figures: (settings.figures)(&study),
            specifications: &settings.specifications,
            sources: true,
            live: true,
        };
        let document = PageDocument::of(&study, &parts)?;
        let (html, json) = (html(&document)?.into(), json_in_html(&document)?.into());
        Ok(Self { study, fingerprint, html, json })
    }
}

impl LiveStudy {
    pub(super) fn read(roots: &[PathBuf], settings: ViewSettings) -> Result<Self, Error> {
        let current = Mutex::new(Arc::new(ReadStudy::read(roots, &settings)?));
        let (roots, trouble, versions) = (roots.to_vec(), Mutex::default(), watch::Sender::new(1));
        Ok(Self { roots, settings, current, trouble, versions })
    }

    pub(super) fn versions(&self) -> watch::Receiver<u64> {
        self.versions.subscribe()
    }

    pub(super) fn html(&self) -> Bytes {
        self.current().html.clone()
    }

    /// What the page knows, or why there is nothing new.
    pub(super) fn json(&self) -> Result<Bytes, String> {
        let trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if trouble.is_empty() { Ok(self.current().json.clone()) } else { Err(trouble) }
    }

    /// One trajectory, by its place; `None` if there is none.
    pub(super) fn detail(&self, place: usize) -> Result<Option<Bytes>, String> {
        let detail = PageDocument::detail(&self.current().study, place, true).map_err(|error| error.to_string())?;
        let json = detail.map(|detail| json_in_html(&detail)).transpose().map_err(|error| error.to_string())?;
        Ok(json.map(Bytes::from))
    }

    /// Looks again and again, for as long as anybody lets it.
    pub(super) async fn follow(self: Arc<Self>) {
        loop {
            tokio::time::sleep(LOOK_TIME).await;
            let this = Arc::clone(&self);
            // A panic there would be a bug; what was read before stays.
            if tokio::task::spawn_blocking(move || this.look()).await.unwrap_or(false) {
                self.versions.send_modify(|version| *version += 1);
            }
        }
    }

    /// Whether there is something new to be told.
    fn look(&self) -> bool {
        let before = self.current();
        if before.study.fingerprint() == before.fingerprint {
            return false;
        }
        let read = ReadStudy::read(&self.roots, &self.settings);
        let mut trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        let said = read.as_ref().err().map(ToString::to_string).unwrap_or_default();
        let is_new = read.is_ok() || *trouble != said;
        *trouble = said;
        if let Ok(read) = read {
            *self.current.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(read);
        }
        is_new
    }

    fn current(&self) -> Arc<ReadStudy> {
        Arc::clone(&self.current.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
