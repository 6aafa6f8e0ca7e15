"""Calls whose results are calculated of many rows."""

from decimal import Decimal
from functools import partial

from logquery.aggregates import AGGREGATES, KEEPING, OF_NUMBERS, WITH_PERCENTAGE
from logquery.compiler import Scope, compile_expression, truth
from logquery.errors import QueryFailure
from logquery.nodes import Literal
from logquery.numbers import OutOfBoundsError
from logquery.values import MISSING, is_absent
from logquery.weighted import WeightedNearest


WITH_PERCENTAGE_ARGUMENTS = 2
WITH_WEIGHT_ARGUMENTS = 3


def is_percentage(node):
    return isinstance(node, Literal) and type(node.value) is Decimal and 0 <= node.value <= 100


def has_weight(node):
    return node.name == "nearest" and len(node.arguments) == WITH_WEIGHT_ARGUMENTS


class AggregateCall:
    """A call of an aggregate: what it takes of a row, and the aggregate that it starts."""

    def __init__(self, node):
        self.name = node.name
        self.position = node.position
        self.of_numbers = node.name in OF_NUMBERS
        self.percentage = node.arguments[1].value if self._has_percentage(node) else None
        self.start = self._aggregate(node)
        self.keeps_values = node.name in KEEPING
        self.argument = compile_expression(node.arguments[0]) if node.arguments else lambda row: True
        self.weight = compile_expression(node.arguments[-1]) if has_weight(node) else None
        self.condition = None if node.condition is None else compile_expression(node.condition)

    def _aggregate(self, node):
        """What makes a new aggregate of the call."""
        aggregate = AGGREGATES[node.name]
        if self.percentage is not None:
            return partial(WeightedNearest if has_weight(node) else aggregate, self.percentage)
        least = 0 if node.name == "count" else 1
        if not least <= len(node.arguments) <= 1:
            raise QueryFailure("arguments", node.position)
        return aggregate

    @staticmethod
    def _has_percentage(node):
        if node.name not in WITH_PERCENTAGE:
            return False
        most = WITH_WEIGHT_ARGUMENTS if node.name == "nearest" else WITH_PERCENTAGE_ARGUMENTS
        if not WITH_PERCENTAGE_ARGUMENTS <= len(node.arguments) <= most or not is_percentage(node.arguments[1]):
            raise QueryFailure("arguments", node.position)
        return True

    def value(self, row):
        """What the aggregate takes of a row, or missing: the argument, or a pair of it and its weight."""
        if self.condition is not None and not truth(self.condition(row), self.position):
            return MISSING
        value = self.argument(row)
        if self.weight is not None:
            return self._weighted(value, self.weight(row))
        if is_absent(value):
            return MISSING
        if self.of_numbers and type(value) is not Decimal:
            raise QueryFailure("type", self.position)
        return value

    def _weighted(self, value, weight):
        if is_absent(value) or is_absent(weight):
            return MISSING
        if type(weight) is not Decimal:
            raise QueryFailure("type", self.position)
        if weight < 0:
            raise QueryFailure("range", self.position)
        return value, weight

    def result(self, aggregate):
        """The aggregate's value, or the failure that reading it is."""
        try:
            return aggregate.result()
        except OutOfBoundsError:
            return QueryFailure("range", self.position)


class AggregateScope(Scope):
    """Expressions with calls of aggregates. Their results are put into `results` before the expressions are evaluated."""

    def __init__(self):
        self.calls = []
        self.results = []

    def compile_call(self, node):
        if node.name not in AGGREGATES:
            return super().compile_call(node)
        return self.add(AggregateCall(node))

    def add(self, call):
        """A function that gives the call's result."""
        results, index = self.results, len(self.calls)
        self.calls.append(call)

        def read(row):
            result = results[index]
            if isinstance(result, QueryFailure):
                raise result
            return result

        return read
