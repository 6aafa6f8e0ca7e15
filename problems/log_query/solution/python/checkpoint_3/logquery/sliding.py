"""Aggregates over frames. A frame is given by four borders: of the run of rows before its gap, and of the one behind
it. None of these ever goes back from row to row."""

from collections import deque
from decimal import Decimal
from itertools import accumulate

from logquery.numbers import bounded, divide
from logquery.values import MISSING, sort_key

ZERO = Decimal(0)


def totals(summands):
    """What the summands up to each border add up to, so that those of a frame are found whatever its width."""
    return list(accumulate(summands, initial=ZERO))


class FrameCount:
    def __init__(self, values):
        self.counts = totals(value is not MISSING for value in values)
        self.count = ZERO

    def move(self, begin, gap, gap_end, end):
        counts = self.counts
        self.count = counts[gap] - counts[begin] + counts[end] - counts[gap_end]

    def result(self):
        return self.count


class FrameSum:
    def __init__(self, values):
        self.totals = totals(ZERO if value is MISSING else value for value in values)
        self.total = ZERO

    def move(self, begin, gap, gap_end, end):
        sums = self.totals
        self.total = sums[gap] - sums[begin] + sums[end] - sums[gap_end]

    def result(self):
        return bounded(self.total)


class FrameAverage:
    def __init__(self, values):
        self.sum = FrameSum(values)
        self.count = FrameCount(values)

    def move(self, *frame):
        self.sum.move(*frame)
        self.count.move(*frame)

    def result(self):
        count = self.count.result()
        return divide(self.sum.total, count) if count else None


class FrameFirst:
    def __init__(self, values):
        self.values = values
        count = len(values)
        present = (count if values[number] is MISSING else number for number in reversed(range(count)))
        # For each border the first row behind it that has a value.
        self.firsts = list(accumulate(present, min, initial=count))[::-1]
        self.value = None

    def move(self, begin, gap, gap_end, end):
        before, behind = self.firsts[begin], self.firsts[gap_end]
        if before < gap:
            self.value = self.values[before]
        else:
            self.value = self.values[behind] if behind < end else None

    def result(self):
        return self.value


class FrameLast:
    def __init__(self, values):
        self.values = values
        present = (-1 if value is MISSING else number for number, value in enumerate(values))
        # For each border the last row before it that has a value.
        self.lasts = list(accumulate(present, max, initial=-1))
        self.value = None

    def move(self, begin, gap, gap_end, end):
        before, behind = self.lasts[gap], self.lasts[end]
        if behind >= gap_end:
            self.value = self.values[behind]
        else:
            self.value = self.values[before] if before >= begin else None

    def result(self):
        return self.value


def ranks_of(values):
    """The ranks of values in their order, the same for equal ones; None for missing ones."""
    keys = [None if value is MISSING else sort_key(value) for value in values]
    present = sorted({key for key in keys if key is not None})
    ranks = {key: rank for rank, key in enumerate(present)}
    return [ranks.get(key) for key in keys]


class LeastOfRun:
    """The rows of a run that have a lower rank than all behind them, or the same."""

    def __init__(self, ranks):
        self.ranks = ranks
        self.rows = deque()
        self.end = 0

    def move(self, begin, end):
        rows, ranks = self.rows, self.ranks
        for row in range(max(self.end, begin), end):
            rank = ranks[row]
            if rank is None:
                continue
            while rows and ranks[rows[-1]] > rank:
                rows.pop()
            rows.append(row)
        while rows and rows[0] < begin:
            rows.popleft()
        self.end = end


class FrameLeast:
    """The first of the least values."""

    def __init__(self, values):
        self.values = values
        self.ranks = self.ranks_of(values)
        self.before, self.behind = LeastOfRun(self.ranks), LeastOfRun(self.ranks)

    ranks_of = staticmethod(ranks_of)

    def move(self, begin, gap, gap_end, end):
        self.before.move(begin, gap)
        self.behind.move(gap_end, end)

    def result(self):
        firsts = [run.rows[0] for run in (self.before, self.behind) if run.rows]
        return self.values[min(firsts, key=self.ranks.__getitem__)] if firsts else None


class FrameGreatest(FrameLeast):
    """The first of the greatest values."""

    @staticmethod
    def ranks_of(values):
        return [None if rank is None else -rank for rank in ranks_of(values)]


class Span:
    """A run of rows, the values of which are in an aggregate."""

    def __init__(self, aggregate, values):
        self.aggregate = aggregate
        self.values = values
        self.begin = self.end = 0

    def move(self, begin, end):
        if end > self.end:
            self._tell(self.aggregate.join, max(self.end, begin), end)
        if begin > self.begin:
            self._tell(self.aggregate.leave, self.begin, min(begin, self.end))
        self.begin, self.end = begin, end

    def _tell(self, change, begin, end):
        for number in range(begin, end):
            value = self.values[number]
            if value is not MISSING:
                change(number, value)


class Sliding:
    """An aggregate that values join and leave at any place."""

    def __init__(self, aggregate, values):
        self.aggregate = aggregate
        self.before, self.behind = Span(aggregate, values), Span(aggregate, values)

    def move(self, begin, gap, gap_end, end):
        self.behind.move(gap_end, end)
        self.before.move(begin, gap)

    def result(self):
        return self.aggregate.result()


# Those that do not need to be told of each value that joins or leaves.
FRAME_AGGREGATES = {
    "count": FrameCount,
    "sum": FrameSum,
    "avg": FrameAverage,
    "min": FrameLeast,
    "max": FrameGreatest,
    "first": FrameFirst,
    "last": FrameLast,
}
