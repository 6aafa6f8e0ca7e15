"""Orders of more items than fit in memory: what is too much is kept in temporary files."""

import heapq
import itertools
import pickle
import tempfile
from decimal import Decimal
from operator import itemgetter

from logquery.times import Time

# About so many bytes are kept in memory at most, and are read from a file at a time.
RUN = 4_000_000
BLOCK = 50_000
# What a value takes at least, and what an object adds for its table.
VALUE = 100
TABLE = 200
# What takes as much as any value does.
SIMPLE = {type(None), bool, int, Decimal, Time}

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
    if isinstance(value, (tuple, list)):
        return VALUE + _weight_of_all(value)
    if isinstance(value, str):
        return VALUE + len(value)
    if isinstance(value, dict):
        return VALUE + TABLE + _weight_of_all(value.values())
    return VALUE + weight(value.key) if isinstance(value, Descending) else VALUE


def _weight_of_all(values):
    if SIMPLE.issuperset(map(type, values)):
        return VALUE * len(values)
    size = 0
    for value in values:
        kind = type(value)
        if kind is str:
            size += VALUE + len(value)
        elif kind in SIMPLE:
            size += VALUE
        else:
            size += weight(value)
    return size


def _write(file, entries):
    """Puts entries into a file, in blocks. The last item of an entry is its weight."""
    block, size = [], 0
    for entry in entries:
        block.append(entry)
        size += entry[-1]
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
        self.entries = []
        self.size = 0
        self.runs = []

    def add(self, key, item):
        size = VALUE + _weight_of_all((key, item))
        self.entries.append((key, item, size))
        self.size += size
        if self.size >= RUN:
            self._spill()

    def _spill(self):
        self.entries.sort(key=BY_KEY)
        file = tempfile.TemporaryFile()
        _write(file, self.entries)
        self.runs.append(file)
        self.entries, self.size = [], 0

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

    def groups(self, identity=BY_KEY):
        """For each key an iterator of its items; or for each part of the keys, as `identity` takes it of entries."""
        for _, entries in itertools.groupby(self._in_order(), key=identity):
            yield (item for _, item, _ in entries)

    def __iter__(self):
        return (item for _, item, _ in self._in_order())


class Spool:
    """Items in the order in which they were added, which can be read any number of times."""

    def __init__(self):
        self.entries = []
        self.size = 0
        self.file = None

    def add(self, item):
        size = weight(item)
        self.entries.append((item, size))
        self.size += size
        if self.size >= RUN:
            if self.file is None:
                self.file = tempfile.TemporaryFile()
            _write(self.file, self.entries)
            self.entries, self.size = [], 0

    def __iter__(self):
        spilled = () if self.file is None else _read(self.file)
        return (item for item, _ in itertools.chain(spilled, self.entries))
