"""Aggregates: values that are calculated of the values of many rows. Missing and null are never among
the values. Each value joins with the number of its place; what has a `leave` can lose any of them again."""

import math
from bisect import bisect_left, insort
from collections import Counter
from decimal import Decimal
from heapq import heappop, heappush

from logquery.numbers import bounded, divide, root_over, rounded, scaled
from logquery.ordered import Placed, Sorted
from logquery.values import sort_key


class Count:
    """How many values there are."""

    def __init__(self):
        self.count = 0

    def join(self, number, value):
        self.count += 1

    def result(self):
        return Decimal(self.count)


class Sum:
    """What the numbers add up to; only the result has to be in bounds."""

    def __init__(self):
        self.count = 0
        self.total = Decimal(0)

    def join(self, number, value):
        self.count += 1
        self.total += value

    def result(self):
        return bounded(self.total)


class Average(Sum):
    def result(self):
        return divide(self.total, Decimal(self.count)) if self.count else None


class Least:
    """The first of the least values."""

    def __init__(self):
        self.key = None
        self.value = None

    def join(self, number, value):
        key = sort_key(value)
        if self.key is None or self.is_better(key):
            self.key, self.value = key, value

    def is_better(self, key):
        return key < self.key

    def result(self):
        return self.value


class Greatest(Least):
    """The first of the greatest values."""

    def is_better(self, key):
        return key > self.key


class Values(Placed):
    """All values in order."""

    def result(self):
        return [value for _, value in self.entries]


class First:
    """The first value."""

    def __init__(self):
        self.value = None

    def join(self, number, value):
        if self.value is None:
            self.value = value

    def result(self):
        return self.value


class Last:
    """The last value."""

    def __init__(self):
        self.value = None

    def join(self, number, value):
        self.value = value

    def result(self):
        return self.value


class Distinct:
    """How many different values there are."""

    def __init__(self):
        self.counts = Counter()

    def join(self, number, value):
        self.counts[sort_key(value)] += 1

    def leave(self, number, value):
        key = sort_key(value)
        self.counts[key] -= 1
        if not self.counts[key]:
            del self.counts[key]

    def result(self):
        return Decimal(len(self.counts))


class Part:
    """A place in the order of the values, with so many percent of them before it."""

    def __init__(self, percentage, in_order=None):
        self.fraction = percentage / 100
        self.in_order = Sorted() if in_order is None else in_order

    def join(self, number, value):
        self.in_order.join(number, value)

    def leave(self, number, value):
        self.in_order.leave(number, value)


class Percentile(Part):
    """The place between the values that a part of them is below, interpolated between the two nearest."""

    def result(self):
        if not self.in_order:
            return None
        place = self.fraction * (len(self.in_order) - 1)
        index = int(place)
        value = self.in_order.value_at(index)
        if place == index:
            return value
        return rounded(value + (place - index) * (self.in_order.value_at(index + 1) - value))


class Nearest(Part):
    """The first value that is not below a part of the values."""

    def result(self):
        if not self.in_order:
            return None
        rank = max(1, math.ceil(self.fraction * len(self.in_order)))
        return self.in_order.first_equal(rank - 1)


class Deviation:
    """The square root of the mean square of the distances from the mean."""

    def __init__(self):
        self.count = 0
        self.total = 0
        self.squares = 0

    def join(self, number, value):
        whole = scaled(value)
        self.count += 1
        self.total += whole
        self.squares += whole * whole

    def leave(self, number, value):
        whole = scaled(value)
        self.count -= 1
        self.total -= whole
        self.squares -= whole * whole

    def result(self):
        if not self.count:
            return None
        return root_over(self.count * self.squares - self.total * self.total, self.count)


class Mode:
    """The value that is there most often, of several the one that comes first."""

    def __init__(self):
        self.places = {}
        # How often values were there, negated, and the first of their places, as it was at some time.
        self.candidates = []

    def join(self, number, value):
        key = sort_key(value)
        insort(self.places.setdefault(key, []), (number, value))
        self._note(key)

    def leave(self, number, value):
        key = sort_key(value)
        places = self.places[key]
        del places[bisect_left(places, (number,))]
        if places:
            self._note(key)

    def _state(self, key):
        places = self.places[key]
        return -len(places), places[0][0] if places else None

    def _note(self, key):
        heappush(self.candidates, (*self._state(key), key))

    def result(self):
        while self.candidates:
            *state, key = self.candidates[0]
            if tuple(state) == self._state(key):
                return self.places[key][0][1]
            heappop(self.candidates)
        return None


AGGREGATES = {
    "count": Count,
    "sum": Sum,
    "avg": Average,
    "min": Least,
    "max": Greatest,
    "first": First,
    "last": Last,
    "distinct": Distinct,
    "collect": Values,
    "percentile": Percentile,
    "nearest": Nearest,
    "stddev": Deviation,
    "mode": Mode,
}
OF_NUMBERS = {"sum", "avg", "percentile", "stddev"}
WITH_PERCENTAGE = {"percentile", "nearest"}
# Those that keep all values of a group.
KEEPING = {"collect", "distinct", "percentile", "nearest", "mode"}
