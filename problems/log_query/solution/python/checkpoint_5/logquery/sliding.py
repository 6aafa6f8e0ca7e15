"""Aggregates over frames, which values join at the end and leave at the beginning."""

from collections import deque

from logquery.aggregates import AGGREGATES, Values
from logquery.values import sort_key


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


class SlidingLeast(Extreme):
    @staticmethod
    def is_better(key, other):
        return key < other


class SlidingGreatest(Extreme):
    @staticmethod
    def is_better(key, other):
        return key > other


class SlidingFirst(Values):
    """The first value."""

    def result(self):
        return self.values[0] if self.values else None


FRAME_AGGREGATES = {**AGGREGATES, "min": SlidingLeast, "max": SlidingGreatest, "first": SlidingFirst}
