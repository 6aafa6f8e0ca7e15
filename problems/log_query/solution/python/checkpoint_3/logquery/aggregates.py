"""Aggregates: values that are calculated of the values of many rows. Missing and null are never among
the values. Each value joins with the number of its place; what has a `leave` can lose any of them again."""

from collections import Counter
from decimal import Decimal

from logquery.numbers import bounded, divide
from logquery.ordered import Placed
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
}
OF_NUMBERS = {"sum", "avg"}
# Those that keep all values of a group.
KEEPING = {"collect", "distinct"}
