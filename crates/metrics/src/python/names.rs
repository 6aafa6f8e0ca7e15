//! Which public symbols a module defines, and which names it reads: what is needed to say which modules use each other's.
//!
//! Annotations that are strings are not read.

use std::collections::BTreeMap;

use ruff_python_ast::{
    AnyNodeRef, CmpOp, Comprehension, Decorator, Expr, ExprContext, Identifier, Operator, Parameters, StmtImport,
    StmtImportFrom,
};
use ruff_text_size::{Ranged, TextSize};

use super::{
    Program, nodes,
    scopes::{ImportTarget, MODULE, Scopes},
};

/// What a module says of itself and of others.
#[derive(Debug, Default)]
pub(crate) struct ModuleNames {
    pub(crate) scopes: Scopes,
    /// Functions, classes and assigned names of the module's namespace, with their lines.
    pub(crate) defined: BTreeMap<String, u32>,
    /// `__all__`, where it is given in lists of literals.
    pub(crate) all: Option<Vec<String>>,
    /// Names that are read.
    pub(crate) loads: Vec<Load>,
    /// What import statements name, in any namespace.
    pub(crate) imports: Vec<ImportedName>,
    /// What cannot be followed, by line: imports by name, an `__all__` that is computed.
    pub(crate) opaque: Vec<(u32, String)>,
    /// Whether it does something when it is run as a program.
    pub(crate) has_main_guard: bool,
}

/// A name that is read, with the attributes that are taken of it.
#[derive(Debug)]
pub(crate) struct Load {
    pub(crate) name: String,
    pub(crate) attributes: Vec<String>,
    pub(crate) scope: usize,
    pub(crate) line: u32,
    /// Whether it is called.
    pub(crate) called: bool,
}

/// What an import statement names.
#[derive(Debug)]
pub(crate) struct ImportedName {
    pub(crate) level: u32,
    pub(crate) module: String,
    /// What is taken from the module, `*` for all; absent for the module itself.
    pub(crate) name: Option<String>,
    pub(crate) line: u32,
}

/// Calls that import a module by its name.
const DYNAMIC: &[&str] =
    &["importlib.import_module", "import_module", "__import__", "importlib.util.spec_from_file_location"];

/// What is said of an `__all__` that is no list of literals.
const COMPUTED: &str = "__all__ is computed";

impl Program {
    /// What the module says of itself and of others.
    pub(crate) fn names(&self) -> ModuleNames {
        let mut collector = Collector { program: self, names: ModuleNames::default(), open: Vec::new() };
        let at = At { scope: MODULE, is_guarded: false, called: false };
        collector.open.extend(nodes::of_suite(self.body()).map(|node| (node, at)));
        while let Some((node, at)) = collector.open.pop() {
            collector.visit(node, at);
        }
        if collector.names.opaque.iter().any(|(_, what)| what == COMPUTED) {
            // What it lists is not known.
            collector.names.all = None;
        }
        collector.names
    }
}

/// Where a node is.
#[derive(Clone, Copy)]
struct At {
    scope: usize,
    /// Whether it is below the main guard: what is defined there is no symbol.
    is_guarded: bool,
    /// Whether it is called.
    called: bool,
}

struct Collector<'a> {
    program: &'a Program,
    names: ModuleNames,
    open: Vec<(AnyNodeRef<'a>, At)>,
}

impl<'a> Collector<'a> {
    fn visit(&mut self, node: AnyNodeRef<'a>, at: At) {
        let (called, at) = (at.called, At { called: false, ..at });
        match node {
            AnyNodeRef::StmtImport(import) => self.import(import, at),
            AnyNodeRef::StmtImportFrom(import) => self.import_from(import, at),
            AnyNodeRef::StmtFunctionDef(function) => {
                self.define(&function.name, at);
                self.decorators(&function.decorator_list, at);
                let inner = At { scope: self.names.scopes.open(at.scope, false), ..at };
                self.parameters(Some(&function.parameters), at, inner);
                self.type_parameters(function.type_params.as_deref().map(AnyNodeRef::from), inner);
                self.push(function.returns.as_deref(), at);
                self.push_all(nodes::of_suite(&function.body), inner);
            }
            AnyNodeRef::StmtClassDef(class) => {
                self.define(&class.name, at);
                self.decorators(&class.decorator_list, at);
                let inner = At { scope: self.names.scopes.open(at.scope, true), ..at };
                self.type_parameters(class.type_params.as_deref().map(AnyNodeRef::from), inner);
                self.push_all(class.arguments.as_deref().map(AnyNodeRef::from), at);
                self.push_all(nodes::of_suite(&class.body), inner);
            }
            AnyNodeRef::ExprLambda(lambda) => {
                let inner = At { scope: self.names.scopes.open(at.scope, false), ..at };
                self.parameters(lambda.parameters.as_deref(), at, inner);
                self.push(Some(&lambda.body), inner);
            }
            AnyNodeRef::ExprListComp(one) => self.comprehension(&[Some(&one.elt)], &one.generators, at),
            AnyNodeRef::ExprSetComp(one) => self.comprehension(&[Some(&one.elt)], &one.generators, at),
            AnyNodeRef::ExprGenerator(one) => self.comprehension(&[Some(&one.elt)], &one.generators, at),
            AnyNodeRef::ExprDictComp(one) => {
                self.comprehension(&[one.key.as_deref(), Some(&one.value)], &one.generators, at);
            }
            AnyNodeRef::StmtGlobal(global) => {
                global.names.iter().for_each(|name| self.names.scopes.declare_global(at.scope, name));
            }
            AnyNodeRef::StmtIf(branch) if at.scope == MODULE && is_main_guard(&branch.test) => {
                self.names.has_main_guard = true;
                nodes::for_each_child(node, |child| self.open.push((child, At { is_guarded: true, ..at })));
            }
            AnyNodeRef::ExprName(name) => match name.ctx {
                ExprContext::Load => self.load(&name.id, Vec::new(), name.start(), (at, called)),
                _ => drop(self.names.scopes.bind(at.scope, &name.id, None)),
            },
            AnyNodeRef::ExprAttribute(attribute) => match chain(node) {
                Ok((name, attributes)) => self.load(name, attributes, attribute.start(), (at, called)),
                Err(base) => self.push(Some(base), at),
            },
            _ => {
                self.bind_names(node, at);
                self.statement(node, at);
            }
        }
    }

    /// Names that a node binds without an expression for them.
    fn bind_names(&mut self, node: AnyNodeRef<'a>, at: At) {
        let name = match node {
            AnyNodeRef::ExceptHandlerExceptHandler(handler) => handler.name.as_ref(),
            AnyNodeRef::PatternMatchAs(pattern) => pattern.name.as_ref(),
            AnyNodeRef::PatternMatchStar(pattern) => pattern.name.as_ref(),
            AnyNodeRef::PatternMatchMapping(pattern) => pattern.rest.as_ref(),
            AnyNodeRef::TypeParamTypeVar(parameter) => Some(&parameter.name),
            AnyNodeRef::TypeParamTypeVarTuple(parameter) => Some(&parameter.name),
            AnyNodeRef::TypeParamParamSpec(parameter) => Some(&parameter.name),
            _ => None,
        };
        if let Some(name) = name {
            self.names.scopes.bind(at.scope, name, None);
        }
    }

    fn statement(&mut self, node: AnyNodeRef<'a>, at: At) {
        match node {
            AnyNodeRef::StmtAssign(assign) => {
                assign.targets.iter().for_each(|target| self.assigned(target, Some(&assign.value), at));
            }
            AnyNodeRef::StmtAnnAssign(assign) => self.assigned(&assign.target, assign.value.as_deref(), at),
            AnyNodeRef::StmtTypeAlias(alias) => self.assigned(&alias.name, Some(&alias.value), at),
            AnyNodeRef::StmtAugAssign(assign) if is_all(&assign.target) && at.scope == MODULE => {
                self.extend_all(Some(&*assign.value).filter(|_| assign.op == Operator::Add), assign.start());
            }
            AnyNodeRef::ExprCall(call) => {
                self.called(&call.func, &call.arguments.args, (at, call.start()));
                self.open.push((AnyNodeRef::from(&*call.func), At { called: true, ..at }));
                self.open.push((AnyNodeRef::from(&call.arguments), at));
                return;
            }
            _ => {}
        }
        nodes::for_each_child(node, |child| self.open.push((child, at)));
    }
}

impl<'a> Collector<'a> {
    fn push(&mut self, expression: Option<&'a Expr>, at: At) {
        self.open.extend(expression.map(|expression| (AnyNodeRef::from(expression), at)));
    }

    fn push_all(&mut self, all: impl IntoIterator<Item = AnyNodeRef<'a>>, at: At) {
        self.open.extend(all.into_iter().map(|node| (node, at)));
    }

    /// A decorator is called.
    fn decorators(&mut self, decorators: &'a [Decorator], at: At) {
        let called = At { called: true, ..at };
        self.open.extend(decorators.iter().map(|decorator| (AnyNodeRef::from(&decorator.expression), called)));
    }

    fn type_parameters(&mut self, parameters: Option<AnyNodeRef<'a>>, inner: At) {
        self.push_all(parameters, inner);
    }

    /// Defaults and annotations are read outside of the function.
    fn parameters(&mut self, parameters: Option<&'a Parameters>, outer: At, inner: At) {
        for parameter in parameters.into_iter().flat_map(Parameters::iter) {
            self.names.scopes.bind(inner.scope, parameter.name(), None);
            self.push(parameter.default(), outer);
            self.push(parameter.annotation(), outer);
        }
    }

    /// What the first generator goes over is read outside.
    fn comprehension(&mut self, elements: &[Option<&'a Expr>], generators: &'a [Comprehension], at: At) {
        let inner = At { scope: self.names.scopes.open(at.scope, false), ..at };
        elements.iter().for_each(|element| self.push(*element, inner));
        for (index, generator) in generators.iter().enumerate() {
            self.push(Some(&generator.target), inner);
            self.push(Some(&generator.iter), if index == 0 { at } else { inner });
            generator.ifs.iter().for_each(|condition| self.push(Some(condition), inner));
        }
    }

    fn line(&self, offset: TextSize) -> u32 {
        self.program.lines().line(offset.to_usize())
    }

    fn load(&mut self, name: &str, attributes: Vec<String>, offset: TextSize, (at, called): (At, bool)) {
        let line = self.line(offset);
        self.names.loads.push(Load { name: name.to_owned(), attributes, scope: at.scope, line, called });
    }

    fn define(&mut self, name: &Identifier, at: At) {
        let scope = self.names.scopes.bind(at.scope, name, None);
        if scope == MODULE && !at.is_guarded {
            let line = self.line(name.start());
            self.names.defined.entry(name.to_string()).or_insert(line);
        }
    }

    /// An assignment to a name of the module defines it; without a value, it only says its type.
    fn assigned(&mut self, target: &'a Expr, value: Option<&'a Expr>, at: At) {
        let mut open = vec![target];
        while let Some(target) = open.pop() {
            match target {
                Expr::Name(name) if at.scope == MODULE && !at.is_guarded && value.is_some() => {
                    let line = self.line(name.start());
                    self.names.defined.entry(name.id.to_string()).or_insert(line);
                    if is_all(target) {
                        self.names.all.get_or_insert_default();
                        self.extend_all(value, name.start());
                    }
                }
                Expr::Tuple(tuple) => open.extend(&tuple.elts),
                Expr::List(list) => open.extend(&list.elts),
                Expr::Starred(starred) => open.push(&starred.value),
                _ => {}
            }
        }
    }

    /// Adds what `value` lists to `__all__`; what is no list of literals is named.
    fn extend_all(&mut self, value: Option<&Expr>, offset: TextSize) {
        let mut open: Vec<_> = value.into_iter().collect();
        let mut is_computed = value.is_none();
        while let Some(part) = open.pop() {
            match part {
                Expr::List(list) => open.extend(&list.elts),
                Expr::Tuple(tuple) => open.extend(&tuple.elts),
                Expr::BinOp(sum) if sum.op == Operator::Add => open.extend([&*sum.left, &*sum.right]),
                Expr::StringLiteral(name) => {
                    self.names.all.get_or_insert_default().push(name.value.to_str().to_owned())
                }
                _ => is_computed = true,
            }
        }
        if is_computed {
            self.names.opaque.push((self.line(offset), COMPUTED.to_owned()));
        }
    }

    /// Calls that import by name, and those that change `__all__`.
    fn called(&mut self, function: &Expr, arguments: &[Expr], (at, offset): (At, TextSize)) {
        let Ok((name, attributes)) = chain(AnyNodeRef::from(function)) else { return };
        let dotted = [name.to_owned()].into_iter().chain(attributes).collect::<Vec<_>>().join(".");
        match dotted.as_str() {
            "__all__.extend" | "__all__.append" if at.scope == MODULE => self.extend_all(arguments.first(), offset),
            _ if DYNAMIC.contains(&dotted.as_str()) => {
                let argument = match arguments.first() {
                    Some(Expr::StringLiteral(module)) => format!("\"{}\"", module.value.to_str()),
                    _ => "…".to_owned(),
                };
                self.names.opaque.push((self.line(offset), format!("{dotted}({argument})")));
            }
            _ => {}
        }
    }

    fn import(&mut self, import: &StmtImport, at: At) {
        for alias in &import.names {
            let (module, line) = (alias.name.to_string(), self.line(alias.start()));
            let (name, target) = match &alias.asname {
                Some(name) => (name.to_string(), module.clone()),
                // `import a.b` binds `a`.
                None => {
                    let first = module.split('.').next().unwrap_or_default().to_owned();
                    (first.clone(), first)
                }
            };
            self.names.scopes.bind(at.scope, &name, Some(ImportTarget::Module(target)));
            self.names.imports.push(ImportedName { level: 0, module, name: None, line });
        }
    }

    fn import_from(&mut self, import: &StmtImportFrom, at: At) {
        let module = import.module.as_ref().map(ToString::to_string).unwrap_or_default();
        for alias in &import.names {
            let (level, module, name) = (import.level, module.clone(), alias.name.to_string());
            if name != "*" {
                let bound = alias.asname.as_ref().unwrap_or(&alias.name);
                let target = ImportTarget::Member { level, module: module.clone(), name: name.clone() };
                self.names.scopes.bind(at.scope, bound, Some(target));
            }
            let line = self.line(alias.start());
            self.names.imports.push(ImportedName { level, module, name: Some(name), line });
        }
    }
}

/// The name at the beginning of `a.b.c` and what is taken of it, or what it begins with where that is no name.
fn chain(node: AnyNodeRef<'_>) -> Result<(&str, Vec<String>), &Expr> {
    let mut attributes = Vec::new();
    let mut base = match node {
        AnyNodeRef::ExprName(name) => return Ok((&name.id, attributes)),
        AnyNodeRef::ExprAttribute(attribute) => {
            attributes.push(attribute.attr.to_string());
            &*attribute.value
        }
        _ => return Ok(("", attributes)),
    };
    loop {
        match base {
            Expr::Attribute(attribute) => {
                attributes.push(attribute.attr.to_string());
                base = &attribute.value;
            }
            Expr::Name(name) => {
                attributes.reverse();
                return Ok((&name.id, attributes));
            }
            other => return Err(other),
        }
    }
}

fn is_all(target: &Expr) -> bool {
    matches!(target, Expr::Name(name) if name.id == "__all__")
}

/// `__name__ == "__main__"`, either way round.
fn is_main_guard(test: &Expr) -> bool {
    let Expr::Compare(compare) = test else { return false };
    let sides = [&*compare.left].into_iter().chain(&compare.comparators);
    let is_name = |side: &Expr| matches!(side, Expr::Name(name) if name.id == "__name__");
    let is_main = |side: &Expr| matches!(side, Expr::StringLiteral(text) if text.value.to_str() == "__main__");
    let sides: Vec<_> = sides.collect();
    *compare.ops == [CmpOp::Eq] && sides.iter().any(|side| is_name(side)) && sides.iter().any(|side| is_main(side))
}
