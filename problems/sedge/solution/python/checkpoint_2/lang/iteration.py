"""Iterations of `for`."""

from lang.errors import Failure


class Iteration:
    """Walks over a list, which may change meanwhile, or a text."""

    __slots__ = ("sequence", "index")

    def __init__(self, sequence):
        if type(sequence) not in (str, list):
            raise Failure("type")
        self.sequence = sequence
        self.index = 0

    def has_next(self):
        return self.index < len(self.sequence)

    def next(self):
        self.index += 1
        return self.sequence[self.index - 1]
