//! What tests' files import, by a look at their text.
//!
//! A test that imports the solution has it in pytest's own process, beside everything that is expected: no sandbox is
//! between them. This look finds it before anything is run; `runner.py` finds at the end of a session what this missed.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use ruff_python_ast::{
    Expr, Stmt, StmtFunctionDef,
    visitor::{Visitor, walk_expr, walk_stmt},
};
use ruff_python_parser::parse_module;
use ruff_text_size::{Ranged, TextSize};
use slopbench_text::line_of;

use super::{environment::base_modules, exposure::Exposure, stdlib, suite::PytestSuite};
use crate::LoadError;

/// Calls that load code from a path or by a name that their text does not tell.
const LOADERS: &[&str] = &[
    "importlib.util.spec_from_file_location",
    "util.spec_from_file_location",
    "spec_from_file_location",
    "importlib.machinery.SourceFileLoader",
    "SourceFileLoader",
    "runpy.run_path",
    "runpy.run_module",
    "run_path",
];

/// Calls that import what their first argument names.
const IMPORTERS: &[&str] = &["importlib.import_module", "import_module", "__import__", "pytest.importorskip"];

/// Calls that add a folder to what is imported from.
const PATH_CALLS: &[&str] = &["sys.path.insert", "sys.path.append", "sys.path.extend", "site.addsitedir"];

/// What an argument of those says that means the solution's folder.
const SOLUTIONS: &[&str] = &["cwd", "entry", "workspace", "\".\"", "'.'", "\"\"", "''"];

/// Packages whose modules are called otherwise than they are.
const MODULES_OF: &[(&str, &[&str])] = &[
    ("attrs", &["attr", "attrs"]),
    ("beautifulsoup4", &["bs4"]),
    ("grpcio", &["grpc"]),
    ("opencv-python", &["cv2"]),
    ("pillow", &["PIL"]),
    ("protobuf", &["google"]),
    ("psycopg2-binary", &["psycopg2"]),
    ("pyjwt", &["jwt"]),
    ("pytest", &["pytest", "_pytest", "py"]),
    ("python-dateutil", &["dateutil"]),
    ("python-dotenv", &["dotenv"]),
    ("pyyaml", &["yaml"]),
    ("rpds-py", &["rpds"]),
    ("scikit-learn", &["sklearn"]),
    ("websocket-client", &["websocket"]),
];

/// Looks at every file of the tests: how many functions are tests, and what is imported.
pub(super) fn look(suite: &mut PytestSuite) -> Result<(), LoadError> {
    let surroundings = Surroundings::new(suite)?;
    let mut exposed = Vec::new();
    for file in python_files(&suite.dir.join("tests"))? {
        let text = fs::read_to_string(&file).map_err(|error| LoadError::read(&file, &error))?;
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let seen = look_at(&name, &text, &surroundings);
        if let Some(number) = suite.number_of(&name)
            && let Some(checkpoint) = suite.checkpoints.get_mut(number as usize - 1)
        {
            checkpoint.functions = seen.functions;
        }
        exposed.extend(seen.exposures);
    }
    suite.exposed = exposed;
    Ok(())
}

/// The modules that tests may import without touching the solution, and those of the solution as far as it is known.
struct Surroundings {
    /// Beside the tests, and of their dependencies.
    theirs: BTreeSet<String>,
    /// At the top of the reference solutions and the entry; `None` where there is no reference solution.
    solutions: Option<BTreeSet<String>>,
}

impl Surroundings {
    fn new(suite: &PytestSuite) -> Result<Self, LoadError> {
        let mut theirs = modules_in(&suite.dir.join("tests"))?;
        theirs.extend(suite.dependencies.iter().flat_map(|dependency| modules_of(dependency)));
        theirs.extend(base_modules().flat_map(modules_of));
        let numbers = (1..).take(suite.checkpoints.len());
        let references = numbers.map(|number| suite.reference(&suite.dir, number)).filter(|folder| folder.is_dir());
        let mut solutions: Option<BTreeSet<String>> = None;
        for folder in references {
            solutions.get_or_insert_default().extend(modules_in(&folder)?);
        }
        if let Some(solutions) = &mut solutions {
            let entry = Path::new(&suite.entry).file_name().unwrap_or_default();
            solutions.insert(entry.to_string_lossy().into_owned());
        }
        Ok(Self { theirs, solutions })
    }

    /// Whether importing this top-level name may bring in the solution.
    fn is_solution(&self, name: &str) -> bool {
        let known = stdlib::has(name) || name.starts_with('_') || self.theirs.contains(name);
        !known && self.solutions.as_ref().is_none_or(|solutions| solutions.contains(name))
    }
}

/// The Python files that lie directly in a folder, by name.
fn python_files(dir: &Path) -> Result<Vec<PathBuf>, LoadError> {
    let failed = |error| LoadError::read(dir, &error);
    let mut paths = Vec::new();
    for entry in fs::read_dir(dir).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_file() && path.extension().is_some_and(|extension| extension == "py") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// The names that can be imported from a folder.
fn modules_in(dir: &Path) -> Result<BTreeSet<String>, LoadError> {
    let stem = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut names: BTreeSet<String> = python_files(dir)?.iter().map(|path| stem(path)).collect();
    let entries = fs::read_dir(dir).map_err(|error| LoadError::read(dir, &error))?;
    let packages = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_dir() && python_files(path).is_ok_and(|files| !files.is_empty()));
    names.extend(packages.map(|path| path.file_name().unwrap_or_default().to_string_lossy().into_owned()));
    Ok(names)
}

/// The modules of a package, by what it is required as.
fn modules_of(requirement: &str) -> Vec<String> {
    let end =
        requirement.find(|c: char| !(c.is_ascii_alphanumeric() || "._-".contains(c))).unwrap_or(requirement.len());
    let name = requirement.get(..end).unwrap_or_default().to_ascii_lowercase().replace(['_', '.'], "-");
    match MODULES_OF.iter().find(|(package, _)| *package == name) {
        Some((_, modules)) => modules.iter().map(|module| (*module).to_owned()).collect(),
        None => vec![name.replace('-', "_")],
    }
}

/// What a file of tests showed.
struct Look {
    /// How many of its functions are tests.
    functions: usize,
    exposures: BTreeSet<Exposure>,
}

/// Looks at a file. One that cannot be parsed is pytest's to refuse.
fn look_at(file: &str, text: &str, surroundings: &Surroundings) -> Look {
    let mut looker = Looker { file, text, surroundings, seen: Look { functions: 0, exposures: BTreeSet::new() } };
    if let Ok(module) = parse_module(text) {
        looker.visit_body(module.suite());
    }
    looker.seen
}

struct Looker<'a> {
    file: &'a str,
    text: &'a str,
    surroundings: &'a Surroundings,
    seen: Look,
}

impl Looker<'_> {
    fn expose(&mut self, at: TextSize, how: &str) {
        let line = line_of(self.text.as_bytes(), at.to_usize());
        let place = self.file.to_owned();
        self.seen.exposures.insert(Exposure { place, how: format!("line {line} {how}") });
    }

    fn import(&mut self, at: TextSize, module: &str) {
        let top = module.split('.').next().unwrap_or_default();
        if self.surroundings.is_solution(top) {
            self.expose(at, &format!("imports `{module}`"));
        }
    }

    fn source(&self, part: &impl Ranged) -> &str {
        self.text.get(part.range().to_std_range()).unwrap_or_default()
    }
}

impl<'a> Visitor<'a> for Looker<'_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Import(import) => {
                import.names.iter().for_each(|name| self.import(stmt.start(), name.name.as_str()));
            }
            Stmt::ImportFrom(import) if import.level == 0 => {
                import.module.iter().for_each(|module| self.import(stmt.start(), module.as_str()));
            }
            Stmt::FunctionDef(StmtFunctionDef { name, .. }) if name.starts_with("test_") => self.seen.functions += 1,
            _ => {}
        }
        walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::Call(call) = expr {
            let callee = self.source(&*call.func).to_owned();
            let first = call.arguments.args.first();
            let arguments = self.source(&call.arguments).to_owned();
            if LOADERS.contains(&callee.as_str()) {
                self.expose(call.start(), &format!("calls `{callee}`"));
            } else if IMPORTERS.contains(&callee.as_str()) {
                match first {
                    Some(Expr::StringLiteral(name)) => self.import(call.start(), name.value.to_str()),
                    _ => self.expose(call.start(), &format!("calls `{callee}`")),
                }
            } else if PATH_CALLS.contains(&callee.as_str()) && SOLUTIONS.iter().any(|word| arguments.contains(word)) {
                self.expose(call.start(), &format!("imports from the solution's folder: `{callee}`"));
            }
        }
        walk_expr(self, expr);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exposures(text: &str, solutions: Option<&[&str]>) -> Vec<String> {
        let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let surroundings = Surroundings { theirs: set(&["helpers", "yaml"]), solutions: solutions.map(set) };
        look_at("test_a.py", text, &surroundings).exposures.into_iter().map(|exposure| exposure.how).collect()
    }

    #[test]
    fn an_import_of_the_solution_is_told_from_others() {
        let text = "import json, helpers\nfrom yaml import load\ndef test_a():\n    from tool.core import run\n";
        assert_eq!(exposures(text, Some(&["tool"])), ["line 4 imports `tool.core`"]);
        assert_eq!(exposures(text, Some(&["main"])), [] as [&str; 0], "a dependency's dependency");
        assert_eq!(exposures(text, None), ["line 4 imports `tool.core`"], "nothing known of the solution");
    }

    #[test]
    fn loaders_and_paths_are_found() {
        for (text, found) in [
            ("spec = importlib.util.spec_from_file_location('m', path)", true),
            ("runpy.run_path(entry)", true),
            ("importlib.import_module('json')", false),
            ("importlib.import_module('tool')", true),
            ("importlib.import_module(name)", true),
            ("sys.path.insert(0, os.getcwd())", true),
            ("sys.path.insert(0, str(Path(__file__).parent))", false),
        ] {
            assert_eq!(!exposures(text, Some(&["tool"])).is_empty(), found, "{text}");
        }
    }

    #[test]
    fn a_package_is_imported_by_its_modules() {
        assert_eq!(modules_of("PyYAML>=6"), ["yaml"]);
        assert_eq!(modules_of("pytest_timeout"), ["pytest_timeout"]);
        assert_eq!(modules_of("httpx[http2]"), ["httpx"]);
    }
}
