//! Package indexes as sessions may read them: pages of links, and the files that these link to, below addresses of the
//! gateway's own. Nothing else of an index can be asked, and nothing is sent to it but a package's name.
//!
//! `request` is what an agent may ask, `upstream` asks the index, `python` and `npm` read and write pages.

mod mirrored_page;
mod npm;
mod page_memory;
mod python;
mod request;
mod upstream;

use std::{fmt, path::PathBuf, sync::Arc};

use reqwest::Url;
use tokio::sync::OnceCell;

pub(crate) use self::{
    mirrored_page::{FilePlace, MirroredPage},
    page_memory::{PageMemory, PageShare},
    request::{Ecosystem, PackageRequest},
    upstream::{PackageTrouble, host},
};
use self::{python::PythonPage, upstream::Upstream};
pub use self::{
    request::{NPM_PATH, PYTHON_PATH},
    upstream::PackageServer,
};

/// Where Python packages come from.
#[derive(Clone, Debug, Default)]
pub struct PythonSources {
    /// Indexes, each by the URL below which it has a page for each package (PEP 503). All of them are asked.
    pub indexes: Vec<PackageServer>,
    /// Folders of this machine with files of packages, which are offered beside.
    pub folders: Vec<PathBuf>,
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
