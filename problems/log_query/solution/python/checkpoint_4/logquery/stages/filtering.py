"""Stages that leave out rows."""

from logquery.compiler import compile_expression, compile_identity, truth
from logquery.expressions import parse_expression
from logquery.memory import Share, weight
from logquery.phrases import count
from logquery.spilling import Sorter
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

    def keeps(self, number):
        """Whether a row stays that has this number in its group, from 1."""
        return number <= self.count

    def apply(self, rows):
        if not self.keys:
            return (row for number, row in enumerate(rows, 1) if self.keeps(number))
        return self._kept_of_groups(rows)

    def _kept_of_groups(self, rows):
        groups = Sorter()
        for number, row in enumerate(rows):
            groups.add(self.identity(row), (number, row))
        in_order = Sorter()
        for members in groups.groups():
            for place, (number, row) in enumerate(members, 1):
                if self.keeps(place):
                    in_order.add(number, row)
        yield from in_order


class Skip(Limit):
    """Leaves out the first rows, of all or of each group."""

    def keeps(self, number):
        return number > self.count


class Distinct:
    """Keeps the first of all rows that are the same, as a whole or by expressions."""

    def __init__(self, tokens):
        self.expressions = () if tokens.at_end_of_stage() else tokens.separated(parse_expression)

    def bind(self):
        self.key = compile_identity(self.expressions) if self.expressions else sort_key

    def apply(self, rows):
        seen = set()
        share = Share()
        is_full = False
        others = Sorter()
        for number, row in enumerate(rows):
            key = self.key(row)
            if key in seen:
                continue
            if is_full:
                others.add(key, (number, row))
            else:
                seen.add(key)
                is_full = share.take(weight(key))
                yield row
        yield from self._firsts(others)

    @staticmethod
    def _firsts(others):
        in_order = Sorter()
        for group in others.groups():
            in_order.add(*next(group))
        yield from in_order
