"""Orders of rows by the values of expressions."""

from dataclasses import dataclass
from typing import NamedTuple

from logquery.compiler import compile_expression
from logquery.expressions import parse_expression
from logquery.spilling import Descending
from logquery.values import sort_key


@dataclass(frozen=True, slots=True)
class Criterion:
    expression: object
    descending: bool


class Place(NamedTuple):
    """Where a row stands among others: its key, the first value that it is ordered by, and what stands for it."""

    key: tuple
    first_value: object
    item: tuple


def parse_criterion(tokens):
    expression = parse_expression(tokens)
    direction = tokens.take("asc", "desc")
    return Criterion(expression, direction is not None and direction.text == "desc")


class Ordering:
    """Criteria that were compiled."""

    def __init__(self, criteria):
        self.values = [compile_expression(criterion.expression) for criterion in criteria]
        self.descending = [criterion.descending for criterion in criteria]

    def _key(self, values):
        return tuple(
            [
                Descending(sort_key(value)) if descending else sort_key(value)
                for value, descending in zip(values, self.descending, strict=True)
            ]
        )

    def key(self, row):
        return self._key([value(row) for value in self.values])

    def place(self, row, item):
        """The place of a row that an item stands for."""
        values = [value(row) for value in self.values]
        return Place(self._key(values), values[0] if values else None, item)
