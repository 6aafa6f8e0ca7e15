//! Images, as an engine has them.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

use bollard::query_parameters as query;
use futures_util::{StreamExt, stream};
use tokio::time::timeout;

use super::engine::{ContainerEngine, chain};
use crate::Error;
use crate::image::Image;

/// How long it may take to load an image.
const LOADING: Duration = Duration::from_secs(600);

/// How much of an archive is sent at once.
const CHUNK: usize = 1 << 20;

impl ContainerEngine {
    /// The newest image of a name, or of any tag of it.
    ///
    /// # Errors
    ///
    /// [`Error::NoImage`] if there is none; [`Error::Engine`].
    pub fn find_image(&self, name: &str) -> Result<Image, Error> {
        let filters = HashMap::from([("reference".to_owned(), vec![name.to_owned()])]);
        let options = query::ListImagesOptionsBuilder::default().filters(&filters).build();
        let found = self.wait("list images", self.docker.list_images(Some(options)))?;
        let newest = found.iter().flat_map(|image| &image.repo_tags).next();
        let name = newest.ok_or_else(|| Error::NoImage { name: name.to_owned(), cause: "none of its name".into() })?;
        let layers = self.wait("look at the image", self.docker.inspect_image(name))?.root_fs;
        Ok(Image { name: name.clone(), layers: layers.and_then(|root| root.layers).unwrap_or_default() })
    }

    /// Sees to it that the engine has this very image.
    ///
    /// # Errors
    ///
    /// [`Error::NoImage`].
    pub fn check(&self, image: &Image) -> Result<(), Error> {
        let no = |cause: String| Error::NoImage { name: image.name.clone(), cause };
        let found = self.wait("look at the image", self.docker.inspect_image(&image.name));
        let found = found.map_err(|error| no(error.to_string()))?;
        let layers = found.root_fs.and_then(|root| root.layers).unwrap_or_default();
        if layers != image.layers {
            return Err(no(format!("expected the layers {:?}, found {layers:?}", image.layers)));
        }
        Ok(())
    }

    /// Loads images from an archive in the form of `docker save`.
    ///
    /// # Errors
    ///
    /// [`Error::Engine`].
    pub fn load(&self, archive: &Path) -> Result<(), Error> {
        let wrong = |cause: String| Error::Engine { step: format!("load {}", archive.display()), cause };
        let mut file = File::open(archive).map_err(|error| wrong(error.to_string()))?;
        let chunks = std::iter::from_fn(move || {
            let mut chunk = Vec::new();
            match file.by_ref().take(CHUNK as u64).read_to_end(&mut chunk) {
                Ok(0) => None,
                Ok(_) => Some(Ok(chunk.into())),
                Err(error) => Some(Err(error)),
            }
        });
        let options = query::ImportImageOptionsBuilder::default().quiet(true).build();
        let answers = self.docker.import_image_stream(options, stream::iter(chunks), None);
        let answers = self.block_on(async { timeout(LOADING, answers.collect::<Vec<_>>()).await });
        let answers = answers.map_err(|_| wrong(format!("no answer in {LOADING:?}")))?;
        answers.into_iter().try_for_each(|answer| answer.map(drop)).map_err(|error| wrong(chain(&error)))
    }
}
