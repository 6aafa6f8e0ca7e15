"""Changes by instants, and what they add up to until any instant."""

from bisect import bisect_left, bisect_right
from itertools import accumulate

MOST = 128


class Block:
    """Changes at some instants in a row."""

    def __init__(self, instants, changes):
        self.instants = instants
        self.changes = changes
        self.known_sums = None

    @property
    def sums(self):
        """The sums of the first changes, from none of them to all."""
        if self.known_sums is None:
            self.known_sums = list(accumulate(self.changes, initial=0))
        return self.known_sums

    @property
    def total(self):
        return self.sums[-1]

    def add(self, instant, change):
        place = bisect_left(self.instants, instant)
        if self.instants[place : place + 1] == [instant]:
            self.changes[place] += change
        else:
            self.instants.insert(place, instant)
            self.changes.insert(place, change)
        self.known_sums = None

    def total_until(self, instant):
        return self.sums[bisect_right(self.instants, instant)]

    def split(self):
        """Keep the first half, and return the other."""
        half = len(self.instants) // 2
        other = Block(self.instants[half:], self.changes[half:])
        self.instants, self.changes, self.known_sums = self.instants[:half], self.changes[:half], None
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
