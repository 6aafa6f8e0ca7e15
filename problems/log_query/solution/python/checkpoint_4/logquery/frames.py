"""Frames: which rows of a partition, in its order, belong to each of them. A frame is given by its beginning and its
end (the first that does not belong to it), and so is the gap of rows that are left out of it; none of these ever goes
back from row to row."""

import itertools
from decimal import Decimal

from logquery.errors import QueryFailure
from logquery.phrases import bound, number_of
from logquery.times import Time, seconds_of


class Frame:
    def __init__(self):
        self.gaps = no_gaps

    def check(self, place):
        """Refuses a row whose keys do not allow of such frames."""

    def runs(self, places):
        """For each row the borders of the two runs that its frame is: the one before the gap, the one behind it."""
        return [
            (begin, max(begin, min(gap, end)), min(max(begin, gap_end), end), end)
            for (begin, end), (gap, gap_end) in zip(self.bounds(places), self.gaps(places), strict=True)
        ]


class Running(Frame):
    """All rows up to this one."""

    def bounds(self, places):
        return ((0, index + 1) for index in range(len(places)))


class Whole(Frame):
    """All rows."""

    def bounds(self, places):
        return ((0, len(places)) for _ in places)


class Preceding(Frame):
    """So many rows up to this one, which is among them."""

    def __init__(self, size):
        super().__init__()
        self.size = size

    def bounds(self, places):
        return ((max(0, index + 1 - self.size), index + 1) for index in range(len(places)))


class Around(Frame):
    """The rows from one distance to another, in rows, counted from this one."""

    def __init__(self, first, last):
        super().__init__()
        self.first = first
        self.last = last

    def bounds(self, places):
        count = len(places)
        for index in range(count):
            begin = min(max(0, index + self.first), count)
            yield begin, max(begin, min(index + self.last + 1, count))


def distance(left, right):
    """By how much two first keys differ, or None if they are of different types."""
    if type(left) is not type(right):
        return None
    if type(left) is Time:
        return abs(seconds_of(left.nanoseconds - right.nanoseconds))
    return abs(left - right)


class Within(Frame):
    """The rows whose first key is not behind this row's and differs from it by at most a width."""

    def __init__(self, width, position):
        super().__init__()
        self.width = width
        self.position = position

    def check(self, place):
        if type(place.first_value) not in (Decimal, Time):
            raise QueryFailure("type", self.position)

    def bounds(self, places):
        keys = [place.first_value for place in places]
        begin = end = 0
        for index, key in enumerate(keys):
            while not self._reaches(keys[begin], key):
                begin += 1
            end = max(end, index + 1)
            while end < len(keys) and keys[end] == key:
                end += 1
            yield begin, end

    def _reaches(self, earlier, key):
        difference = distance(earlier, key)
        return difference is not None and difference <= self.width


def no_gaps(places):
    return ((len(places), len(places)) for _ in places)


def each_row(places):
    return ((index, index + 1) for index in range(len(places)))


def ties(places):
    """The rows with the same keys of order, for each row."""
    begin = 0
    for _, tied in itertools.groupby(places, key=lambda place: place.key):
        size = len(list(tied))
        yield from itertools.repeat((begin, begin + size), size)
        begin += size


GAPS = {"row": each_row, "ties": ties}


def parse_frame(tokens, is_sorted):
    frame = _parse_bounds(tokens, is_sorted)
    if tokens.take("except"):
        frame.gaps = GAPS[tokens.expect(*GAPS).text]
    return frame


def _parse_bounds(tokens, is_sorted):
    if tokens.take("all"):
        return Whole()
    if tokens.take("rows"):
        return _parse_rows(tokens)
    if is_sorted and tokens.at("within"):
        position = tokens.next().position
        return Within(number_of(tokens), position)
    return Running()


def _parse_rows(tokens):
    has_sign = tokens.at("-")
    first = bound(tokens)
    if tokens.take("to"):
        return Around(first, bound(tokens))
    if has_sign:
        raise tokens.failure()
    return Preceding(first)
