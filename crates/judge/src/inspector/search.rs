//! `search`: the lines of all files that match a regular expression.

use std::collections::BTreeMap;

use regex::{Regex, RegexBuilder};
use serde_json::{Map, Value, json};
use slopbench_gateway::client::ToolDefinition;

use super::{MOST_SHOWN, left_out, text};
use crate::{shown, tree::JudgedTree};

/// How many lines of one file are shown, so that one file crowds out no other.
const MOST_OF_FILE: usize = 8;

/// How many bytes of a line are shown on each side of where a match begins.
const AROUND: usize = 120;

/// The most memory that a pattern may take, in bytes.
const MOST_PATTERN: usize = 1 << 20;

/// How many places of further matches are named.
const MOST_PLACES: usize = 12;

pub(super) fn definition() -> ToolDefinition {
    let properties = json!({
        "pattern": {"type": "string", "description": "Regular expression, matched in each line; (?i) ignores case."},
        "path": {"type": "string", "description": "Only in this folder or file, or in names that end as in *.py."},
    });
    let description = "Searches all files of the repository, and gives matching lines as PATH:LINE: TEXT.";
    super::definition("search", description, properties, &["pattern"])
}

pub(super) fn search(tree: &JudgedTree, arguments: &Map<String, Value>) -> Result<String, String> {
    let (pattern, path) = (text(arguments, "pattern")?, text(arguments, "path")?);
    if pattern.is_empty() {
        return Err("search needs a pattern".to_owned());
    }
    let (pattern, note) = compiled(pattern)?;
    let mut shown = String::new();
    // Matches that are not shown, by the folder below the tree's own.
    let mut more = BTreeMap::<&str, usize>::new();
    for (name, file) in tree.files().iter().filter(|(name, _)| is_in(name, path)) {
        let Some(text) = file.text() else { continue };
        let mut of_file = 0;
        for (index, line) in text.split('\n').enumerate() {
            let Some(place) = pattern.find(line) else { continue };
            of_file += 1;
            match of_file <= MOST_OF_FILE && shown.len() < MOST_SHOWN {
                true => shown.push_str(&format!("{name}:{}: {}\n", index + 1, around(line, place.start()))),
                false => {
                    *more.entry(name.split_once('/').map_or(name.as_str(), |(folder, _)| folder)).or_default() += 1
                }
            }
        }
    }
    if shown.is_empty() {
        shown.push_str("-- no line matches\n");
    }
    Ok(shown + &note + &further(&more) + &left_out(tree))
}

/// The pattern, and what is to be said of it. What is no regular expression is searched for as it is.
fn compiled(pattern: &str) -> Result<(Regex, String), String> {
    let build = |pattern: &str| RegexBuilder::new(pattern).size_limit(MOST_PATTERN).build();
    match build(pattern) {
        Ok(regex) => Ok((regex, String::new())),
        Err(regex::Error::CompiledTooBig(_)) => Err("the pattern is too large; search for less".to_owned()),
        Err(_) => {
            let literal = build(&regex::escape(pattern)).map_err(|error| error.to_string())?;
            Ok((literal, "-- the pattern is no regular expression: searched for as it is\n".to_owned()))
        }
    }
}

/// Whether a file lies where is searched.
fn is_in(name: &str, path: &str) -> bool {
    let path = path.trim_start_matches("./").trim_matches('/');
    match path.strip_prefix('*') {
        Some(ending) => name.ends_with(ending.trim_start_matches(['*', '/'])),
        None => {
            path.is_empty()
                || path == "."
                || name.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        }
    }
}

/// A line, or what of it stands around a match.
fn around(line: &str, place: usize) -> String {
    let start = line.floor_char_boundary(place.saturating_sub(AROUND));
    let end = line.ceil_char_boundary((place + AROUND).min(line.len()));
    let (start, end) = if line.len() <= 2 * AROUND { (0, line.len()) } else { (start, end) };
    let before = if start > 0 { format!("[{start} bytes]…") } else { String::new() };
    let behind = if end < line.len() { format!("…[{} bytes]", line.len() - end) } else { String::new() };
    format!("{before}{}{behind}", shown::text(&line[start..end]))
}

fn further(more: &BTreeMap<&str, usize>) -> String {
    if more.is_empty() {
        return String::new();
    }
    let total: usize = more.values().sum();
    let mut places: Vec<_> = more.iter().collect();
    // Places with few matches first: they are what a pile hides.
    places.sort_by_key(|(name, count)| (**count, **name));
    let named: Vec<_> = places.iter().take(MOST_PLACES).map(|(name, count)| format!("{name} ({count})")).collect();
    let others = if places.len() > MOST_PLACES {
        format!(" and {} more places", places.len() - MOST_PLACES)
    } else {
        String::new()
    };
    format!("-- {total} more lines match, in {}{others}: narrow the pattern or the path\n", named.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_folders_files_and_endings() {
        for (path, expected) in [
            ("", true),
            (".", true),
            ("src", true),
            ("./src/", true),
            ("src/a.py", true),
            ("*.py", true),
            ("**/a.py", true),
            ("sr", false),
            ("*.rs", false),
        ] {
            assert_eq!(is_in("src/a.py", path), expected, "{path}");
        }
    }

    #[test]
    fn a_long_line_is_shown_around_the_match() {
        let line = format!("{}needle{}", "é".repeat(200), "y".repeat(1000));
        let shown = around(&line, 400);
        assert!(
            shown.starts_with("[280 bytes]…é") && shown.contains("needle") && shown.ends_with("…[886 bytes]"),
            "{shown}"
        );
    }
}
