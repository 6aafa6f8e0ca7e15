//! Functions of a Python file that may not be worth having: trivial wrappers and single-use functions.
//!
//! Both are counts of functions, judged within one file; a function that other files call is single-use all the same.
//!
//! Source: the measures that SlopCodeBench's authors published first (version 0.1), whose verbosity has the term
//! (trivial wrappers + single-use functions) / functions.

use std::collections::{BTreeMap, HashMap};

use ruff_python_ast::{AnyNodeRef, Expr, ExprCall, Stmt, StmtFunctionDef};
use ruff_text_size::{Ranged, TextRange, TextSize};
use serde::{Deserialize, Serialize};

use crate::python::{Listed, Program, nodes};
use crate::sum::ratio;

/// How many were found.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wrappers {
    /// Functions that only pass a call on.
    pub trivial: u64,
    /// Functions that are called once or never.
    pub single_use: u64,
    /// `(trivial + single_use) / callables`.
    pub ratio: f64,
}

impl Wrappers {
    pub(crate) fn of(trivial: &[TrivialWrapper<()>], single_use: &[SingleUse<()>]) -> Self {
        Wrappers { trivial: trivial.len() as u64, single_use: single_use.len() as u64, ratio: 0.0 }
    }

    /// Of several files; `None` where there are none.
    pub(crate) fn total<'a>(files: impl Iterator<Item = &'a Wrappers>) -> Option<Self> {
        files.copied().reduce(|sum, file| Wrappers {
            trivial: sum.trivial + file.trivial,
            single_use: sum.single_use + file.single_use,
            ratio: 0.0,
        })
    }

    pub(crate) fn with_ratio(self, callables: u64) -> Self {
        Wrappers { ratio: ratio((self.trivial + self.single_use) as f64, callables as f64), ..self }
    }
}

/// A function directly in the module whose body, docstring and `pass` aside, is one `return` or expression statement
/// that contains exactly one call, of a name or of attributes of a name.
///
/// Where a name is defined more than once, its last definition counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrivialWrapper<P = String> {
    /// Path of its file; `()` until the files are collected.
    pub path: P,
    /// The function's name.
    pub name: String,
    /// The line of its `def` (or `async`).
    pub line: u32,
    /// What it calls, such as `os.path.join`.
    pub callee: String,
}

impl TrivialWrapper<()> {
    /// The wrapper in the file at `path`.
    pub(crate) fn at(self, path: &str) -> TrivialWrapper {
        TrivialWrapper { path: path.to_owned(), name: self.name, line: self.line, callee: self.callee }
    }
}

/// A listed callable that is no method and whose name is called at most once outside of its own span.
///
/// Listed is what [`crate::Measurement::callables`] lists: not what is defined below an `if`, `try`, `with` or loop. A
/// call counts by its name alone, `f()` and not `a.f()`, in whatever scope it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SingleUse<P = String> {
    /// Path of its file; `()` until the files are collected.
    pub path: P,
    /// The function's name.
    pub name: String,
    /// The line of its `def` (or `async`).
    pub line: u32,
    /// Calls outside of its own span: 0 or 1.
    pub calls: u64,
}

impl SingleUse<()> {
    /// The function in the file at `path`.
    pub(crate) fn at(self, path: &str) -> SingleUse {
        SingleUse { path: path.to_owned(), name: self.name, line: self.line, calls: self.calls }
    }
}

/// The trivial wrappers of a program by line. Their paths are still empty.
pub(crate) fn trivial(program: &Program) -> Vec<TrivialWrapper<()>> {
    let functions = program.body().iter().filter_map(Stmt::as_function_def_stmt);
    let last: BTreeMap<_, _> = functions.map(|function| (function.name.as_str(), function)).collect();
    let found = last.into_iter().filter_map(|(name, function)| {
        let callee = forwards_to(function)?;
        let line = program.line_of_function(function);
        Some(TrivialWrapper { path: (), name: name.to_owned(), line, callee })
    });
    let mut found: Vec<_> = found.collect();
    found.sort_by_key(|wrapper| wrapper.line);
    found
}

/// The one callee of the one statement of a function.
fn forwards_to(function: &StmtFunctionDef) -> Option<String> {
    let docstring = function.body.first().filter(|first| is_string(first)).is_some();
    let mut statements =
        function.body.iter().skip(usize::from(docstring)).filter(|statement| !statement.is_pass_stmt());
    let (Some(statement), None) = (statements.next(), statements.next()) else {
        return None;
    };
    let value = match statement {
        Stmt::Return(back) => back.value.as_deref()?,
        Stmt::Expr(expression) => &expression.value,
        _ => return None,
    };
    match calls([value.into()])[..] {
        [call] => dotted_name(&call.func),
        _ => None,
    }
}

fn is_string(statement: &Stmt) -> bool {
    statement.as_expr_stmt().is_some_and(|expression| expression.value.is_string_literal_expr())
}

/// A name with its attributes, such as `os.path.join`.
fn dotted_name(expression: &Expr) -> Option<String> {
    let mut attributes = Vec::new();
    let mut inner = expression;
    while let Expr::Attribute(attribute) = inner {
        attributes.push(attribute.attr.as_str());
        inner = &attribute.value;
    }
    attributes.push(inner.as_name_expr()?.id.as_str());
    attributes.reverse();
    Some(attributes.join("."))
}

/// The single-use functions of a program by line, among its listed ones. Their paths are still empty.
pub(crate) fn single_use(program: &Program, listed: &[Listed<'_>]) -> Vec<SingleUse<()>> {
    let functions: Vec<_> = listed.iter().filter(|listed| !listed.is_method).collect();
    let calls = calls_by_name(program, functions.iter().map(|listed| listed.function.name.as_str()));
    let mut found = Vec::new();
    for &Listed { function, line, .. } in functions {
        let name = function.name.as_str();
        let calls = calls.get(name).map_or(0, |calls| calls_outside(calls, program.span(function)));
        if calls <= 1 {
            found.push(SingleUse { path: (), name: name.to_owned(), line, calls });
        }
    }
    found.sort_by_key(|function| function.line);
    found
}

/// Where each of these names is called, in ascending order.
fn calls_by_name<'a>(program: &Program, names: impl Iterator<Item = &'a str>) -> HashMap<&'a str, Vec<TextSize>> {
    let mut called: HashMap<_, _> = names.map(|name| (name, Vec::new())).collect();
    for call in calls(nodes::of_suite(program.body())) {
        if let Expr::Name(name) = &*call.func
            && let Some(places) = called.get_mut(name.id.as_str())
        {
            places.push(name.start());
        }
    }
    called.values_mut().for_each(|places| places.sort());
    called
}

fn calls_outside(calls: &[TextSize], span: TextRange) -> u64 {
    let before = calls.partition_point(|&place| place < span.start());
    let upto = calls.partition_point(|&place| place < span.end());
    (calls.len() - (upto - before)) as u64
}

/// Every call at or below these nodes, in no order.
fn calls<'a>(roots: impl IntoIterator<Item = AnyNodeRef<'a>>) -> Vec<&'a ExprCall> {
    let mut found = Vec::new();
    nodes::walk(roots, |node| {
        found.extend(node.as_expr_call());
        true
    });
    found
}
