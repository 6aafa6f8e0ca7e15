"""The place in the order of values that have weights."""

from bisect import bisect_left, bisect_right, insort
from decimal import Decimal

from logquery.values import sort_key

# So many values are in a block at most.
MOST = 256


class Block:
    """Some of the values in order, each as its key, the number of its place, the value and its weight."""

    def __init__(self, entries):
        self.entries = entries
        self.weight = sum((weight for *_, weight in entries), Decimal(0))


class WeightedNearest:
    """The first value that a part of all weights is not above. Since blocks know their weights, it is found in far
    fewer steps than there are values."""

    def __init__(self, percentage):
        self.fraction = percentage / 100
        self.total = Decimal(0)
        self.blocks = [Block([])]
        # The keys and numbers that blocks but the first begin with.
        self.borders = []

    def join(self, number, weighted):
        value, weight = weighted
        key = sort_key(value)
        index = bisect_right(self.borders, (key, number))
        block = self.blocks[index]
        insort(block.entries, (key, number, value, weight))
        block.weight += weight
        self.total += weight
        if len(block.entries) > MOST:
            self._split(index)

    def _split(self, index):
        entries = self.blocks[index].entries
        middle = len(entries) // 2
        self.blocks[index : index + 1] = [Block(entries[:middle]), Block(entries[middle:])]
        self.borders.insert(index, entries[middle][:2])

    def leave(self, number, weighted):
        value, weight = weighted
        place = sort_key(value), number
        index = bisect_right(self.borders, place)
        block = self.blocks[index]
        del block.entries[bisect_left(block.entries, place)]
        block.weight -= weight
        self.total -= weight
        if not block.entries and self.borders:
            del self.blocks[index]
            del self.borders[max(0, index - 1)]

    def result(self):
        if not self.total:
            return None
        return self._first_equal(self._key_at(self.fraction * self.total))

    def _key_at(self, part):
        """The least key for which the weights up to it are at least a part."""
        weight = Decimal(0)
        for block in self.blocks:
            if block.entries and weight + block.weight >= part:
                break
            weight += block.weight
        for key, _, _, own_weight in block.entries:
            weight += own_weight
            if weight >= part:
                return key

    def _first_equal(self, key):
        block = self.blocks[bisect_left(self.borders, (key,))]
        index = bisect_left(block.entries, (key,))
        if index == len(block.entries):
            block, index = self.blocks[bisect_left(self.borders, (key,)) + 1], 0
        return block.entries[index][2]
