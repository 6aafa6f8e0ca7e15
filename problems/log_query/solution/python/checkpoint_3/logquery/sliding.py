"""Aggregates over frames, which values join and leave at any place."""

from logquery.aggregates import AGGREGATES
from logquery.ordered import Placed, Sorted


class FrameLeast(Sorted):
    def result(self):
        return self.first_equal(0) if self.entries else None


class FrameGreatest(Sorted):
    def result(self):
        return self.first_equal(-1) if self.entries else None


class FrameFirst(Placed):
    def result(self):
        return self.entries[0][-1] if self.entries else None


class FrameLast(Placed):
    def result(self):
        return self.entries[-1][-1] if self.entries else None


FRAME_AGGREGATES = {**AGGREGATES, "min": FrameLeast, "max": FrameGreatest, "first": FrameFirst, "last": FrameLast}
