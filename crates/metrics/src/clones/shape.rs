//! The tree part of a shape: kinds and literal classes, all identifiers alike.

use crate::language::{NodeKind, Roles};

/// A 128-bit hash of a node and the named nodes below it.
///
/// Not a defence against forgery: whoever can make two units collide can as well make them equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Shape([u64; 2]);

/// Odd, so that multiplying loses nothing; different, so that the lanes are independent.
const FACTORS: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93];

/// What keeps literals and identifiers apart from kinds, whose numbers have 16 bits.
const LITERAL: u64 = 1 << 32;

impl Shape {
    /// Any identifier. Which one it is, is the other part's business.
    pub(super) const IDENTIFIER: Shape = Shape([1 << 33, 1 << 34]);

    /// Any literal of a class.
    pub(super) fn literal(class: Roles) -> Shape {
        Shape::seed(LITERAL | class.bits()).finish()
    }

    /// A node of this kind, before its children are added.
    pub(super) fn of_kind(kind: NodeKind) -> Shape {
        Shape::seed(kind.name)
    }

    /// Adds the next named child.
    pub(super) fn add_child(&mut self, child: Shape) {
        self.0[0] = (self.0[0].rotate_left(5) ^ child.0[0]).wrapping_mul(FACTORS[0]);
        self.0[1] = (self.0[1].rotate_left(23) ^ child.0[1]).wrapping_mul(FACTORS[1]);
    }

    /// The node when all its children were added.
    pub(super) fn finish(self) -> Shape {
        Shape(self.0.map(scramble))
    }

    fn seed(number: u64) -> Shape {
        Shape(FACTORS.map(|factor| number.wrapping_add(1).wrapping_mul(factor)))
    }
}

/// Spreads every bit over all 64 (the finaliser of MurmurHash3), so that nesting is no linear function of its parts.
fn scramble(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    bits = (bits ^ (bits >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    bits ^ (bits >> 33)
}
