//! `list`: what lies in a folder.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use slopbench_gateway::client::ToolDefinition;

use super::{MOST_SHOWN, left_out, number, text};
use crate::{
    file::{FileContent, TreeFile},
    tree::JudgedTree,
};

pub(super) fn definition() -> ToolDefinition {
    let properties = json!({
        "path": {"type": "string", "description": "The folder; the repository's own where none is given."},
        "from": {"type": "integer", "minimum": 1, "description": "The number of the entry to begin with."},
    });
    let description = "Lists a folder: its folders with how many files lie below, its files with their lines.";
    super::definition("list", description, properties, &[])
}

/// What a folder in the folder holds.
#[derive(Default)]
struct Below {
    files: usize,
    bytes: u64,
}

pub(super) fn list(tree: &JudgedTree, arguments: &Map<String, Value>) -> Result<String, String> {
    let (path, from) = (text(arguments, "path")?, number(arguments, "from")?);
    let folder = path.trim_start_matches("./").trim_matches('/');
    let folder = if matches!(folder, "" | ".") { String::new() } else { format!("{folder}/") };
    let mut folders = BTreeMap::<&str, Below>::new();
    let mut lines = Vec::new();
    for (name, file) in tree.files() {
        let Some(name) = name.strip_prefix(&folder) else { continue };
        match name.split_once('/') {
            Some((inner, _)) => {
                let below = folders.entry(inner).or_default();
                below.files += 1;
                below.bytes += file.size;
            }
            None => lines.push(entry(name, file)),
        }
    }
    let inner = folders.iter().map(|(name, below)| format!("{name}/  {} files, {} bytes", below.files, below.bytes));
    let lines: Vec<_> = inner.chain(lines).collect();
    if lines.is_empty() {
        return Err(format!("there is no folder {path:?} with files in it"));
    }
    let mut shown = String::new();
    for (index, line) in lines.iter().enumerate().skip(from - 1) {
        if shown.len() + line.len() > MOST_SHOWN && !shown.is_empty() {
            shown.push_str(&format!("-- {} entries in all; go on from {}\n", lines.len(), index + 1));
            break;
        }
        shown.push_str(&format!("{}| {line}\n", index + 1));
    }
    if shown.is_empty() {
        shown.push_str(&format!("-- there are {} entries\n", lines.len()));
    }
    Ok(shown + &left_out(tree))
}

fn entry(name: &str, file: &TreeFile) -> String {
    match &file.content {
        FileContent::Text { looks_binary, .. } => {
            let kind = if *looks_binary { ", with bytes that are no text" } else { "" };
            format!("{name}  {} lines, {} bytes{kind}", file.lines(), file.size)
        }
        FileContent::Link(target) => format!("{name}  a link to {target}, which is not followed"),
        FileContent::Closed => format!("{name}  not readable"),
    }
}
