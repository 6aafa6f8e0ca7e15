"""How much of the memory is taken by what is kept in it."""

import weakref
from sys import getsizeof

from logquery.values import Descending

# About so many bytes are taken by all that is kept, and so many may be taken by each whatever the others take.
MOST = 36_000_000
LEAST = 1_000_000
# After so many bytes it is looked again what the others take.
STEP = 250_000
# What an object and any other container takes, and what a value takes in it.
TABLE = 180
HEADER = 60
VALUE = 100
CONTAINERS = {dict, tuple, list, Descending}


def weight(value):
    """About how many bytes a value takes, with all that is in it."""
    kind = type(value)
    if kind is dict:
        items = value.values()
        size = TABLE + VALUE * len(value)
    elif kind is tuple or kind is list:
        items = value
        size = HEADER + VALUE * len(value)
    elif kind is Descending:
        return VALUE + weight(value.key)
    else:
        return getsizeof(value) if kind is str else VALUE
    for item in items:
        kind = type(item)
        if kind is str:
            size += getsizeof(item)
        elif kind in CONTAINERS:
            size += weight(item)
    return size


class Share:
    """What is taken by one of those that keep something."""

    _all = weakref.WeakSet()

    def __init__(self):
        self.taken = 0
        self._next_look = STEP
        self._all.add(self)

    def take(self, size):
        """Takes so many bytes more; whether that is more than is there for this one."""
        self.taken += size
        return self.taken >= self._next_look and self._is_too_much()

    def _is_too_much(self):
        self._next_look = self.taken + STEP
        others = sum(share.taken for share in self._all) - self.taken
        return self.taken > max(LEAST, (MOST - others) // 2)

    def give_back(self):
        self.taken = 0
        self._next_look = STEP
