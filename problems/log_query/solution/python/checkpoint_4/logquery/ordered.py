"""Values that are kept in an order. Each has the number of its place among all values, by which it can be taken out
again."""

from bisect import bisect_left, insort

from logquery.values import MISSING, sort_key


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

    def __len__(self):
        return len(self.entries)

    def join(self, number, value):
        insort(self.entries, (sort_key(value), number, value))

    def value_at(self, index):
        return self.entries[index][-1]

    def first_equal(self, index):
        """The first of the values that are equal to the one at an index."""
        return self.value_at(bisect_left(self.entries, self.entries[index][:1]))


class Ranked:
    """Values of frames in their own order, of equal ones the first first. Since all that can be in a frame are known,
    each goes by its rank among them."""

    def __init__(self, values):
        keys = {number: sort_key(value) for number, value in enumerate(values) if value is not MISSING}
        numbers = sorted(keys, key=keys.__getitem__)
        self.values = [values[number] for number in numbers]
        self.ranks = {number: rank for rank, number in enumerate(numbers)}
        # For each rank that of the first equal value.
        self.firsts = []
        for rank, number in enumerate(numbers):
            is_equal = rank > 0 and keys[number] == keys[numbers[rank - 1]]
            self.firsts.append(self.firsts[-1] if is_equal else rank)
        self.present = []

    def __len__(self):
        return len(self.present)

    def join(self, number, value):
        insort(self.present, self.ranks[number])

    def leave(self, number, value):
        del self.present[bisect_left(self.present, self.ranks[number])]

    def value_at(self, index):
        return self.values[self.present[index]]

    def first_equal(self, index):
        """The first of the values that are equal to the one at an index."""
        return self.first_of_rank(self.present[index])

    def first_of_rank(self, rank):
        """The first of the values that are equal to the one of a rank."""
        return self.value_at(bisect_left(self.present, self.firsts[rank]))
