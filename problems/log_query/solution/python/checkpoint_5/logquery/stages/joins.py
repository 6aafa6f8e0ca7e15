"""Stages that put the rows of another source beside those of the query."""

from bisect import bisect_left, bisect_right
from decimal import Decimal

from logquery.compiler import compile_expression
from logquery.errors import QueryFailure
from logquery.expressions import parse_operand
from logquery.frames import distance
from logquery.sources import parse_source
from logquery.phrases import number_of
from logquery.stages.shaping import set_column
from logquery.times import Time
from logquery.values import MISSING, is_absent, sort_key


class Keys:
    """Pairs of expressions for rows of both sides, which match if both are the same in all pairs."""

    def __init__(self, pairs):
        self.pairs = pairs

    def bind(self):
        pairs = [(compile_expression(left), compile_expression(right)) for left, right in self.pairs]
        self.left = [left for left, _ in pairs]
        self.right = [right for _, right in pairs]

    @staticmethod
    def key(values, row):
        """What matches the same of the other side; None if it matches nothing."""
        key = [value(row) for value in values]
        return None if any(map(is_absent, key)) else tuple(map(sort_key, key))

    def of_left(self, row):
        return self.key(self.left, row)

    def of_right(self, row):
        return self.key(self.right, row)


def _parse_pair(tokens):
    left = parse_operand(tokens)
    return left, parse_operand(tokens) if tokens.take("=") else left


def parse_keys(tokens):
    return Keys(tokens.separated(_parse_pair))


class Combination:
    """How a row of the other side joins one of this side: with those of its columns that are new, or as an object in a
    column."""

    def __init__(self, column):
        self.column = column

    def both(self, left, right):
        if self.column is None:
            return {**left, **{name: value for name, value in right.items() if name not in left}}
        return {**left, self.column: right}

    def left_alone(self, left):
        if self.column is None:
            return left
        row = dict(left)
        set_column(row, self.column, MISSING)
        return row

    def right_alone(self, right):
        return right if self.column is None else {self.column: right}


def parse_combination(tokens):
    return Combination(tokens.name().text if tokens.take("as") else None)


class Join:
    """For each row, a row for each match."""

    def __init__(self, tokens):
        self.source = parse_source(tokens)
        tokens.expect("on")
        self.keys = parse_keys(tokens)
        self.combination = self.parse_end(tokens)

    parse_end = staticmethod(parse_combination)

    def bind(self):
        self.source.bind()
        self.keys.bind()

    def apply(self, rows):
        matches = {}
        others = []
        for right in self.source.rows():
            key = self.keys.of_right(right)
            others.append((key, right))
            matches.setdefault(key, []).append(right)
        matches[None] = []
        return self.joined(rows, matches, others)

    def joined(self, rows, matches, others):
        for row in rows:
            for right in matches.get(self.keys.of_left(row), ()):
                yield self.combination.both(row, right)


class _WordedJoin(Join):
    """A join with a word before `join`."""

    def __init__(self, tokens):
        tokens.expect("join")
        super().__init__(tokens)


class LeftJoin(_WordedJoin):
    """A join that keeps rows without a match."""

    def joined(self, rows, matches, others):
        for row in rows:
            yield from self.joined_row(row, matches.get(self.keys.of_left(row)))

    def joined_row(self, row, found):
        if not found:
            return [self.combination.left_alone(row)]
        return [self.combination.both(row, right) for right in found]


class FullJoin(LeftJoin):
    """A join that keeps rows of both sides without a match."""

    def joined(self, rows, matches, others):
        seen = set()
        for row in rows:
            key = self.keys.of_left(row)
            if key in matches:
                seen.add(key)
            yield from self.joined_row(row, matches.get(key))
        for key, right in others:
            if key is None or key not in seen:
                yield self.combination.right_alone(right)


class SemiJoin(_WordedJoin):
    """Keeps the rows with a match as they are."""

    wanted = True

    @staticmethod
    def parse_end(tokens):
        return None

    def joined(self, rows, matches, others):
        return (row for row in rows if bool(matches.get(self.keys.of_left(row))) is self.wanted)


class AntiJoin(SemiJoin):
    """Keeps the rows without a match."""

    wanted = False


# For each comparison the place in a sorted list of the nearest value for which it holds.
NEAREST = {
    ">=": lambda values, value: bisect_right(values, value) - 1,
    ">": lambda values, value: bisect_left(values, value) - 1,
    "<=": bisect_left,
    "<": bisect_right,
}


class AsofJoin:
    """Puts beside each row the nearest one of the other side."""

    def __init__(self, tokens):
        tokens.expect("join")
        self.source = parse_source(tokens)
        self.keys = parse_keys(tokens) if tokens.take("on") else Keys(())
        self.position = tokens.expect("at").position
        self.left = parse_operand(tokens)
        self.nearest = NEAREST[tokens.expect(*NEAREST).text]
        self.right = parse_operand(tokens)
        self.width = number_of(tokens) if tokens.take("within") else None
        self.combination = parse_combination(tokens)

    def bind(self):
        self.source.bind()
        self.keys.bind()
        self.left_value = compile_expression(self.left)
        self.right_value = compile_expression(self.right)

    def _moment(self, key, value):
        """What a row has to have in common with its match, or None if it has none. Numbers match no times."""
        if not is_absent(value) and type(value) not in (Decimal, Time):
            raise QueryFailure("type", self.position)
        return None if key is None or is_absent(value) else (*key, type(value))

    def apply(self, rows):
        others = {}
        for right in self.source.rows():
            key, value = self.keys.of_right(right), self.right_value(right)
            others.setdefault(self._moment(key, value), []).append((value, right))
        others.pop(None, None)
        for candidates in others.values():
            candidates.sort(key=lambda pair: pair[0])
        values = {key: [value for value, _ in candidates] for key, candidates in others.items()}
        for row in rows:
            key, value = self.keys.of_left(row), self.left_value(row)
            moment = self._moment(key, value)
            right = self._find(values.get(moment, ()), others.get(moment, ()), value)
            yield self.combination.left_alone(row) if right is None else self.combination.both(row, right)

    def _find(self, values, candidates, value):
        index = self.nearest(values, value)
        if not 0 <= index < len(values):
            return None
        if self.width is not None and distance(values[index], value) > self.width:
            return None
        return candidates[index][1]
