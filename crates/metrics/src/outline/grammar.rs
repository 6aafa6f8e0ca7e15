//! Outlines by grammar and language table alone.

use std::collections::{HashMap, HashSet, VecDeque};

use tree_sitter::Node;

use super::file_outline::{FileOutline, LONGEST_SIGNATURE, Signature, SignatureKind, on_one_line};
use crate::callables::Callables;
use crate::language::{Language, NodeKind, Roles};
use crate::line_set::LineSet;
use crate::measurement::Callable;
use crate::parse;
use crate::refusal::Refusal;
use crate::syntax;
use crate::tree::{self, Visitor, line_span};

/// The outline of a text in a language without a parser of its own; its name is left to the caller.
pub(super) fn outline(text: &str, language: &Language) -> Result<FileOutline, Refusal> {
    let document = parse::parse(text, language.grammar)?;
    let (root, kinds) = (document.root().get_inner_node(), language.kinds());
    syntax::facts(text, root, kinds)?;
    let callables = Callables::new(kinds, document.source(), &LineSet::default());
    let mut finder = Finder { text: document.source(), callables, headers: HashMap::new() };
    tree::walk(root, kinds, &mut finder);
    Ok(FileOutline { signatures: finder.signatures(), ..FileOutline::default() })
}

/// Collects callables, and what stands before their bodies.
struct Finder<'a> {
    text: &'a str,
    callables: Callables<'a>,
    /// By first and last line, in the order of the text; and whether it has no name of its own.
    headers: HashMap<(u32, u32), VecDeque<(String, bool)>>,
}

impl Finder<'_> {
    fn signatures(mut self) -> Vec<Signature> {
        let callables = self.callables.finish();
        let names: HashSet<&str> = callables.iter().map(|callable| callable.qualified_name.as_str()).collect();
        let is_outermost = |callable: &&Callable<()>| {
            let around = callable.qualified_name.strip_suffix(&callable.name).unwrap_or_default().trim_end_matches('.');
            !callable.qualified_name.contains('<') && !names.contains(around)
        };
        let mut signatures = Vec::new();
        for callable in callables.iter().filter(is_outermost) {
            let headers = self.headers.entry((callable.start_line, callable.end_line)).or_default();
            let (header, is_nameless) = headers.pop_front().unwrap_or_default();
            let text = if is_nameless { format!("{} = {header}", callable.name) } else { header };
            let is_method = callable.qualified_name != callable.name;
            signatures.push(Signature {
                kind: if is_method { SignatureKind::Method } else { SignatureKind::Function },
                name: callable.qualified_name.clone(),
                text: on_one_line(&text, LONGEST_SIGNATURE),
                public: !callable.qualified_name.split('.').any(|part| part.starts_with(['_', '#'])),
            });
        }
        signatures
    }
}

impl<'a> Visitor<'a> for Finder<'a> {
    fn enter(&mut self, node: Node<'a>, kind: NodeKind, depth: u32) {
        if kind.roles.any(Roles::CALLABLE | Roles::LAMBDA)
            && let Some(body) = node.child_by_field_name("body")
        {
            let header = self.text.get(node.start_byte()..body.start_byte()).unwrap_or_default();
            let header = (on_one_line(header, LONGEST_SIGNATURE), kind.roles.any(Roles::LAMBDA));
            self.headers.entry(line_span(&node)).or_default().push_back(header);
        }
        self.callables.enter(node, kind, depth);
    }

    fn leave(&mut self, node: Node<'a>, kind: NodeKind, depth: u32) {
        self.callables.leave(node, kind, depth);
    }
}
