//! Whether the harness holds against agents that leave anything, send anything and do anything.

use std::{
    fs,
    io::{self, Write as _},
    path::Path,
    process::ExitCode,
};

use clap::Args;
use slopbench_test_support::attacks::{Arena, Played, all};

use crate::Failure;

/// What is played.
#[derive(Args)]
pub(crate) struct Attacks {
    /// How long a gateway is attacked.
    #[arg(long, default_value_t = 60.0)]
    seconds: f64,
    /// These attacks alone.
    names: Vec<String>,
}

impl Attacks {
    /// Exit code 1 where an attack ends otherwise than its table says, costs more than it may, or reaches somebody else.
    pub(crate) fn run(&self, root: &Path, slopbench: &Path) -> Result<ExitCode, Failure> {
        let mut attacks = all()?;
        if let Some(name) = self.names.iter().find(|name| !attacks.iter().any(|attack| attack.name == **name)) {
            return Err(format!("there is no attack {name}; crates/test-support/attacks has them").into());
        }
        attacks.retain(|attack| self.names.is_empty() || self.names.contains(&attack.name));
        let scratch = root.join(format!("target/attacks-{}", std::process::id()));
        let repository = root.join("crates/cli/tests/repository");
        let mut arena = Arena::open(slopbench, &repository, &scratch, self.seconds)?;
        let mut out = io::stdout();
        writeln!(out, "{:24} {:>10} {:>12} {:>8}  outcome", "attack", "peak MiB", "descriptors", "seconds")?;
        let mut flawed = 0;
        for attack in &attacks {
            let played = arena.play(attack)?;
            let Played { memory, descriptors, took, outcome, .. } = &played;
            let (memory, took, outcome) = (memory >> 20, took.as_secs(), outcome.join(", "));
            writeln!(out, "{:24} {memory:>10} {descriptors:>12} {took:>8}  {outcome}", attack.name)?;
            let flaws = played.flaws(attack);
            flaws.iter().try_for_each(|flaw| writeln!(out, "    {flaw}"))?;
            flawed += usize::from(!flaws.is_empty());
        }
        fs::remove_dir_all(&scratch)?;
        writeln!(out, "{flawed} of {} attacks come to something.", attacks.len())?;
        Ok(ExitCode::from(u8::from(flawed > 0)))
    }
}
