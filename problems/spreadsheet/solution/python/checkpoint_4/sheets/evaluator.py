"""From a formula's tree to its value."""

from sheets import operators
from sheets.binding import BoundCell, BoundRange
from sheets.functions import FUNCTIONS
from sheets.functions.base import CONVERSIONS, MAY_BE_ERRORS, Cells, Kind, LazyFunction
from sheets.grid import Grid
from sheets.nodes import Binary, Call, Literal, Percent, Prefix
from sheets.numbers import ZERO
from sheets.values import Error, severest


class Evaluator:
    def __init__(self, source):
        """`source` knows the values of all cells that a formula refers to."""
        self.source = source
        self.by_type = {
            Literal: self.literal,
            BoundCell: self.cell,
            BoundRange: self.range_alone,
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

    def cell(self, node):
        return self.source.known_value(node.cell)

    def range_alone(self, _node):
        return Error.VALUE

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
        if isinstance(function, LazyFunction):
            return function.apply(self.evaluate, *node.arguments)
        return self.strict_call(function, node.arguments)

    def strict_call(self, function, arguments):
        kinds = [function.kind(place) for place in range(len(arguments))]
        given = [self.argument(kind, node) for kind, node in zip(kinds, arguments)]
        error = severest(value for kind, each in zip(kinds, given) for value in strict_values(kind, each))
        if error is not None:
            return error
        converted = [CONVERSIONS[kind](each) if kind in CONVERSIONS else each for kind, each in zip(kinds, given)]
        error = severest(each for kind, each in zip(kinds, converted) if kind in CONVERSIONS)
        return error or function.apply(*converted)

    def argument(self, kind, node):
        """An argument before conversion: a value, Cells or a Grid."""
        is_reference = isinstance(node, (BoundCell, BoundRange))
        if kind is Kind.RANGE:
            return Grid(node.area, self.source) if is_reference else Error.VALUE
        if kind not in (Kind.CELLS, Kind.RAW_CELLS):
            return self.evaluate(node)
        if is_reference:
            return Cells(Grid(node.area, self.source).values(), True)
        return Cells([self.evaluate(node)], False)


def strict_values(kind, argument):
    """The values of an argument that must not be errors."""
    if kind in MAY_BE_ERRORS:
        return ()
    return argument.values if isinstance(argument, Cells) else (argument,)
