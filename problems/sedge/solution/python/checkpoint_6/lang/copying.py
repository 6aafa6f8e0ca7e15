"""Copies of everything that changes while a program runs, whatever its depth."""

from lang import frames, strands
from lang.errors import Failed, Failure
from lang.iteration import Iteration
from lang.maps import Map
from lang.matching import Matching
from lang.sorting import Sorting
from lang.values import Function

OBJECTS = (
    frames.Frame,
    frames.HostFrame,
    frames.Handler,
    frames.Handlers,
    frames.Returning,
    frames.Failing,
    strands.Strand,
    strands.Coroutine,
    strands.CallReceiver,
    strands.LoopReceiver,
    strands.CloseReceiver,
    Failed,
    Failure,
    Function,
    Iteration,
    Map,
    Matching,
    Sorting,
)


class TooLarge(Exception):
    """There is more to copy than is allowed."""


def attributes(kind):
    """The names of what objects of a kind have in slots."""
    return [name for base in kind.__mro__ for name in getattr(base, "__slots__", ())]


SLOTS = {kind: attributes(kind) for kind in OBJECTS}


class Copier:
    """Copies values and what they refer to, each once. What never changes is shared with the copy."""

    def __init__(self, most):
        self.most = most
        self.copies = {}
        self.unfilled = []

    def copied(self, value):
        """A copy, with everything in it."""
        copy = self.begun(value)
        while self.unfilled:
            if len(self.copies) > self.most:
                raise TooLarge
            original, unfilled = self.unfilled.pop()
            self.fill(original, unfilled)
        return copy

    def begun(self, value):
        """The copy of a value, perhaps still empty."""
        kind = type(value)
        if kind is tuple:
            return self.copied_tuple(value)
        if kind is not list and kind is not dict and kind not in SLOTS:
            return value
        if id(value) not in self.copies:
            copy = kind.__new__(kind)
            self.copies[id(value)] = copy
            self.unfilled.append((value, copy))
        return self.copies[id(value)]

    def copied_tuple(self, value):
        if id(value) not in self.copies:
            self.copies[id(value)] = tuple([self.begun(item) for item in value])
        return self.copies[id(value)]

    def fill(self, original, copy):
        if type(original) is list:
            copy.extend([self.begun(item) for item in original])
        elif type(original) is dict:
            copy.update([(key, self.begun(item)) for key, item in original.items()])
        else:
            for name in SLOTS[type(original)] or vars(original):
                setattr(copy, name, self.begun(getattr(original, name)))
