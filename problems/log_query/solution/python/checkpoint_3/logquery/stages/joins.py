"""Stages that put the rows of another source beside those of the query."""

from bisect import bisect_left, bisect_right

from logquery.compiler import compile_expression
from logquery.expressions import parse_operand
from logquery.frames import distance
from logquery.sources import parse_source
from logquery.phrases import number_of
from logquery.stages.matching import Keys, moment, parse_keys, parse_matching
from logquery.targets import parse_target
from logquery.values import MISSING


class Combination:
    """How a row of the other side joins one of this side: with those of its columns that are new, or as an object in a
    place."""

    def __init__(self, target):
        self.target = target

    def both(self, left, right):
        if self.target is None:
            return {**left, **{name: value for name, value in right.items() if name not in left}}
        return self._with(left, right)

    def left_alone(self, left):
        return left if self.target is None else self._with(left, MISSING)

    def right_alone(self, right):
        return right if self.target is None else self._with({}, right)

    def _with(self, row, value):
        changed = dict(row)
        self.target.put(changed, value)
        return changed


def parse_combination(tokens):
    return Combination(parse_target(tokens) if tokens.take("as") else None)


class Join:
    """For each row, a row for each match."""

    def __init__(self, tokens):
        self.source = parse_source(tokens)
        tokens.expect("on")
        self.matching = parse_matching(tokens)
        self.combination = self.parse_end(tokens)

    parse_end = staticmethod(parse_combination)

    def bind(self):
        self.source.bind()
        self.matching.bind()

    def apply(self, rows):
        others = list(self.source.rows())
        return self.joined(rows, others, self.matching.take_in(others))

    def joined(self, rows, others, matching):
        for row in rows:
            for number in matching.matches(row):
                yield self.combination.both(row, others[number])


class _WordedJoin(Join):
    """A join with a word before `join`."""

    def __init__(self, tokens):
        tokens.expect("join")
        super().__init__(tokens)


class LeftJoin(_WordedJoin):
    """A join that keeps rows without a match."""

    def joined(self, rows, others, matching):
        return self.left_rows(rows, others, matching, set())

    def left_rows(self, rows, others, matching, seen):
        """The rows of this side; the numbers of all matches are added to `seen`."""
        for row in rows:
            found = matching.matches(row)
            if not found:
                yield self.combination.left_alone(row)
            for number in found:
                yield self.combination.both(row, others[number])
            seen.update(found)


class FullJoin(LeftJoin):
    """A join that keeps rows of both sides without a match."""

    def joined(self, rows, others, matching):
        seen = set()
        yield from self.left_rows(rows, others, matching, seen)
        for number, right in enumerate(others):
            if number not in seen:
                yield self.combination.right_alone(right)


class SemiJoin(_WordedJoin):
    """Keeps the rows with a match as they are."""

    wanted = True

    @staticmethod
    def parse_end(tokens):
        return None

    def joined(self, rows, others, matching):
        return (row for row in rows if matching.has_match(row) is self.wanted)


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
        found = moment(value, self.position)
        return None if key is None or found is None else (*key, type(found))

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
            common = self._moment(key, value)
            right = self._find(values.get(common, ()), others.get(common, ()), value)
            yield self.combination.left_alone(row) if right is None else self.combination.both(row, right)

    def _find(self, values, candidates, value):
        index = self.nearest(values, value)
        if not 0 <= index < len(values):
            return None
        if self.width is not None and distance(values[index], value) > self.width:
            return None
        return candidates[index][1]
