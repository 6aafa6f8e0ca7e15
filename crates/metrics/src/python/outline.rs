//! The outline of a Python module.
//!
//! Definitions count wherever the module or one of its classes makes them, below `if` and `try`, too, but not below `if __name__ ==
//! "__main__"` and not in functions. Nothing here recurses: a tree may be as deep as its file is long.

use ruff_python_ast::token::TokenKind;
use ruff_python_ast::{AnyNodeRef, Decorator, Expr, Stmt, StmtClassDef, StmtFunctionDef};
use ruff_text_size::{Ranged, TextRange, TextSize};

use super::{Program, nodes};
use crate::outline::{FileOutline, LONGEST_SIGNATURE, Signature, SignatureKind, on_one_line};
use crate::refusal::Refusal;

/// The longest text of a name with its value, in bytes.
const LONGEST_VALUE: usize = 120;

/// The outline of a text, whose language is left to the caller.
pub(super) fn outline(text: &str) -> Result<FileOutline, Refusal> {
    let program = Program::parse(text)?;
    let mut imported = program.imports();
    imported.sort();
    imported.dedup();
    let summary = docstring(program.body()).and_then(|text| text.lines().map(str::trim).find(|line| !line.is_empty()));
    Ok(FileOutline {
        summary: on_one_line(summary.unwrap_or_default(), LONGEST_VALUE),
        signatures: Outliner::new(&program, text).signatures(),
        imported,
        ..FileOutline::default()
    })
}

fn docstring(body: &[Stmt]) -> Option<&str> {
    match body.first()? {
        Stmt::Expr(first) => first.value.as_string_literal_expr().map(|literal| literal.value.to_str()),
        _ => None,
    }
}

/// A module or class whose definitions are listed.
struct Scope {
    /// What stands before the names; empty, or ends with a dot.
    prefix: String,
    is_class: bool,
    public: bool,
}

struct Outliner<'a> {
    program: &'a Program,
    text: &'a str,
    /// The names in the module's `__all__`, if it is a list or tuple of strings.
    exported: Option<Vec<&'a str>>,
    scopes: Vec<Scope>,
    /// Each with where it begins.
    found: Vec<(TextSize, Signature)>,
}

impl<'a> Outliner<'a> {
    fn new(program: &'a Program, text: &'a str) -> Self {
        let module = Scope { prefix: String::new(), is_class: false, public: true };
        Outliner { program, text, exported: exported(program.body()), scopes: vec![module], found: Vec::new() }
    }

    fn signatures(mut self) -> Vec<Signature> {
        let mut open: Vec<_> = nodes::of_suite(self.program.body()).map(|node| (node, 0)).collect();
        while let Some((node, scope)) = open.pop() {
            match node {
                AnyNodeRef::StmtFunctionDef(function) => self.function(function, scope),
                AnyNodeRef::StmtClassDef(class) => {
                    let inner = self.class(class, scope);
                    open.extend(nodes::of_suite(&class.body).map(|node| (node, inner)));
                }
                AnyNodeRef::StmtAssign(assign) => {
                    assign.targets.iter().for_each(|target| self.value(target, node.range(), scope));
                }
                AnyNodeRef::StmtAnnAssign(assign) => self.value(&assign.target, node.range(), scope),
                AnyNodeRef::StmtTypeAlias(alias) => self.value(&alias.name, node.range(), scope),
                AnyNodeRef::StmtIf(branch) if self.slice(branch.test.range()).contains("__name__") => {}
                _ => nodes::for_each_child(node, |child| {
                    if nodes::may_hold_statements(child) {
                        open.push((child, scope));
                    }
                }),
            }
        }
        self.found.sort_by_key(|(start, _)| *start);
        self.found.into_iter().map(|(_, signature)| signature).collect()
    }

    fn function(&mut self, function: &StmtFunctionDef, scope: usize) {
        let end = function.returns.as_ref().map_or(function.parameters.end(), |returns| returns.end());
        let header = TextRange::new(self.program.span(function).start(), end);
        let text = self.decorators(&function.decorator_list) + &self.header(header);
        let is_method = self.scopes.get(scope).is_some_and(|scope| scope.is_class);
        let kind = if is_method { SignatureKind::Method } else { SignatureKind::Function };
        self.add(kind, &function.name, &text, function.start(), scope, LONGEST_SIGNATURE);
    }

    /// Gives the class's own scope.
    fn class(&mut self, class: &StmtClassDef, scope: usize) -> usize {
        let end = class.arguments.as_ref().map(|arguments| arguments.end());
        let end = end.or_else(|| class.type_params.as_ref().map(|params| params.end())).unwrap_or(class.name.end());
        let header = TextRange::new(self.program.class_keyword(class), end);
        let text = self.decorators(&class.decorator_list) + &self.header(header);
        self.add(SignatureKind::Class, &class.name, &text, class.start(), scope, LONGEST_SIGNATURE);
        let (prefix, public) = (format!("{}{}.", self.prefix(scope), class.name), self.is_public(&class.name, scope));
        self.scopes.push(Scope { prefix, is_class: true, public });
        self.scopes.len() - 1
    }

    /// A name with its value; those that are not for others are left out.
    fn value(&mut self, target: &Expr, statement: TextRange, scope: usize) {
        let Expr::Name(name) = target else { return };
        if self.is_public(&name.id, scope) && !name.id.starts_with("__") {
            let is_attribute = self.scopes.get(scope).is_some_and(|scope| scope.is_class);
            let kind = if is_attribute { SignatureKind::Attribute } else { SignatureKind::Constant };
            let text = self.slice(statement);
            self.add(kind, &name.id, text, statement.start(), scope, LONGEST_VALUE);
        }
    }

    fn add(&mut self, kind: SignatureKind, name: &str, text: &str, start: TextSize, scope: usize, most: usize) {
        let signature = Signature {
            kind,
            name: format!("{}{name}", self.prefix(scope)),
            text: on_one_line(text, most),
            public: self.is_public(name, scope),
        };
        self.found.push((start, signature));
    }

    fn prefix(&self, scope: usize) -> &str {
        self.scopes.get(scope).map(|scope| scope.prefix.as_str()).unwrap_or_default()
    }

    fn is_public(&self, name: &str, scope: usize) -> bool {
        let is_special = name.starts_with("__") && name.ends_with("__");
        match (self.scopes.get(scope), &self.exported) {
            (Some(scope), _) if scope.is_class => scope.public && (is_special || !name.starts_with('_')),
            (_, Some(exported)) => exported.contains(&name),
            _ => !name.starts_with('_'),
        }
    }

    fn slice(&self, range: TextRange) -> &'a str {
        self.text.get(range.start().to_usize()..range.end().to_usize()).unwrap_or_default()
    }

    fn decorators(&self, decorators: &[Decorator]) -> String {
        decorators.iter().map(|decorator| format!("{} ", self.slice(decorator.range()))).collect()
    }

    /// The tokens of a header, without comments, and without blanks for the line breaks around what is in brackets.
    fn header(&self, range: TextRange) -> String {
        let tokens = self.program.tokens().after(range.start());
        let (mut text, mut last, mut broken) = (String::new(), range.start(), false);
        for token in tokens.iter().take_while(|token| token.end() <= range.end()) {
            if matches!(token.kind(), TokenKind::Comment | TokenKind::NonLogicalNewline) {
                broken = true;
                continue;
            }
            let at_bracket = matches!(token.kind(), TokenKind::Rpar | TokenKind::Rsqb) || text.ends_with(['(', '[']);
            if token.start() > last && !(broken && at_bracket) {
                text.push(' ');
            }
            text.push_str(self.slice(token.range()));
            (last, broken) = (token.end(), false);
        }
        text
    }
}

/// The names in a module's `__all__`.
fn exported(body: &[Stmt]) -> Option<Vec<&str>> {
    let is_all = |target: &Expr| matches!(target, Expr::Name(name) if name.id.as_str() == "__all__");
    let value = body.iter().rev().find_map(|statement| match statement {
        Stmt::Assign(assign) => assign.targets.iter().any(is_all).then_some(&*assign.value),
        Stmt::AnnAssign(assign) if is_all(&assign.target) => assign.value.as_deref(),
        _ => None,
    })?;
    let names = match value {
        Expr::List(list) => &list.elts,
        Expr::Tuple(tuple) => &tuple.elts,
        _ => return None,
    };
    names.iter().map(|name| name.as_string_literal_expr().map(|literal| literal.value.to_str())).collect()
}
