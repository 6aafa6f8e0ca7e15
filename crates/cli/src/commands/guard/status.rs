use serde::Serialize;
use slopbench_guard::{Guard, ModelUse, RestartReason, SessionLoad, StateSize, semantic::record::RecordKind};

use super::{place::open, spending::took};
use crate::{
    Failure,
    args::{Args, GuardLoadArgs, GuardPlaceArgs},
    output::{Status, print, print_json},
};

/// The state in figures, as `--json` says it.
#[derive(Serialize)]
struct GuardStatus {
    format: &'static str,
    designs: usize,
    decisions: usize,
    resources: usize,
    retired: usize,
    relations: usize,
    files: usize,
    unread_files: usize,
    signatures: usize,
    public_signatures: usize,
    turns: usize,
    unread_turns: usize,
    size: StateSize,
    kilobytes: f64,
    /// What models' calls took, forecasts among them.
    spent: ModelUse,
    restart: Option<RestartReason>,
}

pub(super) fn run(args: &Args, place: &GuardPlaceArgs, load: GuardLoadArgs) -> Result<Status, Failure> {
    let guard = open(place)?;
    let status = status(&guard, load.into())?;
    match args.json {
        true => print_json(&status)?,
        false => print(text(&status))?,
    }
    Ok(Status::Ok)
}

impl From<GuardLoadArgs> for SessionLoad {
    fn from(args: GuardLoadArgs) -> Self {
        Self { turns: args.session_turns, context_tokens: args.context_tokens }
    }
}

fn status(guard: &Guard, load: SessionLoad) -> Result<GuardStatus, Failure> {
    let committed = guard.semantic().committed();
    let of = |kind: RecordKind| committed.iter().filter(|record| record.kind == kind).count();
    let (signatures, public_signatures) = guard.structural().signatures();
    let size = guard.size()?;
    Ok(GuardStatus {
        format: "slopbench.guard-status/1",
        designs: of(RecordKind::Design),
        decisions: of(RecordKind::Decision),
        resources: of(RecordKind::Resource),
        retired: guard.semantic().records().len() - committed.len(),
        relations: guard.semantic().relations().iter().count(),
        files: guard.structural().files.len(),
        unread_files: guard.structural().unread.len(),
        signatures,
        public_signatures,
        turns: guard.turns().len(),
        unread_turns: guard.unread_turns().len(),
        size,
        kilobytes: size.kilobytes(),
        spent: guard.spent()?,
        restart: guard.restart_due(load, None),
    })
}

fn text(status: &GuardStatus) -> String {
    let GuardStatus { designs, decisions, resources, retired, relations, .. } = status;
    let GuardStatus { files, unread_files, signatures, public_signatures, turns, unread_turns, .. } = status;
    let mut text = format!(
        "records     {designs} designs, {decisions} decisions, {resources} resources, {relations} relations; {retired} retired\n\
         code        {files} source files, {signatures} signatures, {public_signatures} of them for others; {unread_files} \
         files cannot be read\n\
         turns       {turns}, {unread_turns} of them not read by a model\n\
         size        {:.1} kB: {:.1} kB of records, {:.1} kB of code\n",
        status.kilobytes,
        status.size.semantic as f64 / 1000.0,
        status.size.structural as f64 / 1000.0,
    );
    if status.spent.calls > 0 {
        text += &format!("models      {}\n", took(&status.spent));
    }
    if let Some(reason) = status.restart {
        text +=
            &format!("restart     due: {reason}; `slopbench guard brief` prints what a fresh session begins with\n");
    }
    text
}
