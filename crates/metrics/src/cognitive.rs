//! Cognitive complexity of each Python function.
//!
//! Points without unit, 0 for straight-line code. Let n be how many nesting constructs there are around a node within
//! the function; then the complexity is the sum of
//!
//! | construct | points | nests |
//! | --- | --- | --- |
//! | `if`, conditional expression | 1 + n | yes |
//! | `elif`, `else` (of an `if`, loop or `try`) | 1 | yes |
//! | `for`, `while` | 1 + n | its body |
//! | `except`, `except*` | 1 + n | its body |
//! | each run of equal operators in a sequence of `and` and `or` | 1 | no |
//! | `case` | 0 | its body |
//! | nested function, lambda | 0 | yes |
//! | `try`, `finally`, `with`, class | 0 | no |
//!
//! Parentheses do not divide a sequence of `and` and `or`; anything else, such as `not`, does. A function whose body is
//! one nested function and otherwise returns of plain names (a decorator) does not nest what is in it. Recursion,
//! `break`, `continue`, comprehensions and `assert` cost nothing.
//!
//! Source: G. A. Campbell, "Cognitive Complexity", SonarSource 2018, with its compensation for Python's decorators, as
//! the analyzer sonar-python applies it; `tests/oracle/plain_values.py` states the table a second time. sonar-python
//! itself has not been asked. The PyPI package `cognitive_complexity` 1.3.0 is something else: it counts recursion, an
//! `if` before an `elif` costs and nests one level less while the `elif` costs its nesting, the `else` of a `try` is
//! free, of `and` and `or` it counts nodes and looks at nothing below them.

use ruff_python_ast::{AnyNodeRef, BoolOp, Expr, ExprBoolOp, Stmt, StmtFunctionDef};

use crate::python::nodes;

/// The cognitive complexity of a function, with that of the functions in it.
pub(crate) fn of_function(function: &StmtFunctionDef) -> u32 {
    let mut walk = Walk::default();
    walk.function(function, 0);
    while let Some((node, nesting)) = walk.open.pop() {
        walk.enter(node, nesting);
    }
    walk.points
}

/// The nodes still to be visited, each with its nesting.
#[derive(Default)]
struct Walk<'a> {
    points: u32,
    open: Vec<(AnyNodeRef<'a>, u32)>,
}

impl<'a> Walk<'a> {
    /// The table above.
    fn enter(&mut self, node: AnyNodeRef<'a>, nesting: u32) {
        match node {
            AnyNodeRef::StmtIf(branch) => {
                self.points += 1 + nesting;
                self.visit([&*branch.test], nesting);
                self.visit(&branch.body, nesting + 1);
                self.visit(&branch.elif_else_clauses, nesting);
            }
            AnyNodeRef::ElifElseClause(clause) => {
                self.points += 1;
                self.visit(&clause.test, nesting);
                self.visit(&clause.body, nesting + 1);
            }
            AnyNodeRef::StmtFor(each) => {
                self.points += 1 + nesting;
                self.visit([&*each.target, &*each.iter], nesting);
                self.visit(&each.body, nesting + 1);
                self.orelse(&each.orelse, nesting);
            }
            AnyNodeRef::StmtWhile(again) => {
                self.points += 1 + nesting;
                self.visit([&*again.test], nesting);
                self.visit(&again.body, nesting + 1);
                self.orelse(&again.orelse, nesting);
            }
            AnyNodeRef::StmtTry(attempt) => {
                self.visit(&attempt.body, nesting);
                self.visit(&attempt.handlers, nesting);
                self.orelse(&attempt.orelse, nesting);
                self.visit(&attempt.finalbody, nesting);
            }
            AnyNodeRef::ExceptHandlerExceptHandler(handler) => {
                self.points += 1 + nesting;
                self.visit(handler.type_.as_deref(), nesting);
                self.visit(&handler.body, nesting + 1);
            }
            AnyNodeRef::MatchCase(case) => {
                self.visit([&case.pattern], nesting);
                self.visit(case.guard.as_deref(), nesting);
                self.visit(&case.body, nesting + 1);
            }
            AnyNodeRef::ExprIf(_) => {
                self.points += 1 + nesting;
                self.below(node, nesting + 1);
            }
            AnyNodeRef::ExprBoolOp(sequence) => self.sequence(sequence, nesting),
            AnyNodeRef::StmtFunctionDef(function) => self.function(function, nesting + 1),
            AnyNodeRef::ExprLambda(_) => self.below(node, nesting + 1),
            _ => self.below(node, nesting),
        }
    }

    /// What is directly below a node.
    fn below(&mut self, node: AnyNodeRef<'a>, nesting: u32) {
        nodes::for_each_child(node, |child| self.open.push((child, nesting)));
    }

    fn visit(&mut self, nodes: impl IntoIterator<Item = impl Into<AnyNodeRef<'a>>>, nesting: u32) {
        self.open.extend(nodes.into_iter().map(|node| (node.into(), nesting)));
    }

    /// The `else` of a loop or `try`.
    fn orelse(&mut self, body: &'a [Stmt], nesting: u32) {
        self.points += u32::from(!body.is_empty());
        self.visit(body, nesting + 1);
    }

    /// What is in a function, `nesting` deep. The nested function of a decorator is as deep as the decorator; it recurs
    /// only as deep as blocks of statements nest, which Python limits to 100.
    fn function(&mut self, function: &'a StmtFunctionDef, nesting: u32) {
        let is_decorator = is_decorator(function);
        nodes::for_each_child(function.into(), |child| match child {
            AnyNodeRef::StmtFunctionDef(inner) if is_decorator => self.function(inner, nesting),
            _ => self.open.push((child, nesting)),
        });
    }

    /// A sequence of `and` and `or` with its operands.
    fn sequence(&mut self, sequence: &'a ExprBoolOp, nesting: u32) {
        let (mut operators, mut operands) = (Vec::new(), Vec::new());
        flatten(sequence, &mut operators, &mut operands);
        operators.dedup();
        self.points += operators.len() as u32;
        self.visit(operands, nesting);
    }
}

/// The operators and operands of a sequence in the order of the text. It recurs only as deep as parentheses nest.
fn flatten<'a>(sequence: &'a ExprBoolOp, operators: &mut Vec<BoolOp>, operands: &mut Vec<&'a Expr>) {
    for (index, value) in sequence.values.iter().enumerate() {
        if index > 0 {
            operators.push(sequence.op);
        }
        match value {
            Expr::BoolOp(inner) => flatten(inner, operators, operands),
            operand => operands.push(operand),
        }
    }
}

/// Whether the function's body is one nested function and otherwise only returns of plain names.
fn is_decorator(function: &StmtFunctionDef) -> bool {
    let returns_name = |statement: &Stmt| {
        let Stmt::Return(back) = statement else { return false };
        matches!(back.value.as_deref(), Some(Expr::Name(_)))
    };
    let functions = function.body.iter().filter(|statement| statement.is_function_def_stmt()).count();
    functions == 1 && function.body.iter().all(|statement| statement.is_function_def_stmt() || returns_name(statement))
}
