"""Calls whose results for a row depend on the rows around it."""

import itertools
from decimal import Decimal

from logquery.aggregates import AGGREGATES
from logquery.calls import AggregateCall, AggregateScope
from logquery.compiler import compile_expression
from logquery.errors import QueryFailure
from logquery.nodes import Literal
from logquery.numbers import is_whole
from logquery.ordered import Ranked
from logquery.sliding import FRAME_AGGREGATES, Sliding
from logquery.values import MISSING
from logquery.weighted import FrameWeightedNearest


class Outside:
    """What `lag` and `lead` find where there is no row."""

    def __reduce__(self):
        return "OUTSIDE"


OUTSIDE = Outside()
MOST_ARGUMENTS = 3


class FrameCall(AggregateCall):
    """A call of an aggregate over each row's frame."""

    def results(self, places, values, runs):
        aggregate = self._over(values)
        for begin, gap, gap_end, end in runs:
            aggregate.move(begin, gap, gap_end, end)
            yield self.result(aggregate)

    def _over(self, values):
        if self.weight is not None:
            return Sliding(FrameWeightedNearest(self.percentage, values), values)
        if self.percentage is not None:
            return Sliding(self.start(in_order=Ranked(values)), values)
        of_frames = FRAME_AGGREGATES.get(self.name)
        return Sliding(self.start(), values) if of_frames is None else of_frames(values)


class RankCall:
    """A call that tells where a row stands."""

    def __init__(self, node):
        if node.arguments or node.condition is not None:
            raise QueryFailure("arguments", node.position)
        self.name = node.name

    def value(self, row):
        return None

    def results(self, places, values, runs):
        return map(Decimal, RANKINGS[self.name](places))


def row_numbers(places):
    return range(1, len(places) + 1)


def ranks(places):
    first_peer = 0
    for index, place in enumerate(places):
        if place.key != places[first_peer].key:
            first_peer = index
        yield first_peer + 1


def dense_ranks(places):
    groups = itertools.groupby(places, key=lambda place: place.key)
    for rank, (_, peers) in enumerate(groups, 1):
        yield from (rank for _ in peers)


RANKINGS = {"row_number": row_numbers, "rank": ranks, "dense_rank": dense_ranks}
DIRECTIONS = {"lag": -1, "lead": 1}


class NeighbourCall:
    """A call that looks at a row before or behind this one."""

    def __init__(self, node):
        if node.condition is not None or not 1 <= len(node.arguments) <= MOST_ARGUMENTS:
            raise QueryFailure("arguments", node.position)
        self.value = compile_expression(node.arguments[0])
        self.step = DIRECTIONS[node.name] * self._size(node)

    @staticmethod
    def _size(node):
        if len(node.arguments) == 1:
            return 1
        size = node.arguments[1]
        if not isinstance(size, Literal) or type(size.value) is not Decimal or not is_whole(size.value):
            raise QueryFailure("arguments", node.position)
        return int(size.value)

    def results(self, places, values, runs):
        for index in range(self.step, self.step + len(places)):
            yield values[index] if 0 <= index < len(places) else OUTSIDE


class WindowScope(AggregateScope):
    """Expressions with calls over windows."""

    def compile_call(self, node):
        if node.name in RANKINGS:
            return self.add(RankCall(node))
        if node.name in DIRECTIONS:
            return self._neighbour(node)
        if node.name in AGGREGATES:
            return self.add(FrameCall(node))
        return super().compile_call(node)

    def _neighbour(self, node):
        read = self.add(NeighbourCall(node))
        if len(node.arguments) < MOST_ARGUMENTS:
            return lambda row: MISSING if (found := read(row)) is OUTSIDE else found
        default = compile_expression(node.arguments[-1], self)
        return lambda row: default(row) if (found := read(row)) is OUTSIDE else found
