//! What uv says when it finds no lock, as one sentence about lines of the solution's files. Nothing of the machine or of
//! the index is in it: it is part of results.

use crate::requirements::{Requirement, Requirements, normal};

/// What uv writes above what a build said.
const OUTPUTS: [&str; 2] = ["[stdout]", "[stderr]"];

/// What it begins to say.
const BEGINNING: &str = "Building wheel from source distribution";

/// The most that is told of what a build said, in characters.
const LONGEST_WORDS: usize = 300;

/// Whose matter it is that there is no lock.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Complaint {
    /// What was asked for cannot be had.
    Requirements(String),
    /// The same where only wheels were looked at, and sources may do.
    Wheels(String),
    /// The index gave no answer, in uv's words.
    Index(String),
    /// Something else, in uv's words.
    Other(String),
}

/// What uv begins with where the requirements are what cannot be fulfilled.
const UNSOLVED: &str = "No solution found when resolving dependencies";

/// What is in its reasons if it could not ask.
const UNASKED: [&str; 4] = ["could not be queried", "network was disabled", "401 Unauthorized", "403 Forbidden"];

/// How it begins where the network failed.
const UNREACHED: [&str; 5] =
    ["Request failed", "Failed to fetch", "error sending request", "Could not connect", "timed out"];

/// What it says of a package that came whole and is none.
const BROKEN: [&str; 2] = ["Invalid zip file structure", "Couldn't parse metadata"];

/// What it says of packages that have no wheel, or none for this interpreter.
const WHEELLESS: [&str; 3] = ["no usable wheels", "has no wheels with a matching", "have no wheels with a matching"];

/// What it begins with where a package cannot be built, before the package.
const UNBUILT: [&str; 2] = ["Failed to build `", "Failed to download and build `"];

/// What it says of a line that it cannot read: the line follows as a position in the file.
const UNREAD: &str = "Couldn't parse requirement in";

/// What `said` means for `requirements`, which were handed over as `input`, one a line.
pub(crate) fn complaint(said: &str, requirements: &Requirements, input: &str) -> Complaint {
    let has = |words: &[&str]| words.iter().any(|word| said.contains(word));
    if let Some(sentence) = unread(said, requirements, input) {
        return Complaint::Requirements(sentence);
    }
    if let Some(package) = unbuilt(said) {
        return Complaint::Requirements(cannot_be_built(&package, &build_words(said), requirements));
    }
    if said.contains(UNSOLVED) && !has(&UNASKED) {
        let sentence = unsolved(said, requirements);
        return if has(&WHEELLESS) { Complaint::Wheels(sentence) } else { Complaint::Requirements(sentence) };
    }
    if has(&BROKEN) {
        return Complaint::Requirements(format!("{}: a package is broken on the index", places(said, requirements)));
    }
    let words = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ");
    if has(&UNASKED) || has(&UNREACHED) { Complaint::Index(words) } else { Complaint::Other(words) }
}

/// The sentence for a line that is no requirement.
fn unread(said: &str, requirements: &Requirements, input: &str) -> Option<String> {
    let (_, rest) = said.split_once(UNREAD)?;
    let (_, position) = rest.lines().next()?.rsplit_once("at position ")?;
    let before = input.get(..position.trim().parse().ok()?)?;
    let requirement = requirements.0.get(before.matches('\n').count())?;
    let why = rest.lines().find_map(|line| line.trim().strip_prefix("cause: ")).unwrap_or("it is no requirement");
    Some(format!("{}: `{}` cannot be read: {}", requirement.place(), requirement.text, why.trim_end_matches('.')))
}

/// The sentence for requirements that no packages fulfil.
fn unsolved(said: &str, requirements: &Requirements) -> String {
    // uv breaks its lines where it likes.
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let places = places(&said, requirements);
    let before =
        |what: &str| said.split_once(what).and_then(|(before, _)| before.rsplit(' ').next().map(str::to_owned));
    if let Some(name) = before(" was not found in ") {
        return format!("{places}: the package index has no package `{name}`");
    }
    if WHEELLESS.iter().any(|words| said.contains(words)) {
        return format!("{places}: there is no wheel for this interpreter and machine, and no source");
    }
    format!("{places}: no versions of the packages that are asked for fit together")
}

/// The package that could not be built, as in `made==1.0`.
fn unbuilt(said: &str) -> Option<String> {
    let (_, rest) = UNBUILT.iter().find_map(|words| said.split_once(words))?;
    Some(rest.split('`').next()?.to_owned())
}

/// The sentence for a package whose source cannot be built.
pub(crate) fn cannot_be_built(package: &str, why: &str, requirements: &Requirements) -> String {
    let name = package.split("==").next().unwrap_or(package);
    format!("{}: the source of `{name}` cannot be built: {why}", places(name, requirements))
}

/// The last that a build said, or else the last cause that uv names.
pub(crate) fn build_words(said: &str) -> String {
    let lines = || said.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("hint: "));
    let error = lines().position(|line| line.starts_with("error: "));
    // Quiet, uv has the words below its own; otherwise they come first.
    let inner = lines().skip_while(|line| !OUTPUTS.contains(line)).filter(|line| !OUTPUTS.contains(line)).last();
    let before = lines().take(error.unwrap_or_default()).filter(|line| !line.starts_with(BEGINNING)).last();
    let cause = lines().rev().find_map(|line| line.strip_prefix("cause: "));
    let words = inner.or(before).or(cause).unwrap_or("it does not say why");
    words.chars().take(LONGEST_WORDS).collect()
}

/// The lines of all packages that uv names; the first where it names none.
fn places(said: &str, requirements: &Requirements) -> String {
    let words: Vec<&str> = said.split(|letter: char| letter.is_whitespace() || ",`'()[]".contains(letter)).collect();
    let named = requirements.0.iter().filter(|requirement| words.iter().any(|word| is_about(word, requirement)));
    let places: Vec<_> = named.map(Requirement::place).collect();
    match places.is_empty() {
        true => requirements.0.first().map_or_else(String::new, Requirement::place),
        false => places.join(", "),
    }
}

/// Whether a word of uv's names this requirement's package, with or without extras and versions.
fn is_about(word: &str, requirement: &Requirement) -> bool {
    let end = word.find(|letter| "<>=!~{;".contains(letter)).unwrap_or(word.len());
    word.get(..end).is_some_and(|name| normal(name.trim_end_matches(['.', ':'])) == requirement.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Requirements of these names, one a line.
    fn requirements(texts: &[&str]) -> (Requirements, String) {
        let of = |(index, text): (usize, &&str)| Requirement {
            file: "requirements.txt".to_owned(),
            line: index + 1,
            name: normal(text.split(['=', '<', '>', ' ', ';']).next().unwrap()),
            text: (*text).to_owned(),
        };
        let list: Vec<_> = texts.iter().enumerate().map(of).collect();
        (Requirements(list), texts.iter().map(|text| format!("{text}\n")).collect())
    }

    fn of(said: &str, texts: &[&str]) -> Complaint {
        let (requirements, input) = requirements(texts);
        complaint(said, &requirements, &input)
    }

    fn refused(sentence: &str) -> Complaint {
        Complaint::Requirements(sentence.to_owned())
    }

    /// In the words of the pinned version.
    #[test]
    fn what_cannot_be_fulfilled_is_one_sentence_with_its_lines() {
        let unsolved = |cause: &str| format!("error: No solution found when resolving dependencies\n  cause: {cause}");
        let missing = unsolved(
            "Because nosuch was not found in the package registry and you require\n  nosuch>=1, we can conclude that your \
             requirements are unsatisfiable.",
        );
        let expected = refused("requirements.txt:2: the package index has no package `nosuch`");
        assert_eq!(of(&missing, &["six", "nosuch>=1"]), expected);
        let wheelless = unsolved(
            "Because all versions of docopt have no usable wheels and you require docopt, we can conclude that your \
             requirements are unsatisfiable.\n\nhint: Wheels are required for `docopt` because building from source is \
             disabled for all packages (i.e., with `--no-build`)",
        );
        let Complaint::Wheels(sentence) = of(&wheelless, &["six", "docopt"]) else { panic!() };
        assert!(sentence.starts_with("requirements.txt:2: there is no wheel for this interpreter"), "{sentence}");
        let conflict = unsolved(
            "Because you require six==1 and six==2, we can conclude that your requirements are unsatisfiable.",
        );
        let expected =
            "requirements.txt:1, requirements.txt:3: no versions of the packages that are asked for fit together";
        assert_eq!(of(&conflict, &["six==1", "attrs", "Six==2"]), refused(expected));
    }

    #[test]
    fn a_line_that_is_no_requirement_is_named() {
        let said = "error: Couldn't parse requirement in `requirements.in` at position 4\n  cause: Expected one of `@`, `(`, \
                    found `t`\n         gree ting\n              ^\n";
        let expected = "requirements.txt:2: `gree ting` cannot be read: Expected one of `@`, `(`, found `t`";
        assert_eq!(of(said, &["six", "gree ting"]), refused(expected));
    }

    #[test]
    fn what_a_build_said_last_is_why_it_failed() {
        let said = "error: Failed to build `bad==1.0`\n  cause: The build backend returned an error\n  cause: Call to \
                    `backend.build_wheel` failed (exit status: 1)\n\n         [stderr]\n         Traceback\n         cannot go \
                    on\n\nhint: Build failures usually indicate a problem\n";
        let expected = "requirements.txt:2: the source of `bad` cannot be built: cannot go on";
        assert_eq!(of(said, &["six", "bad"]), refused(expected));
        let streamed = "Building wheel from source distribution...\ncannot go on\nerror: Failed to build `/x/bad-1.0.tar.gz`\n  \
                        cause: The build backend returned an error\n";
        assert_eq!(build_words(streamed), "cannot go on");
        let silent =
            "Building wheel from source distribution...\nerror: Failed to build `x`\n  cause: It broke\n\nhint: x\n";
        assert_eq!(build_words(silent), "It broke");
    }

    #[test]
    fn an_index_that_does_not_answer_is_nobodys_requirement() {
        let unreached =
            "error: Request failed after 3 retries in 9.7s\n  cause: Failed to fetch: `x`\n  cause: dns error\n";
        assert!(matches!(of(unreached, &["six"]), Complaint::Index(_)));
        let forbidden = "error: No solution found when resolving dependencies\n  cause: Because six was not found in the \
                         package registry\n\nhint: An index URL could not be queried due to a lack of valid authentication \
                         credentials (403 Forbidden).";
        assert!(matches!(of(forbidden, &["six"]), Complaint::Index(_)));
        assert!(matches!(of("error: it broke", &["six"]), Complaint::Other(_)));
        let broken = "error: Failed to download `six==1.0`\n  cause: Failed to extract archive: six-1.0-py3-none-any.whl\n  \
                      cause: Invalid zip file structure\n";
        assert_eq!(of(broken, &["attrs", "six"]), refused("requirements.txt:2: a package is broken on the index"));
    }
}
