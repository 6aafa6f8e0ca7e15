"""Orders of rows by the values of expressions."""

from dataclasses import dataclass

from logquery.compiler import compile_expression
from logquery.expressions import parse_expression
from logquery.values import sort_key


@dataclass(frozen=True, slots=True)
class Criterion:
    expression: object
    descending: bool


class Place:
    """A row among others: the values that it is ordered by, and its number or whatever else stands for it."""

    __slots__ = ("keys", "first_key", "row")

    def __init__(self, values, row):
        self.keys = [sort_key(value) for value in values]
        self.first_key = values[0] if values else None
        self.row = row


def parse_criterion(tokens):
    expression = parse_expression(tokens)
    direction = tokens.take("asc", "desc")
    return Criterion(expression, direction is not None and direction.text == "desc")


class Ordering:
    """Criteria that were compiled; rows that are the same by all of them keep their order."""

    def __init__(self, criteria):
        self.values = [compile_expression(criterion.expression) for criterion in criteria]
        self.descending = [criterion.descending for criterion in criteria]

    def place(self, evaluated, row):
        """The place of what stands for a row, by the row that the criteria are evaluated for."""
        return Place([value(evaluated) for value in self.values], row)

    def sort(self, places):
        """Sorts a list of places."""
        for index in reversed(range(len(self.values))):
            places.sort(key=lambda item, index=index: item.keys[index], reverse=self.descending[index])
