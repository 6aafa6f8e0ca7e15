//! Callables: which functions are listed, and how complex and long each is.
//!
//! CC(f) = 1 + the decision points below f; mass(f) = CC(f) · √SLOC(f).

use tree_sitter::Node;

use crate::language::{NodeKind, NodeKinds, Roles};
use crate::line_set::LineSet;
use crate::measurement::Callable;
use crate::tree::{Visitor, line_span};

/// Collects the listed callables of one file.
pub(crate) struct Callables<'a> {
    kinds: &'a NodeKinds,
    text: &'a str,
    code: CodeLines,
    /// Decision points seen so far. A callable's own are the difference between its end and its start.
    decisions: u32,
    /// The depth of the node below which nothing is listed, while inside one.
    hidden_below: Option<u32>,
    scopes: Vec<Scope>,
    bindings: Vec<Binding<'a>>,
    /// `None` where what seemed to be a callable turned out to be a wrapper around others.
    found: Vec<Option<Callable<()>>>,
}

/// What a lambda or class directly below this depth is bound to.
struct Binding<'a> {
    depth: u32,
    to: (Node<'a>, NodeKind),
}

/// A class or callable that is being walked through.
struct Scope {
    depth: u32,
    /// What it adds its own name to; empty where it has none.
    qualified_name: String,
    is_anonymous: bool,
    /// Where in `found` the scope's callable is, if it is a listed one, and the decisions before it.
    listed: Option<(usize, u32)>,
}

/// What a callable or class is called that has no name.
const ANONYMOUS: &str = "<anonymous>";

impl<'a> Callables<'a> {
    /// `code`: the lines that count towards a callable's size.
    pub(crate) fn new(kinds: &'a NodeKinds, text: &'a str, code: &LineSet) -> Self {
        Callables {
            kinds,
            text,
            code: CodeLines::new(text, code),
            decisions: 0,
            hidden_below: None,
            scopes: Vec::new(),
            bindings: Vec::new(),
            found: Vec::new(),
        }
    }

    /// The callables by first line.
    pub(crate) fn finish(self) -> Vec<Callable<()>> {
        self.found.into_iter().flatten().collect()
    }

    /// The decision points of a node, those below it aside.
    fn decisions(&self, node: Node<'a>, kind: NodeKind) -> u32 {
        let alternatives = |child: NodeKind| child.roles.any(Roles::ALTERNATIVE);
        if kind.roles.any(Roles::DECISION) {
            1
        } else if kind.roles.any(Roles::DECIDES_BY_TOKEN) {
            self.count_children(node, |child| child.decides)
        } else if kind.roles.any(Roles::CHOICE) {
            self.count_children(node, alternatives).saturating_sub(1)
        } else {
            0
        }
    }

    fn count_children(&self, node: Node<'a>, counts: impl Fn(NodeKind) -> bool) -> u32 {
        let mut cursor = node.walk();
        let children = node.children(&mut cursor).map(|child| self.kinds.get(child.kind_id()));
        children.filter(|&child| counts(child)).count() as u32
    }

    /// Whether the node is a function with a body, and not only an expression that nobody can call by name.
    fn is_callable(&self, node: Node<'a>, kind: NodeKind, depth: u32) -> bool {
        if !kind.roles.any(Roles::CALLABLE | Roles::LAMBDA) {
            return false;
        }
        let Some(body) = node.child_by_field_name("body") else {
            return false;
        };
        let is_block = || self.kinds.get(body.kind_id()).roles.any(Roles::BLOCK);
        kind.roles.any(Roles::CALLABLE) || self.binding(depth).is_some() || is_block()
    }

    /// What a node at this depth is bound to.
    fn binding(&self, depth: u32) -> Option<(Node<'a>, NodeKind)> {
        self.bindings.last().filter(|binding| binding.depth + 1 == depth).map(|binding| binding.to)
    }

    fn bind(&mut self, node: Node<'a>, kind: NodeKind, depth: u32) {
        if kind.roles.any(Roles::BINDS) {
            self.bindings.push(Binding { depth, to: (node, kind) });
        } else if let (true, Some(to)) = (kind.roles.any(Roles::PASSES_BINDING), self.binding(depth)) {
            self.bindings.push(Binding { depth, to });
        }
    }

    /// Its own name, or that of what it is bound to.
    fn name(&self, node: Node<'a>, kind: NodeKind, depth: u32) -> Option<&'a str> {
        let bound = || self.binding(depth).and_then(|(node, kind)| self.own_name(node, kind));
        self.own_name(node, kind).or_else(bound)
    }

    fn own_name(&self, node: Node<'a>, kind: NodeKind) -> Option<&'a str> {
        let mut name = node.child_by_field_id(kind.name_field?.get())?;
        while self.kinds.get(name.kind_id()).roles.any(Roles::DECLARATOR) {
            name = name.child_by_field_name("declarator").or_else(|| name.named_child(0))?;
        }
        self.text.get(name.byte_range())
    }

    fn open(&mut self, node: Node<'a>, kind: NodeKind, depth: u32) {
        let is_callable = self.is_callable(node, kind, depth);
        if !is_callable && !kind.roles.any(Roles::QUALIFIES) {
            return;
        }
        let name = self.name(node, kind, depth);
        let outer = self.scopes.last().map(|outer| outer.qualified_name.as_str()).unwrap_or_default();
        let qualified_name = if outer.is_empty() {
            name.unwrap_or(ANONYMOUS).to_owned()
        } else {
            format!("{outer}.{}", name.unwrap_or(ANONYMOUS))
        };
        // What has no name gives none to what is in it.
        let for_inner = if name.is_some() { qualified_name.clone() } else { outer.to_owned() };
        let listed = is_callable.then(|| {
            self.found.push(Some(self.callable(node, name.unwrap_or(ANONYMOUS), qualified_name)));
            (self.found.len() - 1, self.decisions)
        });
        self.scopes.push(Scope { depth, qualified_name: for_inner, is_anonymous: name.is_none(), listed });
    }

    /// The callable, but for what is only known at its end.
    fn callable(&self, node: Node<'_>, name: &str, qualified_name: String) -> Callable<()> {
        let (start_line, end_line) = line_span(&node);
        Callable {
            name: name.to_owned(),
            qualified_name,
            start_line,
            end_line,
            sloc: self.code.count(node),
            ..Callable::default()
        }
    }

    fn close(&mut self, scope: &Scope) {
        let Some((index, before)) = scope.listed else {
            return;
        };
        let is_wrapper = scope.is_anonymous && self.found.len() > index + 1;
        if let Some(found) = self.found.get_mut(index) {
            *found = found.take().filter(|_| !is_wrapper).map(|callable| finished(callable, self.decisions - before));
        }
    }
}

fn finished(mut callable: Callable<()>, decisions: u32) -> Callable<()> {
    callable.cc = 1 + decisions;
    callable.mass = f64::from(callable.cc) * f64::from(callable.sloc).sqrt();
    callable
}

impl<'a> Visitor<'a> for Callables<'a> {
    fn enter(&mut self, node: Node<'a>, kind: NodeKind, depth: u32) {
        self.decisions += self.decisions(node, kind);
        if self.hidden_below.is_some() {
            return;
        }
        if kind.roles.any(Roles::CALLABLE | Roles::LAMBDA | Roles::QUALIFIES) {
            self.open(node, kind, depth);
        }
        self.bind(node, kind, depth);
        if !kind.roles.any(Roles::LISTS_CALLABLES) {
            self.hidden_below = Some(depth);
        }
    }

    fn leave(&mut self, _: Node<'a>, _: NodeKind, depth: u32) {
        if self.hidden_below == Some(depth) {
            self.hidden_below = None;
        }
        self.bindings.pop_if(|binding| binding.depth == depth);
        if let Some(scope) = self.scopes.pop_if(|scope| scope.depth == depth) {
            self.close(&scope);
        }
    }
}

/// For each line, how many lines of code lie before it, so that a span is counted in one subtraction.
struct CodeLines {
    /// `before[n]`: lines of code among the first n lines.
    before: Vec<u32>,
    /// Where in the text each line's first character that is no white space is.
    content: Vec<usize>,
}

impl CodeLines {
    fn new(text: &str, code: &LineSet) -> Self {
        let mut lines = CodeLines { before: vec![0], content: Vec::new() };
        let (mut start, mut before) = (0, 0);
        for (number, line) in (1..).zip(slopbench_text::lines(text)) {
            before += u32::from(code.contains(number));
            lines.before.push(before);
            lines.content.push(start + line.len() - slopbench_text::trim_start(line).len());
            start += line.len();
        }
        lines
    }

    /// Lines of code that the node's text has a part in.
    fn count(&self, node: Node<'_>) -> u32 {
        let (first, last) = (node.start_position().row, node.end_position().row);
        let upto = |line: usize| self.before.get(line).or(self.before.last()).copied().unwrap_or(0);
        // Of its last line only what lies before its end belongs to the node.
        let reaches = self.content.get(last).is_some_and(|&content| content < node.end_byte());
        upto(if reaches { last + 1 } else { last }) - upto(first)
    }
}
