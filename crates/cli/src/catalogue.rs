//! Which files make up the catalogue of a command.

use std::{env, path::PathBuf};

use slopbench_agents::catalogue::AgentCatalogue;
use slopbench_metrics::Configuration;

use crate::{Failure, args::CatalogueArgs};

/// The built-in entries, and above them those of the user's folder, of the `slopbench.toml` that the current folder is under,
/// and of the files that `args` name.
pub(crate) fn load(args: &CatalogueArgs) -> Result<AgentCatalogue, Failure> {
    let mut catalogue = AgentCatalogue::built_in().map_err(Failure::infrastructure)?;
    if let Some(folder) = user_folder() {
        catalogue.add_user(&folder).map_err(Failure::configuration)?;
    }
    let here = env::current_dir().map_err(|error| Failure::configuration(format!("no current folder: {error}")))?;
    if let Some(file) = Configuration::find(&here)?.file() {
        catalogue.add_repository(file).map_err(Failure::configuration)?;
    }
    args.catalogues.iter().try_for_each(|file| catalogue.add_file(file)).map_err(Failure::configuration)?;
    Ok(catalogue)
}

/// `slopbench` in the user's configuration folder, as the XDG base directory specification finds it.
pub(crate) fn user_folder() -> Option<PathBuf> {
    let named = env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let base = named.or_else(|| Some(env::home_dir()?.join(".config")))?;
    Some(base.join("slopbench"))
}
