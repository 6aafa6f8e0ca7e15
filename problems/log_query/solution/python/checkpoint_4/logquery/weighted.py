"""The place in the order of values that have weights."""

import itertools
from decimal import Decimal
from operator import itemgetter

from logquery.ordered import Ranked
from logquery.values import MISSING, sort_key

ZERO = Decimal(0)
BY_KEY = itemgetter(0)


class WeightedNearest:
    """The first value that a part of all weights is not above."""

    def __init__(self, percentage):
        self.fraction = percentage / 100
        self.total = ZERO
        self.entries = []

    def join(self, number, weighted):
        value, weight = weighted
        self.total += weight
        self.entries.append((sort_key(value), number, value, weight))

    def result(self):
        if not self.total:
            return None
        part = self.fraction * self.total
        for _, equal in itertools.groupby(sorted(self.entries), key=BY_KEY):
            (_, _, first, weight), *others = equal
            part -= weight + sum(entry[-1] for entry in others)
            if part <= 0:
                return first


class FrameWeightedNearest:
    """The same for frames. Weights are summed up in a binary indexed tree, by the ranks of their values."""

    def __init__(self, percentage, values):
        self.fraction = percentage / 100
        self.in_order = Ranked([value if value is MISSING else value[0] for value in values])
        self.sums = [ZERO] * (len(values) + 1)
        self.total = ZERO

    def join(self, number, weighted):
        self.in_order.join(number, weighted)
        self._add(self.in_order.ranks[number], weighted[1])

    def leave(self, number, weighted):
        self.in_order.leave(number, weighted)
        self._add(self.in_order.ranks[number], -weighted[1])

    def _add(self, rank, weight):
        self.total += weight
        sums = self.sums
        index = rank + 1
        while index < len(sums):
            sums[index] += weight
            index += index & -index

    def result(self):
        if not self.total:
            return None
        part = self.fraction * self.total
        return self.in_order.first_of_rank(self._rank_at(part)) if part else self.in_order.value_at(0)

    def _rank_at(self, part):
        """The least rank for which the weights up to it are at least a part that is not 0."""
        sums = self.sums
        rank = 0
        step = 1 << (len(sums).bit_length() - 1)
        while step:
            following = rank + step
            if following < len(sums) and sums[following] < part:
                part -= sums[following]
                rank = following
            step >>= 1
        return rank
