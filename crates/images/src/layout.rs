//! A folder of images in the form of the Open Container Initiative: blobs named by their digests, and an index.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::str::FromStr as _;

use oci_spec::OciSpecError;
use oci_spec::image::{
    Arch, ConfigBuilder, Descriptor, Digest, ImageConfigurationBuilder, ImageIndex, ImageIndexBuilder, ImageManifest,
    ImageManifestBuilder, MediaType, OciLayoutBuilder, Os, RootFsBuilder,
};
use serde::Serialize;
use serde_json::json;
use slopbench_digest::{Sha256, canonical};
use tar::{Builder, Header};

use crate::{Error, LockedImage};

/// The annotation by which the index names an image.
const NAME: &str = "org.opencontainers.image.ref.name";

/// An image layout.
#[derive(Debug)]
pub struct Layout {
    path: PathBuf,
}

impl Layout {
    /// Opens the layout in a folder, which is made if it is not there.
    ///
    /// # Errors
    ///
    /// [`Error::File`].
    pub fn open(path: &Path) -> Result<Self, Error> {
        let blobs = path.join("blobs/sha256");
        fs::create_dir_all(&blobs).map_err(Error::file(&blobs))?;
        let layout = Self { path: path.to_owned() };
        let marker = OciLayoutBuilder::default().image_layout_version("1.0.0").build();
        layout.write(&path.join("oci-layout"), &layout.text(&layout.settle(marker)?)?)?;
        Ok(layout)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Moves a file into the layout, and returns its digest.
    ///
    /// # Errors
    ///
    /// [`Error::File`].
    pub(crate) fn adopt(&self, file: &Path) -> Result<Sha256, Error> {
        let digest = Sha256::of_file(file).map_err(|error| Error::File { path: error.path, source: error.source })?;
        fs::rename(file, self.blob(digest)).map_err(Error::file(file))?;
        Ok(digest)
    }

    /// Adds an image of these layers, in place of one of the same name, and returns its manifest's digest.
    ///
    /// # Errors
    ///
    /// [`Error::File`].
    pub(crate) fn add(&self, name: &str, architecture: &str, layers: &[Sha256]) -> Result<Sha256, Error> {
        let path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
        let process = ConfigBuilder::default().env(vec![format!("PATH={path}")]).working_dir("/").build();
        let root =
            RootFsBuilder::default().typ("layers").diff_ids(layers.iter().map(Sha256::to_string).collect::<Vec<_>>());
        let config = ImageConfigurationBuilder::default()
            .architecture(Arch::from(architecture))
            .os(Os::Linux)
            .config(self.settle(process)?)
            .rootfs(self.settle(root.build())?)
            .history(Vec::new())
            .build();
        let config = self.put(&self.settle(config)?)?;
        let layers = layers.iter().map(|layer| self.describe(MediaType::ImageLayer, *layer));
        let manifest = ImageManifestBuilder::default()
            .schema_version(2u32)
            .media_type(MediaType::ImageManifest)
            .config(self.describe(MediaType::ImageConfig, config)?)
            .layers(layers.collect::<Result<Vec<_>, _>>()?)
            .build();
        let manifest = self.put(&self.settle(manifest)?)?;
        self.index(name, manifest)?;
        Ok(manifest)
    }

    /// Whether an image is there, whole and as locked.
    pub fn has(&self, image: &LockedImage) -> bool {
        let whole = |digest: &Sha256| Sha256::of_file(&self.blob(*digest)).is_ok_and(|found| found == *digest);
        let config = self.manifest(image).ok().and_then(|manifest| digest_of(manifest.config()));
        config.is_some_and(|config| whole(&config) && whole(&image.manifest) && image.layers.iter().all(whole))
    }

    /// Writes an image in the form that `docker load` takes since Docker 1.10, and Podman: configuration and layers are
    /// the same bytes, so their digests are too. (The layout itself can be loaded since Docker 25 only.)
    ///
    /// # Errors
    ///
    /// [`Error::NotBuilt`] if the image is not there; [`Error::File`].
    pub fn export(&self, name: &str, reference: &str, image: &LockedImage, to: &Path) -> Result<(), Error> {
        let config = self.manifest(image).ok().and_then(|manifest| digest_of(manifest.config()));
        let config = config.ok_or_else(|| Error::NotBuilt(name.to_owned()))?;
        let layers: Vec<_> = image.layers.iter().map(|layer| format!("{}.tar", hex(*layer))).collect();
        let config_name = format!("{}.json", hex(config));
        let index = json!([{ "Config": config_name, "RepoTags": [reference], "Layers": layers }]);
        let write = || {
            let mut archive = Builder::new(io::BufWriter::with_capacity(1 << 20, File::create(to)?));
            let blobs = layers.iter().zip(&image.layers).chain([(&config_name, &config)]);
            for (name, digest) in blobs {
                archive.append_file(name, &mut File::open(self.blob(*digest))?)?;
            }
            let index = index.to_string();
            let mut header = Header::new_gnu();
            header.set_size(index.len() as u64);
            header.set_mode(0o644);
            archive.append_data(&mut header, "manifest.json", index.as_bytes())?;
            archive.into_inner()?.flush()
        };
        write().map_err(Error::file(to))
    }

    fn manifest(&self, image: &LockedImage) -> Result<ImageManifest, OciSpecError> {
        ImageManifest::from_file(self.blob(image.manifest))
    }

    /// Names a manifest in the index.
    fn index(&self, name: &str, manifest: Sha256) -> Result<(), Error> {
        let path = self.path.join("index.json");
        let mut manifests = ImageIndex::from_file(&path).map_or_else(|_| Vec::new(), |index| index.manifests().clone());
        let named = |descriptor: &Descriptor| descriptor.annotations().as_ref()?.get(NAME).cloned();
        manifests.retain(|descriptor| named(descriptor).as_deref() != Some(name));
        let mut descriptor = self.describe(MediaType::ImageManifest, manifest)?;
        descriptor.set_annotations(Some([(NAME.to_owned(), name.to_owned())].into()));
        manifests.push(descriptor);
        manifests.sort_by_key(named);
        let index = ImageIndexBuilder::default().schema_version(2u32).manifests(manifests).build();
        self.write(&path, &self.text(&self.settle(index)?)?)
    }

    fn describe(&self, kind: MediaType, digest: Sha256) -> Result<Descriptor, Error> {
        let path = self.blob(digest);
        let size = fs::metadata(&path).map_err(Error::file(&path))?.len();
        let digest = Digest::from_str(&digest.to_string()).map_err(|error| self.wrong(error))?;
        Ok(Descriptor::new(kind, size, digest))
    }

    /// Writes a blob of JSON, and returns its digest.
    fn put(&self, value: &impl Serialize) -> Result<Sha256, Error> {
        let text = self.text(value)?;
        let digest = Sha256::of(text.as_bytes());
        self.write(&self.blob(digest), &text)?;
        Ok(digest)
    }

    /// Canonical, for the maps of oci-spec have no order of their own.
    fn text(&self, value: &impl Serialize) -> Result<String, Error> {
        canonical::to_string(value).map_err(|error| self.wrong(error))
    }

    fn write(&self, path: &Path, text: &str) -> Result<(), Error> {
        fs::write(path, text).map_err(Error::file(path))
    }

    /// Where a blob lies.
    pub(crate) fn blob(&self, digest: Sha256) -> PathBuf {
        self.path.join("blobs/sha256").join(hex(digest))
    }

    fn settle<T>(&self, built: Result<T, OciSpecError>) -> Result<T, Error> {
        built.map_err(|error| self.wrong(error))
    }

    fn wrong(&self, error: impl std::error::Error + Send + Sync + 'static) -> Error {
        Error::File { path: self.path.clone(), source: io::Error::other(error) }
    }
}

/// The digest that a descriptor names: only others than us use others than SHA-256.
fn digest_of(descriptor: &Descriptor) -> Option<Sha256> {
    descriptor.digest().to_string().parse().ok()
}

fn hex(digest: Sha256) -> String {
    digest.to_string().trim_start_matches("sha256:").to_owned()
}
