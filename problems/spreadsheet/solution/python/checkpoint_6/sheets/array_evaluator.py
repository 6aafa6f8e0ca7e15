"""From the tree of an array formula to its values."""

from sheets import operators
from sheets.evaluator import Evaluator
from sheets.functions.base import CONVERSIONS, Cells, Kind
from sheets.grid import Grid
from sheets.matrices import Matrix, lift, made, matrix_of, spread
from sheets.values import Error, severest

WHOLE = {Kind.CELLS, Kind.RAW_CELLS, Kind.RANGE}


class ArrayEvaluator(Evaluator):
    def results(self, node, height, width):
        """The values of an array formula's cells, row by row."""
        return spread(self.evaluate(node), height, width)

    def range_alone(self, node):
        grid = Grid(node.area, self.source)
        if grid.shape == (1, 1):
            return grid.at(1, 1)
        return made(*grid.shape, lambda row, column: grid.at(row + 1, column + 1))

    def prefix(self, node):
        return lift(lambda value: operators.prefix(node.operator, value), [self.evaluate(node.operand)])

    def percent(self, node):
        return lift(operators.percent, [self.evaluate(node.operand)])

    def binary(self, node):
        operands = [self.evaluate(node.left), self.evaluate(node.right)]
        return lift(lambda left, right: operators.binary(node.operator, left, right), operands)

    def lazy_call(self, function, arguments):
        first = self.evaluate(arguments[0])
        if not isinstance(first, Matrix):
            return super().lazy_call(function, arguments)
        return lift(function.choose, [first, *map(self.evaluate, arguments[1:])])

    def cells(self, node):
        value = self.evaluate(node)
        return Cells(value.filled_values(), True) if isinstance(value, Matrix) else Cells([value], False)

    def apply(self, function, kinds, given):
        """Values are taken from arrays place by place, what is taken as a whole is the same for all."""
        places = [place for place, kind in enumerate(kinds) if kind not in WHOLE]

        def apply_once(*values):
            arguments = list(given)
            for place, value in zip(places, values):
                arguments[place] = value
            return super(ArrayEvaluator, self).apply(function, kinds, arguments)

        return lift(apply_once, [given[place] for place in places])

    def array_call(self, function, arguments):
        kinds = [function.kind(place) for place in range(len(arguments))]
        given = [single_or_matrix(kind, self.evaluate(each)) for kind, each in zip(kinds, arguments)]
        error = severest(given)
        if error is not None:
            return error
        converted = [
            matrix_of(value) if kind is Kind.MATRIX else CONVERSIONS[kind](value)
            for kind, value in zip(kinds, given)
        ]
        return severest(converted) or function.apply(*converted)


def single_or_matrix(kind, value):
    """The value of an argument, which may be an array only where a matrix is asked for."""
    return Error.VALUE if isinstance(value, Matrix) and kind is not Kind.MATRIX else value
