//! Where sandboxes come from.

use std::path::Path;

use slopbench_sandbox::{Error, Sandbox};

/// Opens a sandbox in which the solution in the given folder can be run.
pub type OpenSandbox<'a> = dyn Fn(&Path) -> Result<Box<dyn Sandbox + 'a>, Error> + Sync + 'a;
