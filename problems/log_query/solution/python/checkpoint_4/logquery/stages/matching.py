"""Which rows of another source match a row of the query."""

from bisect import bisect_right
from decimal import Decimal
from itertools import accumulate

from logquery.compiler import compile_expression
from logquery.errors import QueryFailure
from logquery.expressions import parse_operand
from logquery.times import Time
from logquery.values import is_absent, sort_key

MOMENTS = (Decimal, Time)
# Limits of ranges in their order: none below, limits, none above.
NO_LEAST, LIMIT, NO_MOST = range(3)


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


def moment(value, position):
    """A number or a time; None if there is no value."""
    if is_absent(value):
        return None
    if type(value) not in MOMENTS:
        raise QueryFailure("type", position)
    return value


class ByKeys:
    """What matches by keys alone."""

    def __init__(self, keys):
        self.keys = keys

    def bind(self):
        self.keys.bind()

    def take_in(self, rows):
        return KeyMatches(self.keys, rows)


class KeyMatches:
    """The rows of the source by their keys. They go by their numbers."""

    def __init__(self, keys, rows):
        self.keys = keys
        self.numbers = {}
        for number, row in enumerate(rows):
            self.numbers.setdefault(keys.of_right(row), []).append(number)
        self.numbers.pop(None, None)

    def matches(self, row):
        return self.numbers.get(self.keys.of_left(row), ())

    def has_match(self, row):
        return bool(self.matches(row))


class Ranges:
    """Ranges, of which those that contain a value are found in time for the answer, not for all ranges."""

    def __init__(self, ranges):
        ranges = sorted(ranges)
        self.leasts = [least for least, _, _ in ranges]
        self.numbers = [number for _, _, number in ranges]
        self.greatest_so_far = list(accumulate((most for _, most, _ in ranges), max))
        self.size = 1 << (len(ranges) - 1).bit_length()
        padding = [(NO_LEAST,)] * (self.size - len(ranges))
        # A heap: the greatest upper limit below each node; those of the ranges are its leaves.
        self.most = [(NO_LEAST,)] * self.size + [most for _, most, _ in ranges] + padding
        for node in reversed(range(1, self.size)):
            self.most[node] = max(self.most[2 * node], self.most[2 * node + 1])

    def _beginning(self, value):
        """How many ranges do not begin above a value."""
        return bisect_right(self.leasts, (LIMIT, value))

    def any_with(self, value):
        count = self._beginning(value)
        return count > 0 and self.greatest_so_far[count - 1] >= (LIMIT, value)

    def all_with(self, value):
        """The numbers of the ranges that contain a value, in order."""
        limit = (LIMIT, value)
        nodes = self._nodes_of(self._beginning(value))
        found = []
        while nodes:
            node = nodes.pop()
            if self.most[node] < limit:
                continue
            if node < self.size:
                nodes += (2 * node, 2 * node + 1)
            else:
                found.append(self.numbers[node - self.size])
        return sorted(found)

    def _nodes_of(self, count):
        """The nodes below which the first ranges are, so many of them, and no others."""
        nodes = []
        node, width = 1, self.size
        while count:
            if count >= width:
                nodes.append(node)
                node += 1
                count -= width
            node *= 2
            width //= 2
        return nodes


class ByRange:
    """What matches by keys, and by a value of one side that is in a range of the other."""

    def __init__(self, keys, value, least, most, position):
        self.keys = keys
        self.expressions = value, least, most
        self.position = position

    def bind(self):
        self.keys.bind()
        self.value, self.least, self.most = map(compile_expression, self.expressions)

    def take_in(self, rows):
        return RangeMatches(self, rows)

    def of_left(self, row):
        """The key and the value of a row of the query."""
        return self.keys.of_left(row), moment(self.value(row), self.position)

    def of_right(self, row):
        """The key and the limits of a row of the source."""
        key = self.keys.of_right(row)
        return key, moment(self.least(row), self.position), moment(self.most(row), self.position)


def _kinds_between(least, most):
    """The types of the values that can be in a range."""
    kinds = {type(limit) for limit in (least, most) if limit is not None}
    if not kinds:
        return MOMENTS
    return kinds if len(kinds) == 1 else ()


class RangeMatches:
    """The rows of the source by their keys and ranges."""

    def __init__(self, matching, rows):
        self.matching = matching
        ranges = {}
        for number, row in enumerate(rows):
            key, least, most = matching.of_right(row)
            limits = (
                (NO_LEAST,) if least is None else (LIMIT, least),
                (NO_MOST,) if most is None else (LIMIT, most),
            )
            for kind in _kinds_between(least, most):
                ranges.setdefault((key, kind), []).append((*limits, number))
        self.ranges = {key: Ranges(of_key) for key, of_key in ranges.items() if key[0] is not None}

    def _find(self, row):
        """The ranges that may contain the row's value, or None, and the value."""
        key, value = self.matching.of_left(row)
        return self.ranges.get((key, type(value))), value

    def matches(self, row):
        ranges, value = self._find(row)
        return () if ranges is None else ranges.all_with(value)

    def has_match(self, row):
        ranges, value = self._find(row)
        return ranges is not None and ranges.any_with(value)


def _parse_pair(tokens, left):
    return left, parse_operand(tokens) if tokens.take("=") else left


def parse_keys(tokens):
    return Keys(tokens.separated(lambda stream: _parse_pair(stream, parse_operand(stream))))


def parse_matching(tokens):
    """Pairs, at the end of which a range may stand."""
    pairs = []
    while True:
        left = parse_operand(tokens)
        if word := tokens.take("between"):
            least = parse_operand(tokens)
            tokens.expect("and")
            return ByRange(Keys(pairs), left, least, parse_operand(tokens), word.position)
        pairs.append(_parse_pair(tokens, left))
        if not tokens.take(","):
            return ByKeys(Keys(pairs))
