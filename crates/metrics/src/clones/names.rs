//! The names part of a shape: which identifiers of a unit are the same, whatever they are called.
//!
//! Numbering identifiers by first appearance says the same as saying, at each identifier, how far back it last
//! appeared **within the unit**, or that it did not. So a unit's names are the polynomial
//!
//! ```text
//! Σ  gap(p) · B^(p − start)   over the positions p of the unit whose previous appearance lies in the unit too
//! ```
//!
//! An appearance enters the sum of the innermost unit that holds it and the previous one, and a closed unit's sum enters
//! that of the unit around it. Each identifier is thus added once, however deeply units nest: O(log depth) to find the
//! unit, O(1) to add.

use std::collections::HashMap;

use foldhash::fast::RandomState;

/// A prime for which products are cheap to reduce (2^61 − 1).
const MODULUS: u64 = (1 << 61) - 1;

/// Two independent polynomials: about 122 bits.
const BASES: [u64; 2] = [0x0b1f_3a5c_77d2_e94b, 0x1c6e_f372_8a90_4d1f];
const INVERSES: [u64; 2] = [power(BASES[0], MODULUS - 2), power(BASES[1], MODULUS - 2)];

/// The hash of a unit's names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NamePattern([u64; 2]);

/// Follows the identifiers of a file and the units that they are in.
pub(super) struct Names<'a> {
    last_seen: HashMap<&'a [u8], u64, RandomState>,
    /// How many identifiers were seen; the position of the next one.
    position: u64,
    /// `B^position`, and its inverse.
    power: [u64; 2],
    inverse: [u64; 2],
    open: Vec<Sum>,
}

/// The sum of a unit that is still open.
struct Sum {
    start: u64,
    /// `B^-start`.
    shift: [u64; 2],
    sum: [u64; 2],
}

impl Default for Names<'_> {
    fn default() -> Self {
        Names { last_seen: HashMap::default(), position: 0, power: [1; 2], inverse: [1; 2], open: Vec::new() }
    }
}

impl<'a> Names<'a> {
    /// A unit begins before the next identifier.
    pub(super) fn open_unit(&mut self) {
        self.open.push(Sum { start: self.position, shift: self.inverse, sum: [0; 2] });
    }

    /// The next identifier.
    pub(super) fn occurs(&mut self, name: &'a [u8]) {
        if let Some(previous) = self.last_seen.insert(name, self.position) {
            // Units open in order of their starts; the last that starts at or before `previous` holds both.
            let holding = self.open.partition_point(|unit| unit.start <= previous);
            if let Some(unit) = holding.checked_sub(1).and_then(|index| self.open.get_mut(index)) {
                let gap = self.position - previous;
                unit.add(self.power.map(|power| multiply(gap, power)));
            }
        }
        self.position += 1;
        self.power = pairwise(self.power, BASES, multiply);
        self.inverse = pairwise(self.inverse, INVERSES, multiply);
    }

    /// The unit that was opened last ends.
    pub(super) fn close_unit(&mut self) -> NamePattern {
        let Some(unit) = self.open.pop() else {
            return NamePattern([0; 2]);
        };
        if let Some(around) = self.open.last_mut() {
            around.add(unit.sum);
        }
        NamePattern(pairwise(unit.sum, unit.shift, multiply))
    }
}

impl Sum {
    fn add(&mut self, term: [u64; 2]) {
        self.sum = pairwise(self.sum, term, |a, b| (a + b) % MODULUS);
    }
}

fn pairwise(a: [u64; 2], b: [u64; 2], f: impl Fn(u64, u64) -> u64) -> [u64; 2] {
    [f(a[0], b[0]), f(a[1], b[1])]
}

/// `a · b` modulo [`MODULUS`]; both below it.
const fn multiply(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    let folded = (product & MODULUS as u128) as u64 + (product >> 61) as u64;
    if folded >= MODULUS { folded - MODULUS } else { folded }
}

const fn power(base: u64, mut exponent: u64) -> u64 {
    let (mut square, mut result) = (base, 1);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = multiply(result, square);
        }
        square = multiply(square, square);
        exponent >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Feeds `(`, `)` and one-letter names; returns the units' patterns in the order of their ends.
    fn patterns(text: &str) -> Vec<NamePattern> {
        let mut names = Names::default();
        let mut closed = Vec::new();
        for at in 0..text.len() {
            match &text[at..=at] {
                "(" => names.open_unit(),
                ")" => closed.push(names.close_unit()),
                name => names.occurs(name.as_bytes()),
            }
        }
        closed
    }

    /// The definition, spelt out: numbers by first appearance.
    fn numbers(unit: &str) -> Vec<usize> {
        let mut seen = Vec::new();
        let number = |name: char| {
            let known = seen.iter().position(|&other| other == name);
            known.unwrap_or_else(|| {
                seen.push(name);
                seen.len() - 1
            })
        };
        unit.chars().map(number).collect()
    }

    #[test]
    fn inverses_are_inverse() {
        assert_eq!(pairwise(BASES, INVERSES, multiply), [1, 1]);
    }

    #[test]
    fn a_unit_is_the_same_wherever_it_stands() {
        let found = patterns("(abab)xxabyx(cdcd)(abba)");
        assert_eq!(found[0], found[1]);
        assert_ne!(found[0], found[2]);
    }

    #[test]
    fn an_inner_unit_forgets_the_names_around_it() {
        let found = patterns("(ab(abb)a)(ab(cdd)a)");
        assert_eq!(found[0], found[2], "inside, both are one name and twice another");
        assert_ne!(found[1], found[3], "outside, only the first repeats its names inside");
    }

    proptest::proptest! {
        #[test]
        fn patterns_are_equal_when_numbers_are(a in "[abcd]{0,8}", b in "[abcd]{0,8}", before in "[abcd]{0,4}") {
            let found = patterns(&format!("({before}({a})({b}))"));
            let same = a.len() == b.len() && numbers(&a) == numbers(&b);
            // Units of different length differ in the other part of the shape.
            proptest::prop_assert!(a.len() != b.len() || (found[0] == found[1]) == same);
        }
    }
}
