//! Functions of a Python file that may not be worth having: trivial wrappers and single-use functions.
//!
//! Both are counts of functions, judged within one file; a function that other files call is single-use all the same.
//!
//! Source: the measures that SlopCodeBench's authors published first (version 0.1), whose verbosity has the term
//! (trivial wrappers + single-use functions) / functions.

use std::collections::{BTreeMap, HashMap};

use ruff_python_ast::{AnyNodeRef, Expr, ExprCall, Stmt, StmtFunctionDef};
use ruff_text_size::{Ranged, TextRange, TextSize};
use serde::Serialize;

use crate::python::{Program, nodes};
use crate::source::{self, Refusal};

/// What was found in one file, each by line.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Report {
    /// Listed callables, the functions that could be single-use but for the methods among them.
    pub callables: u64,
    /// Functions that only pass a call on.
    pub trivial_wrappers: Vec<TrivialWrapper>,
    /// Functions that are called once or never.
    pub single_use: Vec<SingleUse>,
}

/// A function directly in the module whose body, docstring and `pass` aside, is one `return` or expression statement
/// that contains exactly one call, of a name or of attributes of a name.
///
/// Where a name is defined more than once, its last definition counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TrivialWrapper {
    /// The function's name.
    pub name: String,
    /// The line of its `def` (or `async`).
    pub line: u32,
    /// What it calls, such as `os.path.join`.
    pub callee: String,
}

/// A listed callable that is no method and whose name is called at most once outside of its own span.
///
/// Listed is what [`crate::Measurement::callables`] lists: not what is defined below an `if`, `try`, `with` or loop. A
/// call counts by its name alone, `f()` and not `a.f()`, in whatever scope it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SingleUse {
    /// The function's name.
    pub name: String,
    /// The line of its `def` (or `async`).
    pub line: u32,
    /// Calls outside of its own span: 0 or 1.
    pub calls: u64,
}

/// Finds both in the text of one file.
///
/// # Errors
///
/// [`Refusal`] where the text is no Python 3.12, or nested too deeply.
pub fn analyze(text: &str) -> Result<Report, Refusal> {
    let text = source::decode(text.as_bytes().to_vec())?;
    let program = Program::parse(&text)?;
    let listed = listed(program.body());
    let single_use = single_use(&program, &listed);
    Ok(Report { callables: listed.len() as u64, trivial_wrappers: trivial_wrappers(&program), single_use })
}

fn trivial_wrappers(program: &Program<'_>) -> Vec<TrivialWrapper> {
    let functions = program.body().iter().filter_map(Stmt::as_function_def_stmt);
    let last: BTreeMap<_, _> = functions.map(|function| (function.name.as_str(), function)).collect();
    let found = last.into_iter().filter_map(|(name, function)| {
        let callee = forwards_to(function)?;
        Some(TrivialWrapper { name: name.to_owned(), line: program.line_of_function(function), callee })
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

fn single_use(program: &Program<'_>, listed: &[Listed<'_>]) -> Vec<SingleUse> {
    let calls = called_names(program);
    let mut found = Vec::new();
    for function in listed.iter().filter(|listed| !listed.is_method).map(|listed| listed.function) {
        let name = function.name.as_str();
        let calls = calls.get(name).map_or(0, |calls| calls_outside(calls, program.span(function)));
        if calls <= 1 {
            found.push(SingleUse { name: name.to_owned(), line: program.line_of_function(function), calls });
        }
    }
    found.sort_by_key(|function| function.line);
    found
}

/// Where each name is called, in ascending order.
fn called_names<'a>(program: &'a Program<'_>) -> HashMap<&'a str, Vec<TextSize>> {
    let mut called: HashMap<&str, Vec<TextSize>> = HashMap::new();
    for call in calls(nodes::of_suite(program.body())) {
        if let Expr::Name(name) = &*call.func {
            called.entry(&name.id).or_default().push(name.start());
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

struct Listed<'a> {
    function: &'a StmtFunctionDef,
    is_method: bool,
}

/// The functions reached through the bodies of the module, classes and functions alone.
fn listed(module: &[Stmt]) -> Vec<Listed<'_>> {
    let mut found = Vec::new();
    let mut bodies = vec![(module, false)];
    while let Some((body, of_class)) = bodies.pop() {
        for statement in body {
            match statement {
                Stmt::FunctionDef(function) => {
                    found.push(Listed { function, is_method: of_class });
                    bodies.push((&function.body, false));
                }
                Stmt::ClassDef(class) => bodies.push((&class.body, true)),
                _ => {}
            }
        }
    }
    found
}
