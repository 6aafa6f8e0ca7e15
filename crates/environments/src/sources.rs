//! Where an agent's packages come from: as this machine's pip and npm are configured.

use std::env;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde::Deserialize;
use slopbench_gateway::packages::{PackageMirror, PackageServer, PythonSources};
use slopbench_gateway::provider::Secret;

use crate::{Error, PackageIndex};

/// npm's own registry: where packages are for those who have no npm here to ask.
const REGISTRY: &str = "https://registry.npmjs.org/";

/// npm's configuration, as far as it matters.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct NpmConfiguration {
    registry: String,
    cafile: Option<PathBuf>,
    proxy: Option<String>,
    https_proxy: Option<String>,
}

impl PackageIndex {
    /// The way to pip's index and npm's registry for sessions of agents. Neither program is asked before a session needs it.
    pub fn mirror(&self) -> PackageMirror {
        let (python, npm) = (self.clone(), self.clone());
        let told = |error: Error| error.to_string();
        PackageMirror::new(move || python.python_sources().map_err(told), move || npm.npm_registry().map_err(told))
    }

    fn python_sources(&self) -> Result<PythonSources, Error> {
        let places = self.places()?;
        let (certificates, proxy) = (places.certificates.map(PathBuf::from), places.proxy);
        let server = |url: String| PackageServer {
            url: Secret::new(url),
            certificates: certificates.clone(),
            proxy: proxy.clone().map(Secret::new),
        };
        let indexes = places.index.into_iter().chain(places.more).map(server).collect();
        let folders = places.places.into_iter().map(PathBuf::from).filter(|path| path.is_dir()).collect();
        Ok(PythonSources { indexes, folders })
    }

    fn npm_registry(&self) -> Result<PackageServer, Error> {
        let mut npm = Command::new("npm");
        npm.args(["config", "list", "--json"]).envs(self.variables.iter().cloned());
        // Of no project: that of whoever starts a run has no say. Certificates are node's as well.
        npm.current_dir("/").stdin(Stdio::null());
        let more = env::var_os("NODE_EXTRA_CA_CERTS").map(PathBuf::from).filter(|path| path.is_file());
        let said = npm.output().ok().filter(|output| output.status.success());
        let Some(said) = said else {
            return Ok(PackageServer { url: Secret::new(REGISTRY), certificates: more, proxy: None });
        };
        let wrong = |error: serde_json::Error| Error::Index { cause: format!("npm's configuration: {error}") };
        let NpmConfiguration { registry, cafile, proxy, https_proxy } =
            serde_json::from_slice(&said.stdout).map_err(wrong)?;
        let is_open = registry.starts_with("http:");
        let proxy = if is_open { proxy } else { https_proxy.or(proxy) };
        Ok(PackageServer { url: Secret::new(registry), certificates: cafile.or(more), proxy: proxy.map(Secret::new) })
    }
}
