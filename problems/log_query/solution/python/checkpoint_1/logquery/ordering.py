"""Orders of rows by the values of expressions."""

from dataclasses import dataclass

from logquery.compiler import compile_expression
from logquery.expressions import parse_expression
from logquery.values import sort_key


@dataclass(frozen=True, slots=True)
class Criterion:
    expression: object
    descending: bool


def parse_criterion(tokens):
    expression = parse_expression(tokens)
    direction = tokens.take("asc", "desc")
    return Criterion(expression, direction is not None and direction.text == "desc")


class Ordering:
    """Criteria that were compiled; rows that are the same by all of them keep their order."""

    def __init__(self, criteria):
        self.values = [compile_expression(criterion.expression) for criterion in criteria]
        self.descending = [criterion.descending for criterion in criteria]

    def keys(self, row):
        return [sort_key(value(row)) for value in self.values]

    def sorted(self, rows):
        pairs = [(self.keys(row), row) for row in rows]
        for index in reversed(range(len(self.values))):
            pairs.sort(key=lambda pair, index=index: pair[0][index], reverse=self.descending[index])
        return [row for _, row in pairs]
