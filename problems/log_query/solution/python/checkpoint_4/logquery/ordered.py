"""Values that are kept in an order, and can be taken out again. Each has the number of its place among all values."""

from bisect import bisect_left, insort

from logquery.values import sort_key


class Placed:
    """Values in the order of their places."""

    def __init__(self):
        self.entries = []

    def join(self, number, value):
        insort(self.entries, (number, value))

    def leave(self, number, value):
        del self.entries[bisect_left(self.entries, (number,))]


class Sorted:
    """Values in their own order, of equal ones the first first."""

    def __init__(self):
        self.entries = []

    def join(self, number, value):
        insort(self.entries, (sort_key(value), number, value))

    def leave(self, number, value):
        del self.entries[bisect_left(self.entries, (sort_key(value), number))]

    def first_equal(self, index):
        """The first of the values that are equal to the one at an index."""
        return self.entries[bisect_left(self.entries, self.entries[index][:1])][-1]
