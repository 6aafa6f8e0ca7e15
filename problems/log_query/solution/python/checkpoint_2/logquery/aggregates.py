"""Aggregates: values that are calculated of the values of many rows. Rows join a frame at its end and leave it at its
beginning; missing and null are never among the values."""

from collections import Counter, deque
from decimal import Decimal

from logquery.numbers import bounded, divide
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


class Extreme:
    """The first of the least or greatest values. Values that a later one rules out are forgotten."""

    def __init__(self):
        self.candidates = deque()
        self.joined = 0
        self.left = 0

    def join(self, value):
        key = sort_key(value)
        while self.candidates and self.is_better(key, self.candidates[-1][0]):
            self.candidates.pop()
        self.candidates.append((key, self.joined, value))
        self.joined += 1

    def leave(self, value):
        if self.candidates[0][1] == self.left:
            self.candidates.popleft()
        self.left += 1

    def result(self):
        return self.candidates[0][2] if self.candidates else None


class Least(Extreme):
    @staticmethod
    def is_better(key, other):
        return key < other


class Greatest(Extreme):
    @staticmethod
    def is_better(key, other):
        return key > other


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


class First(Values):
    def result(self):
        return self.values[0] if self.values else None


class Last(Values):
    def result(self):
        return self.values[-1] if self.values else None


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
