"""Stages that leave out rows."""

import itertools
import sys

from logquery.compiler import compile_expression, truth
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
    """Keeps the first rows."""

    def __init__(self, tokens):
        self.count = min(count(tokens), sys.maxsize)

    def bind(self):
        pass

    def apply(self, rows):
        return itertools.islice(rows, self.count)


class Skip(Limit):
    """Leaves out the first rows."""

    def apply(self, rows):
        return itertools.islice(rows, self.count, None)


class Distinct:
    """Keeps the first of all rows that are the same, as a whole or by expressions."""

    def __init__(self, tokens):
        self.expressions = () if tokens.at_end_of_stage() else tokens.separated(parse_expression)

    def bind(self):
        values = [compile_expression(expression) for expression in self.expressions]
        if values:
            self.key = lambda row: tuple([sort_key(value(row)) for value in values])
        else:
            self.key = sort_key

    def apply(self, rows):
        seen = set()
        for row in rows:
            key = self.key(row)
            if key not in seen:
                seen.add(key)
                yield row
