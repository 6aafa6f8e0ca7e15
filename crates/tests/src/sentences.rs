//! Sentences of specifications that their authors tagged, and the cases that cover them. Agents never see a tag.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use slopbench_text::line_of;
use toml::Spanned;

use crate::{LoadError, error::Flaw, texts::is_name};

/// A sentence that its author tagged with `<!-- @name -->`, so that it can be told whether a case covers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// `checkpoint_<n>/<name>`, unique within the problem.
    pub id: String,
    /// The line of its tag in `spec.md`, from 1.
    pub line: u32,
}

/// Tagged sentences by identifier, with the lines of their tags.
pub(crate) type Tagged = BTreeMap<String, u32>;

/// How a tag begins, and what begins every comment.
const COMMENT: &str = "<!--";

/// Reads the specification of the checkpoint in `folder`: what agents are told, and its tagged sentences in their order.
pub(crate) fn read_specification(path: &Path, folder: &str) -> Result<(String, Vec<Sentence>), LoadError> {
    let text = fs::read_to_string(path).map_err(|error| LoadError::read(path, &error))?;
    take_tags(&text, folder).map_err(|flaw| flaw.in_file(path, &text))
}

/// Takes the tags out of a text, and nothing else: a comment that is no tag stays.
fn take_tags(text: &str, folder: &str) -> Result<(String, Vec<Sentence>), Flaw> {
    let (mut told, mut sentences, mut tagged, mut rest) = (String::new(), Vec::new(), Tagged::new(), text);
    while let Some((before, after)) = rest.split_once(COMMENT) {
        told += before;
        let offset = text.len() - after.len() - COMMENT.len();
        if !after.trim_start().starts_with('@') {
            told += COMMENT;
            rest = after;
            continue;
        }
        let tag = after.strip_prefix(" @").and_then(|tag| tag.split_once(" -->"));
        let Some((name, after)) = tag.filter(|(name, _)| is_name(name)) else {
            let message = "a tag is written `<!-- @name -->`, its name in lower-case words joined by `_`";
            return Err(Flaw::at_offset(offset, message));
        };
        if told.is_empty() || told.ends_with(char::is_whitespace) {
            let message =
                format!("the tag @{name} follows white space: put it right behind its sentence's last character");
            return Err(Flaw::at_offset(offset, message));
        }
        let (id, line) = (format!("{folder}/{name}"), line_of(text.as_bytes(), offset));
        if let Some(first) = tagged.insert(id.clone(), line) {
            let message =
                format!("the tag @{name} stands in line {first} already: each sentence has a name of its own");
            return Err(Flaw::at_offset(offset, message));
        }
        sentences.push(Sentence { id, line });
        rest = after;
    }
    told += rest;
    Ok((told, sentences))
}

/// The identifiers of the sentences that a case of the checkpoint in `folder` says it covers.
pub(crate) fn covered(names: Vec<Spanned<String>>, folder: &str, tagged: &Tagged) -> Result<BTreeSet<String>, Flaw> {
    let mut covers = BTreeSet::new();
    for name in names {
        let written = name.as_ref();
        let id = if written.contains('/') { written.clone() } else { format!("{folder}/{written}") };
        if !tagged.contains_key(&id) {
            let message = format!(
                "covers: no sentence has the tag `{written}`: write `name` for a sentence of this checkpoint, \
                 `checkpoint_1/name` for one of an earlier one"
            );
            return Err(Flaw::at(&name, message));
        }
        if !covers.insert(id) {
            return Err(Flaw::at(&name, format!("covers: `{written}` is named twice")));
        }
    }
    Ok(covers)
}
