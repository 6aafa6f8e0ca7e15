"""Orders of rows by the values of expressions."""

from dataclasses import dataclass
from typing import NamedTuple

from logquery.compiler import compile_expression
from logquery.expressions import parse_expression
from logquery.values import descending_key, joined_keys, sort_key


@dataclass(frozen=True, slots=True)
class Criterion:
    expression: object
    descending: bool


class Place(NamedTuple):
    """Where a row stands among others: its key, the first value that it is ordered by, its number, and what there is to
    know about it."""

    key: tuple
    first_value: object
    number: int
    details: list


def parse_criterion(tokens):
    expression = parse_expression(tokens)
    direction = tokens.take("asc", "desc")
    return Criterion(expression, direction is not None and direction.text == "desc")


class Ordering:
    """Criteria that were compiled."""

    def __init__(self, criteria):
        self.values = [compile_expression(criterion.expression) for criterion in criteria]
        self.key_makers = [descending_key if criterion.descending else sort_key for criterion in criteria]

    def _key(self, values):
        return joined_keys([make(value) for make, value in zip(self.key_makers, values, strict=True)])

    def key(self, row):
        return self._key([value(row) for value in self.values])

    def place(self, number, row, details):
        """The place of a numbered row, with what there is to know about it."""
        values = [value(row) for value in self.values]
        return Place(self._key(values), values[0] if values else None, number, details)
