//! What each measure is, from the pages in `measures/`: the one place that says it, to people and to programs.

use std::path::Path;

use include_dir::{Dir, File, include_dir};
use serde::Serialize;

static PAGES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/measures");

/// How alike a name has to be to be proposed for another, from 0 to 1.
const ALIKE: f64 = 0.85;

/// How many names are proposed.
const PROPOSED: usize = 3;

/// One measure, or several that belong together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// Its name, by which it is asked for.
    pub name: String,
    /// What it is, in one sentence.
    pub summary: String,
    /// What its figures are counted in.
    pub unit: String,
    /// How it is computed; absent where it is counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub equation: Option<String>,
    /// Where the definition is from.
    pub source: String,
    /// Where its figures are in [`crate::Measurement`]'s JSON; `[]` stands for each element of a list.
    pub fields: Vec<String>,
    /// What else there is to know, in Markdown.
    pub details: String,
}

/// There is no such measure.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no measure `{name}`; {}`slopbench explain` names them all", proposal(.nearest))]
pub struct UnknownMeasure {
    /// What was asked for.
    pub name: String,
    /// What may have been meant, the likeliest first.
    pub nearest: Vec<String>,
}

fn proposal(nearest: &[String]) -> String {
    let names: Vec<_> = nearest.iter().map(|name| format!("`{name}`")).collect();
    if names.is_empty() { String::new() } else { format!("did you mean {}? ", names.join(", ")) }
}

/// Every measure, by name.
pub fn explanations() -> Vec<Explanation> {
    let pages = PAGES.files().filter(|page| page.path() != Path::new("README.md"));
    let mut found: Vec<_> = pages.filter_map(File::contents_utf8).filter_map(parse).collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

/// The measure of this name, or the one with a field whose path ends in it (`lloc`, `radon.lloc`).
///
/// # Errors
///
/// [`UnknownMeasure`] where there is none, or fields of several measures end so.
pub fn explain(name: &str) -> Result<Explanation, UnknownMeasure> {
    let all = explanations();
    let ending = format!(".{name}");
    let has_field =
        |explanation: &&Explanation| explanation.fields.iter().any(|field| field == name || field.ends_with(&ending));
    let named = all.iter().find(|explanation| explanation.name == name);
    let with_field: Vec<_> = all.iter().filter(has_field).collect();
    match (named, &with_field[..]) {
        (Some(found), _) | (None, &[found]) => Ok(found.clone()),
        (None, []) => Err(UnknownMeasure { name: name.to_owned(), nearest: nearest(name, &all) }),
        (None, several) => {
            let nearest = several.iter().map(|explanation| explanation.name.clone()).collect();
            Err(UnknownMeasure { name: name.to_owned(), nearest })
        }
    }
}

/// The names of measures and the ends of fields that are spelt most alike.
fn nearest(name: &str, all: &[Explanation]) -> Vec<String> {
    let fields = all.iter().flat_map(|explanation| &explanation.fields);
    let ends = fields.filter_map(|field| field.rsplit('.').next());
    let names = all.iter().map(|explanation| explanation.name.as_str());
    let likeness = |known: &str| strsim::jaro_winkler(&name.to_lowercase(), known);
    let mut alike: Vec<_> = names.chain(ends).filter(|known| likeness(known) >= ALIKE).collect();
    alike.sort_by(|a, b| likeness(b).total_cmp(&likeness(a)).then(a.cmp(b)));
    alike.dedup();
    alike.into_iter().take(PROPOSED).map(ToOwned::to_owned).collect()
}

/// Reads a page: `# name`, a sentence, a list of unit, equation, source and fields, and the details.
fn parse(page: &str) -> Option<Explanation> {
    let (name, rest) = page.strip_prefix("# ")?.split_once("\n\n")?;
    let (summary, rest) = rest.split_once("\n\n")?;
    let (list, details) = rest.split_once("\n\n")?;
    let entry =
        |key: &str| list.lines().find_map(|line| line.strip_prefix(&format!("- {key}: "))).map(ToOwned::to_owned);
    let fields = entry("fields")?.split(", ").map(|field| field.trim_matches('`').to_owned()).collect();
    Some(Explanation {
        name: name.to_owned(),
        summary: summary.replace('\n', " "),
        unit: entry("unit")?,
        equation: entry("equation"),
        source: entry("source")?,
        fields,
        details: details.trim_end().to_owned(),
    })
}
