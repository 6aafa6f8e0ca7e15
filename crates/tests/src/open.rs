//! Where sandboxes come from.

use std::path::Path;

use slopbench_sandbox::{Error, Sandbox};

/// Opens a sandbox in which the solution in the first folder can be run, and finds the assets in the second.
pub type OpenSandbox<'a> = dyn Fn(&Path, Option<&Path>) -> Result<Box<dyn Sandbox + 'a>, Error> + Sync + 'a;
