"""Orders of more items than fit in memory: what is too much is kept in temporary files."""

import heapq
import itertools
import pickle
import tempfile
from operator import itemgetter

from logquery.memory import Share, weight

# About so many bytes of a file are in memory at a time.
BLOCK = 40_000
# What an entry takes without its key and item.
ENTRY = 100

BY_KEY = itemgetter(0)


def _blocks(entries):
    """Lists of entries. The last item of an entry is its weight."""
    block, size = [], 0
    for entry in entries:
        block.append(entry)
        size += entry[-1]
        if size >= BLOCK:
            yield block
            block, size = [], 0
    yield block


def _write(file, blocks):
    for block in blocks:
        pickle.dump(block, file, pickle.HIGHEST_PROTOCOL)


def _read(file):
    file.seek(0)
    while True:
        try:
            block = pickle.load(file)
        except EOFError:
            return
        yield from block


class Sorter:
    """Items that come out in the order of their keys, of equal ones in the order in which they were added."""

    def __init__(self):
        self.entries = []
        self.share = Share()
        self.runs = []

    def add(self, key, item):
        size = ENTRY + weight(key) + weight(item)
        self.entries.append((key, item, size))
        if self.share.take(size):
            self._spill()

    def _spill(self):
        self.entries.sort(key=BY_KEY)
        file = tempfile.TemporaryFile()
        _write(file, _blocks(self.entries))
        self.runs.append(file)
        self.entries = []
        self.share.give_back()

    def _in_order(self):
        """The entries in order, once."""
        self.entries.sort(key=BY_KEY)
        runs, self.runs = self.runs, []
        entries, self.entries = self.entries, []
        try:
            yield from heapq.merge(*map(_read, runs), entries, key=BY_KEY) if runs else entries
        finally:
            for file in runs:
                file.close()
            self.share.give_back()

    def groups(self):
        """For each key an iterator of its items."""
        for _, entries in itertools.groupby(self._in_order(), key=BY_KEY):
            yield (item for _, item, _ in entries)

    def __iter__(self):
        return (item for _, item, _ in self._in_order())


class Spool:
    """Items in the order in which they were added, which can be read any number of times."""

    def __init__(self):
        self.blocks = [[]]
        self.size = 0
        self.share = Share()
        self.file = None

    def add(self, item):
        size = weight(item)
        self.blocks[-1].append(item)
        self.size += size
        if self.size >= BLOCK:
            self.blocks.append([])
            self.size = 0
        if self.share.take(size):
            self._spill()

    def _spill(self):
        if self.file is None:
            self.file = tempfile.TemporaryFile()
        _write(self.file, self.blocks)
        self.blocks = [[]]
        self.size = 0
        self.share.give_back()

    def __iter__(self):
        spilled = () if self.file is None else _read(self.file)
        return itertools.chain(spilled, itertools.chain.from_iterable(self.blocks))
