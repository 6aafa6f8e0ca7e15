//! Clones: units of code that are the same but for names and literals, within one file.
//!
//! Two units are clones if their shapes are equal. A shape is the tree of named nodes in which a literal is only its
//! class and an identifier only its number in the order of first appearance **within the unit**. So a unit inside
//! another one numbers its identifiers anew, and the shape of the outer one is not made of the inner one's.
//!
//! To stay linear where units nest deeply, a shape is hashed in two parts: the tree with all identifiers alike
//! ([`shape`], one hash per node, whatever is around it) and which identifiers are the same ([`names`], one sum per unit).

mod names;
mod shape;

use tree_sitter::Node;

use crate::language::{NodeKind, Roles};
use crate::line_set::LineSet;
use crate::tree::{Visitor, line_span};

use names::{NamePattern, Names};
use shape::Shape;

/// A unit spans at least this many physical lines.
const MIN_LINES: u32 = 3;

/// Collects the clone units of one file.
pub(crate) struct Clones<'a> {
    text: &'a [u8],
    /// The depth of the node whose inside is no part of a shape, while inside one.
    opaque_below: Option<u32>,
    /// The shapes of the nodes that are being walked through.
    shapes: Vec<Shape>,
    names: Names<'a>,
    open: Vec<OpenUnit>,
    units: Vec<Unit>,
}

struct OpenUnit {
    depth: u32,
    lines: (u32, u32),
}

/// A finished unit; equal keys are equal shapes.
struct Unit {
    key: (Shape, NamePattern),
    lines: (u32, u32),
}

impl<'a> Clones<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Clones {
            text: text.as_bytes(),
            opaque_below: None,
            shapes: Vec::new(),
            names: Names::default(),
            open: Vec::new(),
            units: Vec::new(),
        }
    }

    /// The physical lines of all units whose shape occurs at least twice.
    pub(crate) fn finish(mut self) -> LineSet {
        self.units.sort_unstable_by_key(|unit| unit.key);
        let repeated = self.units.chunk_by(|a, b| a.key == b.key).filter(|alike| alike.len() > 1);
        let mut lines = LineSet::default();
        repeated.flatten().for_each(|unit| lines.insert_span(unit.lines.0..=unit.lines.1));
        lines
    }

    fn add_child(&mut self, shape: Shape) {
        if let Some(parent) = self.shapes.last_mut() {
            parent.add_child(shape);
        }
    }

    fn add_identifier(&mut self, node: Node<'a>) {
        self.add_child(Shape::IDENTIFIER);
        if let (false, Some(name)) = (self.open.is_empty(), self.text.get(node.byte_range())) {
            self.names.occurs(name);
        }
    }

    fn open_unit(&mut self, node: Node<'a>, depth: u32) {
        let lines = line_span(&node);
        if lines.1 - lines.0 + 1 >= MIN_LINES {
            self.open.push(OpenUnit { depth, lines });
            self.names.open_unit();
        }
    }
}

impl<'a> Visitor<'a> for Clones<'a> {
    fn enter(&mut self, node: Node<'a>, kind: NodeKind, depth: u32) {
        if self.opaque_below.is_some() {
            return;
        }
        if !kind.named {
            self.opaque_below = Some(depth);
        } else if let Some(class) = kind.roles.literal() {
            self.opaque_below = Some(depth);
            self.add_child(Shape::literal(class));
        } else if kind.roles.any(Roles::IDENTIFIER) {
            self.opaque_below = Some(depth);
            self.add_identifier(node);
        } else {
            self.shapes.push(Shape::of_kind(kind));
            if kind.roles.any(Roles::CLONE_UNIT) {
                self.open_unit(node, depth);
            }
        }
    }

    fn leave(&mut self, _: Node<'a>, _: NodeKind, depth: u32) {
        if let Some(opaque) = self.opaque_below {
            self.opaque_below = (opaque != depth).then_some(opaque);
            return;
        }
        let Some(shape) = self.shapes.pop().map(Shape::finish) else {
            return;
        };
        if let Some(OpenUnit { lines, .. }) = self.open.pop_if(|unit| unit.depth == depth) {
            self.units.push(Unit { key: (shape, self.names.close_unit()), lines });
        }
        self.add_child(shape);
    }
}
