"""Iterations of `for`."""

from lang.errors import Failure
from lang.maps import Map, key_of


class Iteration:
    """Walks over a list, which may change meanwhile, a text, or the keys that a map has."""

    __slots__ = ("sequence", "index")

    def __init__(self, sequence):
        if type(sequence) is Map:
            sequence = list(map(key_of, sequence.entries))
        if type(sequence) not in (str, list):
            raise Failure("type")
        self.sequence = sequence
        self.index = 0

    def has_next(self):
        return self.index < len(self.sequence)

    def next(self):
        self.index += 1
        return self.sequence[self.index - 1]
