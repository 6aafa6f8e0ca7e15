//! Halstead's counts over the operations of a file.
//!
//! radon counts binary and unary operators, `and`/`or`, comparisons and augmented assignments, and nothing else: no
//! calls, no keywords, no plain assignments.

use std::collections::HashSet;

use ruff_python_ast::{AnyNodeRef, BoolOp, CmpOp, Expr, ExprNumberLiteral, Int, Number, Operator, UnaryOp};
use ruff_text_size::{Ranged, TextSize};
use serde::{Deserialize, Serialize};

use crate::python::{Program, nodes};

/// The four basic counts, and what follows from them: difficulty D = η₁ / 2 · N₂ / η₂ is effort / volume, radon's
/// time is effort / 18 (in seconds) and its bugs are volume / 3000.
///
/// Source: M. H. Halstead, "Elements of Software Science", 1977; what is an operator and an operand is radon 6.0.1's.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Halstead {
    /// η₁: distinct operators.
    pub distinct_operators: u64,
    /// η₂: distinct operands. Names, attributes and constants are the same operand if their names or values are equal
    /// (a name and a string too, `1` and `True` too) and functions of the same name hold them; anything else is an
    /// operand of its own wherever it stands.
    pub distinct_operands: u64,
    /// N₁: operators.
    pub operators: u64,
    /// N₂: operands.
    pub operands: u64,
    /// V = (N₁ + N₂) · log₂(η₁ + η₂), in bits; 0 where there are no operations.
    pub volume: f64,
    /// E = D · V, in elementary mental discriminations; 0 where there are no operations.
    pub effort: f64,
}

impl Halstead {
    /// Fills in what follows from the counts.
    fn with_volume(mut self) -> Self {
        let vocabulary = self.distinct_operators + self.distinct_operands;
        if vocabulary > 0 {
            // Not `log2`: the quotient is what radon computes, to the last digit.
            self.volume = (self.operators + self.operands) as f64 * ((vocabulary as f64).ln() / 2_f64.ln());
        }
        let difficulty = (self.distinct_operators * self.operands) as f64 / (2 * self.distinct_operands) as f64;
        self.effort = if self.distinct_operands > 0 { difficulty * self.volume } else { 0.0 };
        self
    }

    pub(super) fn of_program(program: &Program) -> Self {
        let mut seen = Seen::default();
        let mut open: Vec<_> = nodes::of_suite(program.body()).map(|node| (node, None)).collect();
        while let Some((node, context)) = open.pop() {
            seen.add(node, context);
            match node {
                // Only a function's body is looked at, and it is the context of what is in it.
                AnyNodeRef::StmtFunctionDef(function) => {
                    open.extend(nodes::of_suite(&function.body).map(|node| (node, Some(function.name.as_str()))));
                }
                _ => nodes::for_each_child(node, |child| open.push((child, context))),
            }
        }
        seen.finish()
    }
}

#[derive(Default)]
struct Seen<'a> {
    counts: Halstead,
    operators: HashSet<Symbol>,
    operands: HashSet<(Option<&'a str>, Operand<'a>)>,
}

impl<'a> Seen<'a> {
    fn add(&mut self, node: AnyNodeRef<'a>, context: Option<&'a str>) {
        match node {
            AnyNodeRef::ExprBinOp(operation) => {
                self.operation(context, [Symbol::Binary(operation.op)], [&*operation.left, &operation.right]);
            }
            AnyNodeRef::ExprUnaryOp(operation) => {
                self.operation(context, [Symbol::Unary(operation.op)], [&*operation.operand]);
            }
            AnyNodeRef::ExprBoolOp(operation) => {
                self.operation(context, [Symbol::Boolean(operation.op)], &operation.values);
            }
            AnyNodeRef::StmtAugAssign(assignment) => {
                self.operation(context, [Symbol::Binary(assignment.op)], [&*assignment.target, &assignment.value]);
            }
            AnyNodeRef::ExprCompare(comparison) => {
                let operators = comparison.ops.iter().copied().map(Symbol::Comparison);
                self.operation(context, operators, comparison.comparators.iter().chain([&*comparison.left]));
            }
            _ => {}
        }
    }

    fn operation(
        &mut self,
        context: Option<&'a str>,
        operators: impl IntoIterator<Item = Symbol>,
        operands: impl IntoIterator<Item = &'a Expr>,
    ) {
        for operator in operators {
            self.counts.operators += 1;
            self.operators.insert(operator);
        }
        for operand in operands {
            self.counts.operands += 1;
            self.operands.insert((context, Operand::of(operand)));
        }
    }

    fn finish(self) -> Halstead {
        Halstead {
            distinct_operators: self.operators.len() as u64,
            distinct_operands: self.operands.len() as u64,
            ..self.counts
        }
        .with_volume()
    }
}

#[derive(PartialEq, Eq, Hash)]
enum Symbol {
    Binary(Operator),
    Unary(UnaryOp),
    Boolean(BoolOp),
    Comparison(CmpOp),
}

/// An operand, equal to another where Python's values are, but for two rare literals: lone surrogates (`"\ud800"`) are
/// all alike here, and large integers are equal only if they are written alike.
#[derive(PartialEq, Eq, Hash)]
enum Operand<'a> {
    /// A name, an attribute or a string.
    Text(&'a str),
    Bytes(Vec<u8>),
    Integer(u64),
    /// An integer that does not fit, as it is written.
    Large(&'a Int),
    Float(u64),
    Complex(u64),
    None,
    Ellipsis,
    /// Anything else, by where it starts and ends: equal to nothing but itself.
    Unique(TextSize, TextSize),
}

impl<'a> Operand<'a> {
    fn of(expression: &'a Expr) -> Self {
        match expression {
            Expr::Name(name) => Operand::Text(&name.id),
            Expr::Attribute(attribute) => Operand::Text(&attribute.attr),
            Expr::StringLiteral(string) => Operand::Text(string.value.to_str()),
            Expr::BytesLiteral(bytes) => Operand::Bytes(bytes.value.bytes().collect()),
            Expr::NumberLiteral(number) => Operand::of_number(number),
            Expr::BooleanLiteral(boolean) => Operand::Integer(u64::from(boolean.value)),
            Expr::NoneLiteral(_) => Operand::None,
            Expr::EllipsisLiteral(_) => Operand::Ellipsis,
            other => Operand::Unique(other.start(), other.end()),
        }
    }

    fn of_number(number: &'a ExprNumberLiteral) -> Self {
        match &number.value {
            Number::Int(integer) => integer.as_u64().map_or(Operand::Large(integer), Operand::Integer),
            Number::Float(value) => Operand::of_float(*value),
            Number::Complex { imag: 0.0, .. } => Operand::Integer(0),
            Number::Complex { imag, .. } => Operand::Complex(imag.to_bits()),
        }
    }

    /// A float is the integer that it equals, if there is one. Literals have no sign.
    fn of_float(value: f64) -> Self {
        let fits = value.fract() == 0.0 && value < u64::MAX as f64;
        if fits { Operand::Integer(value as u64) } else { Operand::Float(value.to_bits()) }
    }
}
