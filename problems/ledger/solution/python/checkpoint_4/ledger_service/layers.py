"""Items that came one after the other, of which any first ones can be had in order."""

from bisect import bisect_left, bisect_right
from functools import cached_property
from itertools import accumulate

LEAST = 128


class Layer:
    """Items in order, which are tuples that begin with a key; those of a bound come behind all before it."""

    def __init__(self, items):
        self.items = sorted(items)

    def place(self, bound):
        return bisect_left(self.items, bound)

    def from_bound(self, bound):
        return map(self.items.__getitem__, range(self.place(bound), len(self.items)))

    def last_before(self, bound, default):
        """Return the last item before a bound, or the default if there is none."""
        place = self.place(bound)
        return self.items[place - 1] if place else default

    @cached_property
    def sums(self):
        """For the first items, from none of them to all, what their last values add up to."""
        return list(accumulate((item[-1] for item in self.items), initial=0))

    def sum_before(self, bound):
        return self.sums[self.place(bound)]


class Layers:
    """Items with stamps that never fall.

    What came up to a stamp is at hand as a few layers of double the size of each other, which are made
    when they are first asked for. The last item can be taken back as long as that has not happened.
    """

    def __init__(self):
        self.stamps = []
        self.items = []
        self.layers = {}

    def append(self, stamp, item):
        self.stamps.append(stamp)
        self.items.append(item)

    def until(self, stamp):
        """Yield layers of all items up to a stamp; None stands for the last."""
        count = len(self.items) if stamp is None else bisect_right(self.stamps, stamp)
        start = 0
        while count - start >= LEAST:
            size = LEAST
            while start % (2 * size) == 0 and start + 2 * size <= count:
                size *= 2
            yield self.layer(start, size)
            start += size
        yield Layer(self.items[start:count])

    def layer(self, start, size):
        if (start, size) not in self.layers:
            self.layers[start, size] = Layer(self.items[start : start + size])
        return self.layers[start, size]
