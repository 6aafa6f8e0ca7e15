//! What the texts of a problem give away, or keep to themselves: as far as texts alone can tell.

use std::{collections::BTreeSet, fs};

use regex::Regex;
use slopbench_tests::{Case, Category, Problem};
use toml::{Table, Value};

use crate::{
    Error,
    sentences::{coverage, uncovered},
};

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wording {
    /// What is wrong, a sentence each.
    pub flaws: Vec<String>,
    /// What an author should look at: texts cannot tell whether it is wrong.
    pub notes: Vec<String>,
}

/// How many literals of a case are named.
const MOST_NAMED: usize = 3;

/// Words in the names of inputs that tell what is to come out.
const TELLING: [&str; 4] = ["answer", "answers", "expected", "golden"];

/// Looks through specifications and cases of a problem of our own format; of others, nothing is said.
///
/// # Errors
///
/// [`Error::File`] and [`Error::Unfit`] if a case cannot be read.
pub fn wording(problem: &Problem) -> Result<Wording, Error> {
    let mut found = Wording::default();
    if problem.harness.pytest().is_some() {
        return Ok(found);
    }
    let mut told = String::new();
    for checkpoint in &problem.checkpoints {
        told += &problem.specification(checkpoint.number).unwrap_or_default();
        let said = Said { squeezed: squeezed(&told), words: words(&told) };
        found.flaws.extend(of_later(problem, checkpoint.number, &said.words));
        for case in &checkpoint.cases {
            let texts = CaseTexts::read(problem, case)?;
            found.flaws.extend(texts.answers_told(case));
            if case.category == Category::Core {
                found.notes.extend(texts.not_shown(case, &said));
            }
        }
    }
    found.notes.extend(coverage(problem).iter().flat_map(|row| &row.uncovered).map(uncovered));
    Ok(found)
}

/// What a checkpoint says of later ones.
fn of_later(problem: &Problem, number: u32, told: &BTreeSet<String>) -> Vec<String> {
    let own = problem.specification(number).unwrap_or_default();
    let later = |checkpoint: &&slopbench_tests::Checkpoint| checkpoint.number > number;
    let to_come: String =
        problem.checkpoints.iter().filter(later).filter_map(|one| problem.specification(one.number)).collect();
    let to_come = words(&to_come);
    let title = problem.checkpoint(number).map_or("", |checkpoint| &checkpoint.title);
    let mut named = vec![("title", title)];
    if number == 1 {
        named.push(("entry", problem.entry.name.as_str()));
    }
    let is_early = |word: &&String| word.len() > 4 && !told.contains(*word) && to_come.contains(*word);
    let mut flaws: Vec<_> = named
        .iter()
        .flat_map(|(what, text)| {
            words(text).iter().filter(is_early).map(|word| (*what, word.clone())).collect::<Vec<_>>()
        })
        .map(|(what, word)| {
            format!("the {what} of checkpoint {number} says \"{word}\", which only a later specification speaks of")
        })
        .collect();
    let promise = Regex::new(r"(?i)\b(?:later|next|following|future) (?:checkpoint|version|step|task)s?\b").ok();
    flaws.extend(promise.and_then(|promise| {
        let found = promise.find(&own)?.as_str();
        Some(format!("the specification of checkpoint {number} speaks of what is to come: \"{found}\""))
    }));
    flaws
}

/// What specifications say so far.
struct Said {
    /// Without white space.
    squeezed: String,
    words: BTreeSet<String>,
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// The words of a text, in lower case.
fn words(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// The texts of a case's file.
#[derive(Debug, Default)]
struct CaseTexts {
    /// Arguments, requests and what is sent: what a specification can show.
    inputs: Vec<String>,
    /// Names of files.
    paths: Vec<String>,
    /// Contents of files and standard input, which are an author's invention.
    contents: Vec<String>,
    outputs: Vec<String>,
}

impl CaseTexts {
    fn read(problem: &Problem, case: &Case) -> Result<Self, Error> {
        let (folder, stem) = case.id.as_str().split_once('/').unwrap_or_default();
        let path = problem.dir.join(folder).join("cases").join(format!("{stem}.toml"));
        let text = fs::read_to_string(&path).map_err(Error::file(&path))?;
        let table: Table = toml::from_str(&text).map_err(|error| Error::unfit(&path, error.message()))?;
        let mut texts = Self::default();
        texts.take(&table);
        Ok(texts)
    }

    /// Takes what stands in a case or in one of its steps.
    fn take(&mut self, table: &Table) {
        for (key, value) in table {
            match (key.as_str(), value) {
                ("args" | "request" | "json" | "body", value) => leaves(value, &mut self.inputs),
                ("stdin", value) => leaves(value, &mut self.contents),
                ("files" | "files_base64" | "symlinks", Value::Table(files)) => {
                    self.paths.extend(files.keys().cloned());
                    leaves(value, &mut self.contents);
                }
                ("expect", Value::Table(expected)) => expected_leaves(expected, &mut self.outputs),
                ("steps" | "together", Value::Array(steps)) => {
                    steps.iter().filter_map(Value::as_table).for_each(|step| self.take(step));
                }
                _ => {}
            }
        }
    }

    /// Names that tell what is to come out.
    fn answers_told(&self, case: &Case) -> Vec<String> {
        let stems = self.paths.iter().map(|path| (path, stem(path)));
        let mut flaws: Vec<_> = stems
            .filter(|(_, stem)| words(stem).iter().any(|word| TELLING.contains(&word.as_str())))
            .map(|(path, _)| format!("{}: the name of the file {path} says that it holds an answer", case.id))
            .collect();
        let name = stem(case.id.as_str());
        let one_word = |text: &str| {
            let text = text.trim();
            (text.len() > 2 && text.chars().all(char::is_alphanumeric)).then(|| text.to_lowercase())
        };
        // One word alone is all that comes out, and it is the name.
        if let [only] = self.outputs.as_slice()
            && one_word(only).is_some_and(|word| name == word || self.paths.iter().any(|path| stem(path) == word))
        {
            flaws.push(format!("{}: its name, or that of a file, is what has to come out", case.id));
        }
        flaws
    }

    /// The literals of a core case that no specification so far has.
    fn not_shown(&self, case: &Case, said: &Said) -> Option<String> {
        let given: BTreeSet<String> = self.paths.iter().chain(&self.contents).flat_map(|text| words(text)).collect();
        let is_shown = |text: &&String| {
            let is_known = |word: &String| said.words.contains(word) || given.contains(word);
            said.squeezed.contains(&squeezed(text)) || words(text).iter().all(is_known)
        };
        let missing: Vec<_> = self.inputs.iter().chain(&self.outputs).filter(|text| !is_shown(text)).collect();
        let named: Vec<_> = missing.iter().take(MOST_NAMED).map(|text| format!("`{}`", shortened(text))).collect();
        let more = missing.len().saturating_sub(named.len());
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        (!named.is_empty())
            .then(|| format!("{}: core, and not in a specification so far: {}{more}", case.id, named.join(", ")))
    }
}

/// The file's name without its ending.
fn stem(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.split('.').next().unwrap_or_default().to_lowercase()
}

/// A text of one line, short enough for a sentence.
fn shortened(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", words.get(..end).unwrap_or_default()),
        None => words,
    }
}

/// Every text in a value.
fn leaves(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| leaves(item, texts)),
        Value::Table(table) => table.values().for_each(|item| leaves(item, texts)),
        _ => {}
    }
}

/// The texts that are expected, by whichever way of comparing that states them.
fn expected_leaves(table: &Table, texts: &mut Vec<String>) {
    for (key, value) in table {
        match (key.as_str(), value) {
            ("text" | "json" | "json_lines" | "csv", value) => leaves(value, texts),
            (_, Value::Table(inner)) => expected_leaves(inner, texts),
            _ => {}
        }
    }
}
