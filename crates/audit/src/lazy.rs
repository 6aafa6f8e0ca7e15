//! Solutions that do nothing of what is asked, made up from specifications.

use std::fs;

use regex::Regex;
use serde::Serialize;
use slopbench_tests::{Harness, Problem};
use tempfile::TempDir;

use crate::{
    Error,
    files::{copy, write},
};

/// A solution that nobody would call one.
pub(crate) struct Lazy {
    pub(crate) what: &'static str,
    /// Whether the core cases alone must tell it: what shows the specification's examples passes those by right.
    pub(crate) core: bool,
    pub(crate) folder: TempDir,
}

/// A program that stands for a solution.
struct LazyProgram {
    what: &'static str,
    core: bool,
    /// For a program that is run, and for a server.
    source: [&'static str; 2],
    /// Whether it goes in front of the solution of the checkpoint before.
    in_front: bool,
}

const PROGRAMS: [LazyProgram; 5] = [
    LazyProgram { what: "the empty solution", core: true, source: ["", ""], in_front: false },
    LazyProgram {
        what: "a solution that always succeeds with one answer",
        core: false,
        source: [include_str!("lazy/constant_cli.py"), include_str!("lazy/constant_http.py")],
        in_front: false,
    },
    LazyProgram {
        what: "a solution that refuses everything",
        core: false,
        source: [include_str!("lazy/refusal_cli.py"), include_str!("lazy/refusal_http.py")],
        in_front: false,
    },
    LazyProgram {
        what: "a solution that knows the specification's examples",
        core: false,
        source: [include_str!("lazy/examples_cli.py"), include_str!("lazy/examples_http.py")],
        in_front: false,
    },
    LazyProgram {
        what: "the reference solution before it, to which new flags mean nothing",
        core: false,
        source: [include_str!("lazy/flags_cli.py"), include_str!("lazy/flags_http.py")],
        in_front: true,
    },
];

/// What lazy programs know.
#[derive(Serialize)]
struct Knowledge {
    /// The variable with the port to listen on.
    port_variable: Option<String>,
    /// Commands without the program, and what they print.
    shown: Vec<(String, String)>,
    /// Method, path, status and body.
    answers: Vec<(String, String, u16, String)>,
    /// Flags that no earlier specification names.
    flags: Vec<String>,
    /// The file of the solution behind this one.
    behind: String,
}

/// Every lazy solution of a checkpoint.
pub(crate) fn lazy_solutions(problem: &Problem, number: u32) -> Result<Vec<Lazy>, Error> {
    let knowledge = serde_json::to_string(&Knowledge::of(problem, number))?;
    let programs = PROGRAMS.iter().filter(|program| number > 1 || !program.in_front);
    programs
        .map(|program| {
            let folder = tempfile::tempdir().map_err(Error::file("a temporary folder"))?;
            if program.in_front {
                copy(&problem.reference(number - 1), folder.path())?;
            }
            let entry = folder.path().join(problem.entry.file());
            if program.in_front {
                let behind = entry.with_file_name(BEHIND);
                fs::rename(&entry, &behind).map_err(Error::file(&entry))?;
            }
            let is_server = matches!(problem.harness, Harness::Server(_));
            let source = program.source[usize::from(is_server)];
            write(&entry, source)?;
            write(&entry.with_file_name("lazy_knowledge.json"), &knowledge)?;
            Ok(Lazy { what: program.what, core: program.core, folder })
        })
        .collect()
}

/// What the entry of a solution is called that something was put in front of.
const BEHIND: &str = "lazy_behind.py";

impl Knowledge {
    fn of(problem: &Problem, number: u32) -> Self {
        let spec = |number| problem.specification(number).unwrap_or_default();
        let earlier: String = (1..number).map(spec).collect();
        let now = spec(number);
        let known = flags(&earlier);
        let port_variable = match &problem.harness {
            Harness::Server(server) => server.port_variable.clone(),
            Harness::Program | Harness::Pytest(_) => None,
        };
        Self {
            port_variable,
            shown: shown(&now, &problem.entry.file()),
            answers: answers(&now),
            flags: flags(&now).into_iter().filter(|flag| !known.contains(flag)).collect(),
            behind: BEHIND.to_owned(),
        }
    }
}

/// The code blocks of a specification, each behind the command that is shown to print it, if one is.
fn shown(spec: &str, entry: &str) -> Vec<(String, String)> {
    let mut shown: Vec<(String, String)> = Vec::new();
    let (mut fenced, mut is_new) = (false, true);
    for line in spec.lines() {
        let code = match line.strip_prefix("    ") {
            _ if line.starts_with("```") => {
                fenced = !fenced;
                is_new = true;
                continue;
            }
            _ if fenced => line,
            Some(code) => code,
            None => {
                is_new = true;
                continue;
            }
        };
        if let Some(command) = code.strip_prefix("$ ") {
            let arguments = command.split_once(entry).map_or(command, |(_, arguments)| arguments);
            shown.push((arguments.trim().to_owned(), String::new()));
        } else if let Some((_, output)) = shown.last_mut().filter(|_| !is_new) {
            output.push_str(code);
            output.push('\n');
        } else {
            shown.push((String::new(), format!("{code}\n")));
        }
        is_new = false;
    }
    shown
}

/// Requests and answers that stand on one line of a specification, as in a table of examples.
fn answers(spec: &str) -> Vec<(String, String, u16, String)> {
    let Ok(pattern) = Regex::new(r"`(GET|POST|PUT|PATCH|DELETE) (/[^` ]*)`.*?\b([1-5]\d\d)\b[^`]*(?:`([^`]*)`)?")
    else {
        return Vec::new();
    };
    let answer = |found: regex::Captures<'_>| {
        let part = |index| found.get(index).map_or("", |part| part.as_str()).to_owned();
        Some((part(1), part(2), part(3).parse().ok()?, part(4)))
    };
    spec.lines().filter_map(|line| answer(pattern.captures(line)?)).collect()
}

/// The flags that a specification names.
fn flags(spec: &str) -> Vec<String> {
    let Ok(pattern) = Regex::new(r"(?:^|[\s`\[(])(--?[a-zA-Z][a-zA-Z0-9-]*)") else { return Vec::new() };
    let mut flags: Vec<_> = pattern.captures_iter(spec).map(|found| found[1].to_owned()).collect();
    flags.sort();
    flags.dedup();
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_found_in_specifications() {
        let spec = "Text.\n\n    $ tool.py add a\n    1\n\n```\n{}\n```\n";
        let expected = [("add a".to_owned(), "1\n".to_owned()), (String::new(), "{}\n".to_owned())];
        assert_eq!(shown(spec, "tool.py"), expected);
        let table = "| `POST /jobs` `{\"a\": 1}` | 201 `{\"id\": 1}` |\n| `GET /jobs/2` | 404 |\n";
        let expected = [
            ("POST".to_owned(), "/jobs".to_owned(), 201, "{\"id\": 1}".to_owned()),
            ("GET".to_owned(), "/jobs/2".to_owned(), 404, String::new()),
        ];
        assert_eq!(answers(table), expected);
        assert_eq!(flags("`--at INSTANT [-l LABEL]`, not a--b"), ["--at", "-l"]);
    }
}
