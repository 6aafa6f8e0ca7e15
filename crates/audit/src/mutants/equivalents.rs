//! `equivalents.toml`: mutants that do not change what a solution does, argued by the problem's author.

use std::{fs, path::Path};

use serde::Deserialize;
use slopbench_text::line_of;
use toml::Spanned;

use crate::{Error, report::Survivor};

/// The file's name in a problem's folder.
pub(crate) const EQUIVALENTS: &str = "equivalents.toml";

const FORMAT: &str = "slopbench.equivalents/1";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EquivalentsFile {
    format: Spanned<String>,
    #[serde(default)]
    equivalents: Vec<Spanned<Equivalent>>,
}

/// One mutant, in every checkpoint whose reference solution has the line.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Equivalent {
    /// The file, below the solution's folder.
    path: String,
    /// The line, without the white space around it.
    line: String,
    /// As the audit writes it: `old -> new`.
    mutation: String,
    reason: Spanned<String>,
}

/// What a problem's author argues.
pub(crate) struct Equivalents {
    entries: Vec<(Equivalent, u32)>,
}

impl Equivalents {
    /// Those of the problem in `dir`; none where it has no such file.
    pub(crate) fn load(dir: &Path) -> Result<Self, Error> {
        let path = dir.join(EQUIVALENTS);
        if !path.exists() {
            return Ok(Self { entries: Vec::new() });
        }
        let text = fs::read_to_string(&path).map_err(Error::file(&path))?;
        let wrong = |offset: usize, message: String| Error::Unfit {
            path: path.clone(),
            line: Some(line_of(text.as_bytes(), offset)),
            message,
        };
        let file: EquivalentsFile = toml::from_str(&text)
            .map_err(|error| wrong(error.span().map_or(0, |span| span.start), error.message().to_owned()))?;
        if file.format.as_ref() != FORMAT {
            let message = format!("format is \"{}\"; expected \"{FORMAT}\"", file.format.as_ref());
            return Err(wrong(file.format.span().start, message));
        }
        let entry = |entry: Spanned<Equivalent>| {
            let at = entry.span().start;
            let entry = entry.into_inner();
            match entry.reason.as_ref().trim().is_empty() {
                true => Err(wrong(entry.reason.span().start, "say why no input tells the mutant".to_owned())),
                false => Ok((entry, line_of(text.as_bytes(), at))),
            }
        };
        Ok(Self { entries: file.equivalents.into_iter().map(entry).collect::<Result<_, _>>()? })
    }

    /// Whether this mutant is argued to be equivalent.
    pub(crate) fn hold(&self, mutant: &Survivor) -> bool {
        self.entries.iter().any(|(entry, _)| entry.is_of(mutant))
    }

    /// Refuses an entry that is none of `mutants`: it argues for a program that is no more.
    pub(crate) fn check(&self, dir: &Path, mutants: &[Survivor]) -> Result<(), Error> {
        let unknown = self.entries.iter().find(|(entry, _)| !mutants.iter().any(|mutant| entry.is_of(mutant)));
        let Some((entry, line)) = unknown else { return Ok(()) };
        let message = format!(
            "no reference solution has the mutant `{}` of the line `{}` in {}: remove the entry, or write it as the audit does",
            entry.mutation, entry.line, entry.path
        );
        Err(Error::Unfit { path: dir.join(EQUIVALENTS), line: Some(*line), message })
    }
}

impl Equivalent {
    fn is_of(&self, mutant: &Survivor) -> bool {
        (&self.path, &self.line, &self.mutation) == (&mutant.path, &mutant.text, &mutant.mutation)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    fn mutant(mutation: &str) -> Survivor {
        let [path, text, operator] = ["a.py", "if x > 0:", "comparison"].map(str::to_owned);
        Survivor { path, line: 3, operator, text, mutation: mutation.to_owned() }
    }

    fn load(text: &str) -> Result<Equivalents, String> {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(EQUIVALENTS), text).unwrap();
        let loaded = Equivalents::load(dir.path()).and_then(|equivalents| {
            equivalents.check(dir.path(), &[mutant("> -> >=")])?;
            Ok(equivalents)
        });
        loaded.map_err(|error| error.to_string().replace(&dir.path().display().to_string(), "DIR"))
    }

    const ENTRY: &str = "format = \"slopbench.equivalents/1\"\n\n[[equivalents]]\npath = \"a.py\"\nline = \"if x > 0:\"\n\
                         mutation = \"> -> >=\"\nreason = \"x is never 0 here\"\n";

    #[test]
    fn an_entry_is_for_its_line_and_mutation() {
        let equivalents = load(ENTRY).unwrap();
        assert!(equivalents.hold(&mutant("> -> >=")));
        assert!(!equivalents.hold(&mutant("0 -> 1")));
    }

    #[test]
    fn what_argues_for_nothing_is_refused_with_its_line() {
        let error = load(&ENTRY.replace("x > 0", "x > 1")).err().unwrap();
        assert!(error.starts_with("DIR/equivalents.toml:3: no reference solution has the mutant `> -> >=`"), "{error}");
        let error = load(&ENTRY.replace("x is never 0 here", " ")).err().unwrap();
        assert_eq!(error, "DIR/equivalents.toml:7: say why no input tells the mutant");
        let error = load(&ENTRY.replace("reason", "because")).err().unwrap();
        assert!(error.starts_with("DIR/equivalents.toml:"), "{error}");
        let error = load(&ENTRY.replace("ents/1", "ents/2")).err().unwrap();
        assert!(error.ends_with("expected \"slopbench.equivalents/1\""), "{error}");
    }
}
