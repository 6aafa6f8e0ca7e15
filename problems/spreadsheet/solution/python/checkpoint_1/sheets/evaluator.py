"""From a formula's tree to its value."""

from sheets import operators
from sheets.functions import FUNCTIONS
from sheets.nodes import Binary, Call, Literal, Name, Percent, Prefix, Reference
from sheets.numbers import ZERO
from sheets.values import Error


class Evaluator:
    def __init__(self, value_of):
        """`value_of` gives the value of any cell that a formula refers to."""
        self.value_of = value_of
        self.by_type = {
            Literal: self.literal,
            Reference: self.reference,
            Name: self.name,
            Prefix: self.prefix,
            Percent: self.percent,
            Binary: self.binary,
            Call: self.call,
        }

    def result(self, node):
        """The value of a cell with this formula."""
        value = self.evaluate(node)
        return ZERO if value is None else value

    def evaluate(self, node):
        return self.by_type[type(node)](node)

    def literal(self, node):
        return node.value

    def reference(self, node):
        return self.value_of(node.cell)

    def name(self, _node):
        return Error.NAME

    def prefix(self, node):
        return operators.prefix(node.operator, self.evaluate(node.operand))

    def percent(self, node):
        return operators.percent(self.evaluate(node.operand))

    def binary(self, node):
        return operators.binary(node.operator, self.evaluate(node.left), self.evaluate(node.right))

    def call(self, node):
        function = FUNCTIONS.get(node.function)
        if function is None:
            return Error.NAME
        return function.apply(self.evaluate, *node.arguments)
