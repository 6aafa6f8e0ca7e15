//! A reference solution as mutation sees it: its files, statements and mutants, and where it differs from the one
//! before.

use std::path::Path;

use slopbench_diff::LineDiff;

use super::{
    operators::{Mutant, mutants},
    statements::{Statement, instrumented, parse, statements},
};
use crate::{
    Error,
    files::{Sources, copy, write},
    report::Survivor,
};

/// The files of a solution in Python.
pub(crate) struct Program {
    pub(crate) modules: Vec<Module>,
}

/// One file.
pub(crate) struct Module {
    pub(crate) path: String,
    pub(crate) source: String,
    statements: Vec<Statement>,
    /// The number of its first statement among all of the program's.
    first: usize,
    mutants: Vec<Mutant>,
    /// For each line, from 0, whether the solution before it lacks it.
    new: Vec<bool>,
}

/// A mutant of a program, and the statement that it is in.
#[derive(Clone, Copy)]
pub(crate) struct Candidate<'a> {
    pub(crate) module: &'a Module,
    pub(crate) mutant: &'a Mutant,
    pub(crate) statement: Option<usize>,
}

impl Program {
    pub(crate) fn new(now: &Sources, before: &Sources) -> Self {
        let (mut modules, mut first) = (Vec::new(), 0);
        for (path, source) in now {
            let tree = parse(source);
            let (statements, mutants) = match &tree {
                Some(tree) => (statements(tree), mutants(tree, source)),
                None => (Vec::new(), Vec::new()),
            };
            let earlier = before.get(path).map_or("", String::as_str);
            let diff = LineDiff::new(earlier.as_bytes(), source.as_bytes());
            let new = (1..).zip(source.lines()).map(|(line, _)| diff.earlier(line).is_none()).collect();
            let count = statements.len();
            modules.push(Module { path: path.clone(), source: source.clone(), statements, first, mutants, new });
            first += count;
        }
        Self { modules }
    }

    /// How many lines are new.
    pub(crate) fn new_lines(&self) -> usize {
        self.modules.iter().flat_map(|module| &module.new).filter(|new| **new).count()
    }

    /// The mutants of new lines.
    pub(crate) fn candidates(&self) -> Vec<Candidate<'_>> {
        let mut candidates = Vec::new();
        for module in &self.modules {
            let mutants = module.mutants.iter().filter(|mutant| module.is_new(mutant.line));
            candidates.extend(mutants.map(|mutant| Candidate { module, mutant, statement: module.statement(mutant) }));
        }
        candidates
    }

    /// The statements that begin on new lines: their numbers, and where they are.
    pub(crate) fn new_statements(&self) -> Vec<(usize, String)> {
        let mut found = Vec::new();
        for module in &self.modules {
            let numbered = (module.first..).zip(&module.statements);
            let new = numbered.filter(|(_, statement)| module.is_new(statement.line));
            found.extend(new.map(|(number, statement)| (number, format!("{}:{}", module.path, statement.line))));
        }
        found
    }

    /// Writes a copy of the solution in `from` that says what it executes.
    pub(crate) fn write_instrumented(&self, from: &Path, to: &Path, entry: &str) -> Result<(), Error> {
        copy(from, to)?;
        for module in &self.modules {
            let text = instrumented(&module.source, &module.statements, module.first, module.path == entry);
            write(&to.join(&module.path), &text)?;
        }
        Ok(())
    }
}

impl Module {
    fn is_new(&self, line: u32) -> bool {
        self.new.get(line as usize - 1).copied().unwrap_or_default()
    }

    /// The number of the innermost statement that a mutant is in.
    fn statement(&self, mutant: &Mutant) -> Option<usize> {
        let holds = |statement: &Statement| statement.start <= mutant.range.start && mutant.range.end <= statement.end;
        let found = (self.first..).zip(&self.statements).filter(|(_, statement)| holds(statement));
        found.min_by_key(|(_, statement)| statement.end - statement.start).map(|(number, _)| number)
    }
}

impl Candidate<'_> {
    /// A copy of the solution in `from` with this change.
    pub(crate) fn write(&self, from: &Path, to: &Path) -> Result<(), Error> {
        copy(from, to)?;
        write(&to.join(&self.module.path), &self.mutant.apply(&self.module.source))
    }

    /// What it is, for people.
    pub(crate) fn describe(&self) -> Survivor {
        let line = self.module.source.lines().nth(self.mutant.line as usize - 1).unwrap_or_default();
        Survivor {
            path: self.module.path.clone(),
            line: self.mutant.line,
            operator: self.mutant.operator.to_owned(),
            text: line.trim().to_owned(),
            mutation: self.mutant.mutation(&self.module.source),
        }
    }

    /// One name for this change of this program.
    pub(crate) fn name(&self) -> String {
        let Mutant { operator, range, replacement, .. } = self.mutant;
        format!("{}:{}-{} {operator} {replacement}", self.module.path, range.start, range.end)
    }
}
