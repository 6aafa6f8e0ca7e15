"""Calls whose results are calculated of many rows."""

from decimal import Decimal

from logquery.aggregates import AGGREGATES, KEEPING, OF_NUMBERS
from logquery.compiler import Scope, compile_expression, truth
from logquery.errors import QueryFailure
from logquery.numbers import OutOfBoundsError
from logquery.values import MISSING, is_absent


class AggregateCall:
    """A call of an aggregate: what it takes of a row, and the aggregate that it starts."""

    def __init__(self, node):
        self.name = node.name
        self.position = node.position
        self.of_numbers = node.name in OF_NUMBERS
        self.start = AGGREGATES[node.name]
        least = 0 if node.name == "count" else 1
        if not least <= len(node.arguments) <= 1:
            raise QueryFailure("arguments", node.position)
        self.keeps_values = node.name in KEEPING
        arguments = [compile_expression(argument) for argument in node.arguments]
        self.argument = arguments[0] if arguments else lambda row: True
        self.condition = None if node.condition is None else compile_expression(node.condition)

    def value(self, row):
        """What the aggregate takes of a row, or missing."""
        if self.condition is not None and not truth(self.condition(row), self.position):
            return MISSING
        value = self.argument(row)
        if is_absent(value):
            return MISSING
        if self.of_numbers and type(value) is not Decimal:
            raise QueryFailure("type", self.position)
        return value

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
