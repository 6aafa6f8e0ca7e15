"""Changes by instants, and what they add up to until any instant."""

from bisect import bisect_left, bisect_right
from itertools import accumulate

MOST = 128


class Block:
    """Changes at some instants in a row."""

    def __init__(self, instants, changes):
        self.instants = instants
        self.changes = changes
        self.forget()

    def forget(self):
        self.known_sums = None
        self.known_least = None

    @property
    def sums(self):
        """The sums of the first changes, from none of them to all."""
        if self.known_sums is None:
            self.known_sums = list(accumulate(self.changes, initial=0))
        return self.known_sums

    @property
    def total(self):
        return self.sums[-1]

    @property
    def least(self):
        """The lowest of all sums."""
        if self.known_least is None:
            self.known_least = min(self.sums)
        return self.known_least

    def add(self, instant, change):
        place = bisect_left(self.instants, instant)
        if self.instants[place : place + 1] == [instant]:
            self.changes[place] += change
        else:
            self.instants.insert(place, instant)
            self.changes.insert(place, change)
        self.forget()

    def total_until(self, instant):
        return self.sums[bisect_right(self.instants, instant)]

    def lowest(self, begin, end):
        """Return the lowest sum at instants from one on until before another."""
        return min(self.sums[bisect_right(self.instants, begin) : bisect_left(self.instants, end) + 1])

    def split(self):
        """Keep the first half, and return the other."""
        half = len(self.instants) // 2
        other = Block(self.instants[half:], self.changes[half:])
        self.instants, self.changes = self.instants[:half], self.changes[:half]
        self.forget()
        return other


class Timeline:
    """Changes in blocks, so that neither to add one nor to add them up takes a walk through all."""

    def __init__(self):
        self.blocks = [Block([], [])]
        self.starts = [0]  # from which instant on each block has the changes

    def block_of(self, instant):
        return bisect_right(self.starts, instant) - 1

    def add(self, instant, change):
        place = self.block_of(instant)
        block = self.blocks[place]
        block.add(instant, change)
        if len(block.instants) > MOST:
            other = block.split()
            self.blocks.insert(place + 1, other)
            self.starts.insert(place + 1, other.instants[0])

    def total_after(self, instant):
        """Return the sum of all later changes."""
        place = self.block_of(instant)
        block = self.blocks[place]
        return block.total - block.total_until(instant) + sum(later.total for later in self.blocks[place + 1 :])

    def lowest(self, begin, end):
        """Return the lowest sum at instants from one on until before another."""
        first, last = self.block_of(begin), self.block_of(end)
        total = sum(block.total for block in self.blocks[:first])
        found = []
        for place in range(first, last + 1):
            block = self.blocks[place]
            found.append(total + (block.least if first < place < last else block.lowest(begin, end)))
            total += block.total
        return min(found)
