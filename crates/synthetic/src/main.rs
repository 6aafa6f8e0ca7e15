//! Writes a made-up study: `slopbench-synthetic --out DIR`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a binary")]

use std::{path::PathBuf, process::ExitCode};

use clap::Parser;
use slopbench_synthetic::SyntheticStudy;

/// Write runs that never took place, and say so.
#[derive(Parser)]
struct Args {
    /// Folder to write runs into, which holds none; given twice, the last one counts.
    #[arg(long, value_name = "DIR", overrides_with = "out")]
    out: PathBuf,

    /// The same seed gives the same study.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Two models on four problems, instead of 11 on 20 with 93 checkpoints, 3 prompts and 3 repeats.
    #[arg(long)]
    small: bool,

    /// One model on the paper's 20 problems, with one prompt and once: 93 checkpoints.
    #[arg(long, conflicts_with = "small")]
    once: bool,

    /// Do every trajectory N times.
    #[arg(long, value_name = "N")]
    repeats: Option<u32>,

    /// Leave workspaces with sources, and tell steps.
    #[arg(long)]
    workspaces: bool,

    /// Do every trajectory with this version of the agent, too; may be repeated.
    #[arg(long, value_name = "VERSION")]
    version: Vec<String>,

    /// Have a model of this name, too; may be repeated.
    #[arg(long, value_name = "NAME")]
    model: Vec<String>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let mut study = match (args.small, args.once) {
        (true, _) => SyntheticStudy::small(args.seed),
        (_, true) => SyntheticStudy::once(args.seed),
        _ => SyntheticStudy::large(args.seed),
    };
    study.repeats = args.repeats.unwrap_or(study.repeats);
    study.versions.extend(args.version);
    study.models.extend(args.model);
    study.workspaces = args.workspaces;
    match study.write(&args.out) {
        Ok(runs) => {
            println!("{} made-up runs below {}", runs.len(), args.out.display());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
