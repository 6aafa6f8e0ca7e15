"""Orders of more items than fit in memory: what is too much is kept in temporary files."""

import heapq
import itertools
import pickle
import tempfile
from operator import itemgetter

# About so many bytes are kept in memory at most, and are read from a file at a time.
RUN = 4_000_000
BLOCK = 50_000
# What a value takes at least, and what an object adds for its table.
VALUE = 100
TABLE = 200

BY_KEY = itemgetter(0)


class Descending:
    """A key in the reverse order."""

    __slots__ = ("key",)

    def __init__(self, key):
        self.key = key

    def __eq__(self, other):
        return self.key == other.key

    def __lt__(self, other):
        return other.key < self.key


def weight(value):
    """About how many bytes a value takes."""
    if isinstance(value, str):
        return VALUE + len(value)
    if isinstance(value, dict):
        return VALUE + TABLE + sum(map(weight, value.values()))
    if isinstance(value, (list, tuple)):
        return VALUE + sum(map(weight, value))
    return weight(value.key) if isinstance(value, Descending) else VALUE


def _write(file, items):
    block, size = [], 0
    for item in items:
        block.append(item)
        size += weight(item)
        if size >= BLOCK:
            pickle.dump(block, file, pickle.HIGHEST_PROTOCOL)
            block, size = [], 0
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
        self.items = []
        self.size = 0
        self.runs = []

    def add(self, key, item):
        pair = key, item
        self.items.append(pair)
        self.size += weight(pair)
        if self.size >= RUN:
            self._spill()

    def _spill(self):
        self.items.sort(key=BY_KEY)
        file = tempfile.TemporaryFile()
        _write(file, self.items)
        self.runs.append(file)
        self.items, self.size = [], 0

    def pairs(self):
        """The keys and items in order, once."""
        self.items.sort(key=BY_KEY)
        runs, self.runs = self.runs, []
        items, self.items = self.items, []
        try:
            yield from heapq.merge(*map(_read, runs), items, key=BY_KEY) if runs else items
        finally:
            for file in runs:
                file.close()

    def groups(self):
        """For each key an iterator of its items."""
        for _, pairs in itertools.groupby(self.pairs(), key=BY_KEY):
            yield (item for _, item in pairs)

    def __iter__(self):
        return (item for _, item in self.pairs())


class Spool:
    """Items in the order in which they were added, which can be read any number of times."""

    def __init__(self):
        self.items = []
        self.size = 0
        self.file = None

    def add(self, item):
        self.items.append(item)
        self.size += weight(item)
        if self.size >= RUN:
            if self.file is None:
                self.file = tempfile.TemporaryFile()
            _write(self.file, self.items)
            self.items, self.size = [], 0

    def __iter__(self):
        if self.file is not None:
            yield from _read(self.file)
        yield from self.items
