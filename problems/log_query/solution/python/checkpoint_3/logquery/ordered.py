"""Values that are kept in an order, and can be taken out again. Each has the number of its place among all values."""

from bisect import bisect_left, insort


class Placed:
    """Values in the order of their places."""

    def __init__(self):
        self.entries = []

    def join(self, number, value):
        insort(self.entries, (number, value))

    def leave(self, number, value):
        del self.entries[bisect_left(self.entries, (number,))]
