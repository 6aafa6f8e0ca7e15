"""The entries of an account by their effective instants, as they were known at any time."""

from heapq import merge
from itertools import groupby

from ledger_service.layers import Layers
from ledger_service.sides import SIDES

BEGINNING = ()
END = (float("inf"),)


def before(instant):
    """Return the bound between what is effective before an instant and what is not."""
    return (instant,)


def after(key):
    """Return the bound right after a key."""
    return (*key, *END)


class History:
    """Lines by their keys: effective instant, transaction and number. Stamps are records.

    A line that a correction cancels stays, followed by its opposite of the same key.
    """

    def __init__(self):
        self.sides = {side: Layers() for side in SIDES}

    def post(self, record, line):
        self.sides[line.side].append(record, (*line.key, line.amount))

    def cancel(self, record, line):
        self.sides[line.side].append(record, (*line.key, -line.amount))

    def total(self, side, records, bound):
        """Return what entries of a side add up to before a bound, as they were known with so many records."""
        return sum(layer.sum_before(bound) for layer in self.sides[side].until(records))

    def keys(self, records, begin, end):
        """Yield the keys from a bound to another of all lines that were in force."""
        found = merge(*(layer.from_bound(begin) for side in SIDES for layer in self.sides[side].until(records)))
        for key, items in groupby(found, key=lambda item: item[:-1]):
            if key >= end:
                break
            if len(list(items)) == 1:
                yield key
