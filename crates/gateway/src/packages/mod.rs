//! Package indexes as sessions may read them: pages of links, and the files that these link to, below addresses of the
//! gateway's own. Nothing else of an index can be asked, and nothing is sent to it but a package's name.
//!
//! [`PackageRequest`] is what an agent may ask, `upstream` asks the index, `python` and `npm` read and write pages.

mod npm;
mod page_memory;
mod python;
mod request;
mod upstream;

use std::{fmt, path::PathBuf, sync::Arc};

use bytes::Bytes;
use reqwest::Url;
use tokio::sync::OnceCell;

pub(crate) use self::{
    page_memory::{PageMemory, PageShare},
    request::{Ecosystem, PackageRequest},
    upstream::{PackageTrouble, host},
};
use self::{python::PythonPage, upstream::Upstream};
use crate::provider::Secret;

/// Where Python's packages are for an agent, below the gateway's address.
pub const PYTHON_PATH: &str = "/packages/python/simple/";

/// The same for npm's.
pub const NPM_PATH: &str = "/packages/npm/";

/// Where Python packages come from.
#[derive(Clone, Debug, Default)]
pub struct PythonSources {
    /// Indexes, each by the URL below which it has a page for each package (PEP 503). All of them are asked.
    pub indexes: Vec<PackageServer>,
    /// Folders of this machine with files of packages, which are offered beside.
    pub folders: Vec<PathBuf>,
}

/// One package index.
#[derive(Clone)]
pub struct PackageServer {
    /// With the name and password that it takes, if it takes any.
    pub url: Secret,
    /// A file of whom to trust beside those whom the machine trusts.
    pub certificates: Option<PathBuf>,
    /// The proxy on the way, beside those of this process's environment.
    pub proxy: Option<Secret>,
}

impl fmt::Debug for PackageServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PackageServer").field("certificates", &self.certificates).finish_non_exhaustive()
    }
}

/// The way to the package indexes, for any number of sessions. Clones share it.
#[derive(Clone)]
pub struct PackageMirror {
    python: Arc<Lazy<PythonIndexes>>,
    npm: Arc<Lazy<Upstream>>,
}

impl fmt::Debug for PackageMirror {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PackageMirror")
    }
}

/// What is looked for when the first package is asked for, and once that went well never again.
struct Lazy<T> {
    /// The error says why there is none.
    find: Arc<dyn Fn() -> Result<T, String> + Send + Sync>,
    found: OnceCell<T>,
}

impl<T: Send + 'static> Lazy<T> {
    fn new(find: impl Fn() -> Result<T, String> + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Self { find: Arc::new(find), found: OnceCell::new() })
    }

    async fn get(&self) -> Result<&T, PackageTrouble> {
        let find = Arc::clone(&self.find);
        let found = self.found.get_or_try_init(|| async {
            // It asks other programs.
            let found = tokio::task::spawn_blocking(move || find()).await;
            found.map_err(|error| error.to_string()).flatten()
        });
        found.await.map_err(PackageTrouble::Unreached)
    }
}

/// Sources of Python packages that can be asked.
struct PythonIndexes {
    upstreams: Vec<Upstream>,
    folders: Vec<PathBuf>,
}

/// Where a file is.
#[derive(Clone, Debug)]
pub(crate) enum FilePlace {
    /// Linked to by an index: the place of that among those of its kind.
    Linked { index: usize, url: Url },
    /// Of a folder of this machine.
    Local(PathBuf),
}

/// A page as an agent gets it, and where the files are that it links to, by their names.
#[derive(Debug)]
pub(crate) struct MirroredPage {
    pub(crate) content_type: &'static str,
    pub(crate) text: Bytes,
    pub(crate) files: Vec<(String, FilePlace)>,
    /// The host that gave it.
    pub(crate) host: String,
}

impl PackageMirror {
    /// A way to what these find, or say why they do not.
    pub fn new(
        python: impl Fn() -> Result<PythonSources, String> + Send + Sync + 'static,
        npm: impl Fn() -> Result<PackageServer, String> + Send + Sync + 'static,
    ) -> Self {
        let python = Lazy::new(move || {
            let PythonSources { indexes, folders } = python()?;
            let upstreams = indexes.iter().map(Upstream::open).collect::<Result<_, _>>()?;
            Ok(PythonIndexes { upstreams, folders })
        });
        Self { python, npm: Lazy::new(move || Upstream::open(&npm()?)) }
    }

    /// The page of a package. `whole` asks npm for all that it knows, and not for what installing takes.
    pub(crate) async fn page(
        &self,
        ecosystem: Ecosystem,
        name: &str,
        whole: bool,
        gateway: &str,
        share: &mut PageShare,
    ) -> Result<MirroredPage, PackageTrouble> {
        match ecosystem {
            Ecosystem::Python => self.python.get().await?.page(name, share).await,
            Ecosystem::Npm => {
                let accept = if whole { npm::WHOLE } else { npm::TO_INSTALL };
                let said = self.npm.get().await?.page(&[name], accept, share).await?;
                npm::mirrored(name, &said, gateway)
            }
        }
    }

    /// A file that a page links to.
    pub(crate) async fn linked(
        &self,
        ecosystem: Ecosystem,
        index: usize,
        url: Url,
    ) -> Result<reqwest::Response, PackageTrouble> {
        let upstream = match ecosystem {
            Ecosystem::Python => self.python.get().await?.upstreams.get(index).ok_or(PackageTrouble::Absent)?,
            Ecosystem::Npm => self.npm.get().await?,
        };
        upstream.file(url).await
    }
}

impl PythonIndexes {
    async fn page(&self, name: &str, share: &mut PageShare) -> Result<MirroredPage, PackageTrouble> {
        let (mut page, mut host) = (PythonPage::of_folders(&self.folders, name), String::new());
        let mut is_there = !page.links.is_empty();
        for (index, upstream) in self.upstreams.iter().enumerate() {
            match upstream.page(&[name, ""], python::ACCEPT, share).await {
                Ok(said) => {
                    page.add(index, &said)?;
                    (host, is_there) = (said.host(), true);
                }
                // Another index may have it.
                Err(PackageTrouble::Absent) => {}
                Err(trouble) => return Err(trouble),
            }
        }
        is_there.then(|| page.mirrored(name, host)).ok_or(PackageTrouble::Absent)
    }
}
