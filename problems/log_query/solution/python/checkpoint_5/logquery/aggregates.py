"""Aggregates: values that are calculated of the values of many rows. Missing and null are never among
the values. Most can also lose their first value again."""

from bisect import bisect_left, insort
from collections import Counter, deque
from decimal import Decimal

from logquery.numbers import bounded, ceiling, divide, root_over, rounded, scaled
from logquery.values import sort_key


class Count:
    """How many values there are."""

    def __init__(self):
        self.count = 0

    def join(self, value):
        self.count += 1

    def leave(self, value):
        self.count -= 1

    def result(self):
        return Decimal(self.count)


class Sum:
    """What the numbers add up to; only the result has to be in bounds."""

    def __init__(self):
        self.count = 0
        self.total = Decimal(0)

    def join(self, value):
        self.count += 1
        self.total += value

    def leave(self, value):
        self.count -= 1
        self.total -= value

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

    def join(self, value):
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


class Values:
    """All values in order."""

    def __init__(self):
        self.values = deque()

    def join(self, value):
        self.values.append(value)

    def leave(self, value):
        self.values.popleft()

    def result(self):
        return list(self.values)


class First:
    """The first value."""

    def __init__(self):
        self.value = None

    def join(self, value):
        if self.value is None:
            self.value = value

    def result(self):
        return self.value


class Last:
    """The last value."""

    def __init__(self):
        self.count = 0
        self.value = None

    def join(self, value):
        self.count += 1
        self.value = value

    def leave(self, value):
        self.count -= 1

    def result(self):
        return self.value if self.count else None


class Distinct:
    """How many different values there are."""

    def __init__(self):
        self.counts = Counter()

    def join(self, value):
        self.counts[sort_key(value)] += 1

    def leave(self, value):
        key = sort_key(value)
        self.counts[key] -= 1
        if not self.counts[key]:
            del self.counts[key]

    def result(self):
        return Decimal(len(self.counts))


class Sorted:
    """Values in their order, of equal ones the first first."""

    def __init__(self, percentage):
        self.fraction = percentage / 100
        self.entries = []
        self.joined = 0
        self.left = 0

    def join(self, value):
        insort(self.entries, (sort_key(value), self.joined, value))
        self.joined += 1

    def leave(self, value):
        del self.entries[bisect_left(self.entries, (sort_key(value), self.left))]
        self.left += 1


class Percentile(Sorted):
    """The place between the values that a part of them is below, interpolated between the two nearest."""

    def result(self):
        if not self.entries:
            return None
        place = self.fraction * (len(self.entries) - 1)
        index = int(place)
        value = self.entries[index][2]
        if place == index:
            return value
        return rounded(value + (place - index) * (self.entries[index + 1][2] - value))


class Nearest(Sorted):
    """The first value that is not below a part of the values."""

    def result(self):
        if not self.entries:
            return None
        rank = max(1, int(ceiling(self.fraction * len(self.entries))))
        key = self.entries[rank - 1][0]
        return self.entries[bisect_left(self.entries, (key,))][2]


class Deviation:
    """The square root of the mean square of the distances from the mean."""

    def __init__(self):
        self.count = 0
        self.total = 0
        self.squares = 0

    def join(self, value):
        whole = scaled(value)
        self.count += 1
        self.total += whole
        self.squares += whole * whole

    def leave(self, value):
        whole = scaled(value)
        self.count -= 1
        self.total -= whole
        self.squares -= whole * whole

    def result(self):
        if not self.count:
            return None
        return root_over(self.count * self.squares - self.total * self.total, self.count)


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
}
OF_NUMBERS = {"sum", "avg", "percentile", "stddev"}
WITH_PERCENTAGE = {"percentile", "nearest"}
# Those that keep all values of a group.
KEEPING = {"collect", "distinct", "percentile", "nearest"}
