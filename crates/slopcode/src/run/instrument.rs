//! What this study's results are made with.

use std::{collections::BTreeMap, path::Path, time::Duration};

use slopbench_agents::stage::Equipment;
use slopbench_gateway::catalogue::EntryIdentity;
use slopbench_runner::Instrument;
use slopbench_sandbox::{Limits, ProgramEnd, Task};
use slopbench_tests::Track;

use crate::{Error, GradingContext, SolutionMounts, results::ToolVersion, toolchain};

/// What the parts begin with that sessions are held with, and grades are not.
const SESSION_PARTS: [&str; 6] = ["image of ", "agent ", "lock ", "model ", "provider ", "price "];

/// This version with these parts, and the interpreter that solutions find in this context; in other tracks than Python's, the
/// toolchain, too. `back_end` names the sandbox, `image`
/// what solutions find there in place of the machine's own system; `nothing` is an empty folder.
///
/// # Errors
///
/// [`Error::Sandbox`] if there is no sandbox to be had, [`Error::Interpreter`] and [`Error::Toolchain`] if there is none in it.
pub fn instrument(
    context: &GradingContext<'_>,
    back_end: &str,
    image: Option<String>,
    track: Track,
    nothing: &Path,
) -> Result<Instrument, Error> {
    let parts = [
        ("tool", Some(ToolVersion::this().to_string())),
        ("rules", Some(context.rules.digest().to_owned())),
        ("back end", Some(back_end.to_owned())),
        ("image", image),
        ("interpreter", Some(interpreter(context, nothing)?)),
        ("toolchain", (track != Track::Python).then(|| toolchain(context, track)).transpose()?),
    ];
    Ok(parts.into_iter().filter_map(|(part, value)| Some((part, value?))).collect())
}

/// The parts that sessions are held with: the image of each worker, by what it is called in tables, and the catalogue's entries.
pub fn session_parts(equipment: &Equipment) -> impl Iterator<Item = (String, String)> {
    let images = equipment.systems.images().into_iter().map(|(worker, image)| (format!("image of {worker}"), image));
    let entry = |(name, entry): (&String, &EntryIdentity)| (name.clone(), entry.digest.to_string());
    images.chain(equipment.catalogue.iter().map(entry))
}

/// Where the catalogue's entries come from: the same entry in another file is the same part.
pub fn origins(equipment: &Equipment) -> BTreeMap<String, String> {
    equipment.catalogue.iter().map(|(name, entry)| (name.clone(), entry.origin.to_string())).collect()
}

/// Those parts of a planned instrument.
pub fn planned_session_parts(planned: &Instrument) -> impl Iterator<Item = (&str, &str)> {
    SESSION_PARTS.iter().flat_map(|prefix| planned.parts_of(prefix))
}

/// More than a question takes, on a busy machine too.
const PLENTY: Limits = Limits {
    wall: Duration::from_secs(60),
    cpu: Duration::from_secs(60),
    memory: 512 << 20,
    processes: 16,
    file_size: 1 << 20,
    disk: 1 << 20,
    output: 1 << 20,
};

/// Asks in a sandbox, since that is where it counts.
fn interpreter(context: &GradingContext<'_>, nothing: &Path) -> Result<String, Error> {
    const QUESTION: &str = "import platform; print(platform.python_implementation(), platform.python_version())";
    let seen = (context.open)(nothing, SolutionMounts::default())?
        .run(&Task::new(["python3", "-I", "-c", QUESTION], PLENTY))?;
    match (seen.end, String::from_utf8(seen.stdout)) {
        (ProgramEnd::Exited(0), Ok(text)) => Ok(text.trim().to_owned()),
        _ => Err(Error::Interpreter(String::from_utf8_lossy(&seen.stderr).trim().to_owned())),
    }
}
