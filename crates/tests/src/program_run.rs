//! Runs of a program: what a case for a command line does, checked once when it is loaded.

use std::{
    collections::BTreeMap,
    num::{NonZeroU32, NonZeroU64},
    time::Duration,
};

use serde::Deserialize;
use slopbench_sandbox::{Limits, PlannedSignal, SignalMoment};
use toml::Spanned;

use crate::{
    error::Flaw,
    expect::{Expectations, number},
    expect_format::ExpectFile,
    paths::check_path,
    texts::{variable, without_nul},
};

/// One run of the program.
#[derive(Debug)]
pub(crate) struct ProgramRun {
    /// `step <n>`; empty where the case is one run.
    pub(crate) name: String,
    /// Arguments after the entry command.
    pub(crate) args: Vec<String>,
    pub(crate) stdin: Vec<u8>,
    /// Over the case's own.
    pub(crate) env: BTreeMap<String, String>,
    pub(crate) signal: Option<PlannedSignal>,
    pub(crate) expect: Expectations,
}

/// A run as it is written: one of a case's `[[steps]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RunFile {
    #[serde(default)]
    pub(crate) args: Vec<Spanned<String>>,
    #[serde(default)]
    pub(crate) stdin: String,
    #[serde(default)]
    pub(crate) env: BTreeMap<Spanned<String>, Spanned<String>>,
    pub(crate) signal: Option<Spanned<SignalFile>>,
    pub(crate) expect: Option<Spanned<ExpectFile>>,
}

/// A signal as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignalFile {
    name: Spanned<String>,
    after_ms: Option<Spanned<NonZeroU32>>,
    after_lines: Option<NonZeroU64>,
    after_file: Option<Spanned<String>>,
}

impl ProgramRun {
    /// The runs of a case's steps.
    pub(crate) fn steps(files: Spanned<Vec<RunFile>>, limits: &Limits) -> Result<Vec<Self>, Flaw> {
        let nothing = Flaw::at(&files, "the case expects nothing: at least one step has an `expect`");
        let expects_something = files.as_ref().iter().any(|file| file.expect.is_some());
        let step = |(number, file)| Self::new(format!("step {number}"), file, limits);
        let steps = (1..).zip(files.into_inner()).map(step).collect::<Result<_, _>>()?;
        if expects_something { Ok(steps) } else { Err(nothing) }
    }

    /// One run, of this name.
    pub(crate) fn new(name: String, file: RunFile, limits: &Limits) -> Result<Self, Flaw> {
        Ok(Self {
            name,
            args: file.args.into_iter().map(without_nul).collect::<Result<_, _>>()?,
            stdin: file.stdin.into_bytes(),
            env: file.env.into_iter().map(variable).collect::<Result<_, _>>()?,
            signal: file.signal.map(|signal| planned(signal, limits)).transpose()?,
            expect: file.expect.map(Expectations::new).transpose()?.unwrap_or_default(),
        })
    }
}

fn planned(file: Spanned<SignalFile>, limits: &Limits) -> Result<PlannedSignal, Flaw> {
    let moments = Flaw::at(&file, "say when to send the signal by one of after_ms, after_lines, after_file");
    let SignalFile { name, after_ms, after_lines, after_file } = file.into_inner();
    let moment = match (after_ms, after_lines, after_file) {
        (Some(after), None, None) => {
            let delay = Duration::from_millis(u64::from(after.as_ref().get()));
            if delay >= limits.wall {
                let message = format!("after_ms is less than wall_ms, here {}", limits.wall.as_millis());
                return Err(Flaw::at(&after, message));
            }
            SignalMoment::After(delay)
        }
        (None, Some(lines), None) => SignalMoment::Lines(lines.get()),
        (None, None, Some(path)) => {
            check_path(&path)?;
            SignalMoment::File(path.into_inner())
        }
        _ => return Err(moments),
    };
    Ok(PlannedSignal { number: number(&name)?, moment })
}
