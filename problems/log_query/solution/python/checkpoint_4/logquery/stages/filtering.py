"""Stages that leave out rows."""

from collections import Counter

from logquery.compiler import compile_expression, compile_identity, truth
from logquery.expressions import parse_expression
from logquery.phrases import count
from logquery.values import sort_key


class Where:
    """Keeps the rows for which a condition holds."""

    def __init__(self, tokens):
        self.position = tokens.current.position
        self.condition = parse_expression(tokens)

    def bind(self):
        self.holds = compile_expression(self.condition)

    def apply(self, rows):
        return (row for row in rows if truth(self.holds(row), self.position))


class Limit:
    """Keeps the first rows, of all or of each group."""

    def __init__(self, tokens):
        self.count = count(tokens)
        self.keys = tokens.separated(parse_expression) if tokens.take("by") else ()

    def bind(self):
        self.identity = compile_identity(self.keys)

    def apply(self, rows):
        return (row for row, number in self._numbered(rows) if number <= self.count)

    def _numbered(self, rows):
        """The rows, each with its number in its group from 1."""
        numbers = Counter()
        for row in rows:
            identity = self.identity(row)
            numbers[identity] += 1
            yield row, numbers[identity]


class Skip(Limit):
    """Leaves out the first rows, of all or of each group."""

    def apply(self, rows):
        return (row for row, number in self._numbered(rows) if number > self.count)


class Distinct:
    """Keeps the first of all rows that are the same, as a whole or by expressions."""

    def __init__(self, tokens):
        self.expressions = () if tokens.at_end_of_stage() else tokens.separated(parse_expression)

    def bind(self):
        self.key = compile_identity(self.expressions) if self.expressions else sort_key

    def apply(self, rows):
        seen = set()
        for row in rows:
            key = self.key(row)
            if key not in seen:
                seen.add(key)
                yield row
