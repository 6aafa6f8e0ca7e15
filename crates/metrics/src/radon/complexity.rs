//! Cyclomatic complexity by radon's rules, for each block that radon lists.
//!
//! Complexity = 1 + Σ of the increments of the nodes of the block's body:
//!
//! | node | increment |
//! | --- | --- |
//! | `if`, `elif`, conditional expression | 1 |
//! | `for`, `while` | 1, and 1 for an `else` |
//! | `for` in a comprehension | 1, and 1 for each of its `if`s |
//! | `and`, `or` | operands − 1 |
//! | `try` | 1 for each `except`, and 1 for an `else` |
//! | `try` with `except*` | 0 |
//! | `match` | cases, one less if any case is `_` or a bare name |
//! | `assert` | 1; what is asserted is not looked at |
//! | nested function or class | 0; not looked at, nor are its decorators, defaults, annotations and bases |
//!
//! Source: T. J. McCabe, "A Complexity Measure", IEEE TSE 2(4), 1976; the table is radon 6.0.1's.

use ruff_python_ast::{AnyNodeRef, Pattern, Stmt, StmtClassDef, StmtFunctionDef, StmtMatch};
use serde::{Deserialize, Serialize};

use crate::python::{Program, nodes};

/// What a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BlockKind {
    /// A function that is in no other and in no class.
    Function,
    /// A function in a class.
    Method,
    /// A function in a function.
    Closure,
    /// A class that is in no function.
    Class,
}

/// One block that radon lists. Classes in functions, and whatever is in them, radon does not list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Block<P = String> {
    /// Path of its file; `()` until the files are collected.
    pub path: P,
    /// What it is.
    pub kind: BlockKind,
    /// The names of the blocks around it and its own, joined with `.`.
    pub name: String,
    /// The line of its `def`, `async` or `class`.
    pub line: u32,
    /// The cyclomatic complexity that radon prints: of a class without methods its [`Self::total`], of one with n
    /// methods ⌊total / n⌋, and 1 more if n > 1.
    pub complexity: u32,
    /// Of a class, 1 + the increments outside of its methods + Σ complexity of its methods, inner classes left out. Of
    /// a function, its complexity.
    pub total: u32,
}

impl Block<()> {
    /// The block in the file at `path`.
    pub(crate) fn at(self, path: &str) -> Block {
        let Block { path: (), kind, name, line, complexity, total } = self;
        Block { path: path.to_owned(), kind, name, line, complexity, total }
    }
}

/// Every block of a program by line, and the complexity of the whole.
pub(super) fn of_program(program: &Program) -> (Vec<Block<()>>, u64) {
    let mut lister = Lister { program, path: Vec::new(), blocks: Vec::new() };
    let scope = Body::of(program.body());
    let functions = lister.functions(&scope, BlockKind::Function);
    let classes = lister.classes(&scope);
    let mut blocks = lister.blocks;
    blocks.sort_by_key(|block| block.line);
    let inner: u32 = functions.iter().chain(&classes).map(|complexity| complexity - 1).sum();
    (blocks, u64::from(1 + scope.increments + inner))
}

/// Walks from scope to scope. It recurs, but only as deep as blocks of statements nest, which Python limits to 100.
struct Lister<'a> {
    program: &'a Program,
    path: Vec<&'a str>,
    blocks: Vec<Block<()>>,
}

impl<'a> Lister<'a> {
    /// Lists the functions of a scope with their closures; gives their complexities.
    fn functions(&mut self, scope: &Body<'a>, kind: BlockKind) -> Vec<u32> {
        scope.functions.iter().map(|function| self.function(function, kind)).collect()
    }

    fn function(&mut self, function: &'a StmtFunctionDef, kind: BlockKind) -> u32 {
        let scope = Body::of(&function.body);
        let complexity = 1 + scope.increments;
        self.path.push(&function.name);
        self.list(kind, self.program.line_of_function(function), complexity, complexity);
        self.functions(&scope, BlockKind::Closure);
        self.path.pop();
        complexity
    }

    /// Lists the classes of a scope with what is in them; gives their totals.
    fn classes(&mut self, scope: &Body<'a>) -> Vec<u32> {
        scope.classes.iter().map(|class| self.class(class)).collect()
    }

    fn class(&mut self, class: &'a StmtClassDef) -> u32 {
        let scope = Body::of(&class.body);
        self.path.push(&class.name);
        let methods = self.functions(&scope, BlockKind::Method);
        let total = 1 + scope.increments + methods.iter().sum::<u32>();
        let complexity = match methods.len() as u32 {
            0 => total,
            count => total / count + u32::from(count > 1),
        };
        self.list(BlockKind::Class, self.program.line_of_class(class), complexity, total);
        self.classes(&scope);
        self.path.pop();
        total
    }

    fn list(&mut self, kind: BlockKind, line: u32, complexity: u32, total: u32) {
        self.blocks.push(Block { path: (), kind, name: self.path.join("."), line, complexity, total });
    }
}

/// What a body holds outside of the functions and classes in it.
#[derive(Default)]
struct Body<'a> {
    increments: u32,
    functions: Vec<&'a StmtFunctionDef>,
    classes: Vec<&'a StmtClassDef>,
}

impl<'a> Body<'a> {
    fn of(body: &'a [Stmt]) -> Self {
        let mut scope = Body::default();
        nodes::walk(nodes::of_suite(body), |node| scope.enters(node));
        scope
    }

    fn enters(&mut self, node: AnyNodeRef<'a>) -> bool {
        self.increments += increment(node);
        match node {
            AnyNodeRef::StmtFunctionDef(function) => self.functions.push(function),
            AnyNodeRef::StmtClassDef(class) => self.classes.push(class),
            AnyNodeRef::StmtAssert(_) => {}
            _ => return true,
        }
        false
    }
}

/// The table above.
fn increment(node: AnyNodeRef<'_>) -> u32 {
    match node {
        AnyNodeRef::StmtIf(_) | AnyNodeRef::ExprIf(_) | AnyNodeRef::StmtAssert(_) => 1,
        AnyNodeRef::ElifElseClause(clause) => u32::from(clause.test.is_some()),
        AnyNodeRef::StmtFor(each) => 1 + u32::from(!each.orelse.is_empty()),
        AnyNodeRef::StmtWhile(again) => 1 + u32::from(!again.orelse.is_empty()),
        AnyNodeRef::Comprehension(comprehension) => 1 + comprehension.ifs.len() as u32,
        AnyNodeRef::ExprBoolOp(operation) => operation.values.len() as u32 - 1,
        AnyNodeRef::StmtTry(attempt) if !attempt.is_star => {
            attempt.handlers.len() as u32 + u32::from(!attempt.orelse.is_empty())
        }
        AnyNodeRef::StmtMatch(choice) => of_match(choice),
        _ => 0,
    }
}

fn of_match(choice: &StmtMatch) -> u32 {
    let matches_all = |pattern: &Pattern| matches!(pattern, Pattern::MatchAs(bare) if bare.pattern.is_none());
    let has_default = choice.cases.iter().any(|case| matches_all(&case.pattern));
    choice.cases.len() as u32 - u32::from(has_default)
}
