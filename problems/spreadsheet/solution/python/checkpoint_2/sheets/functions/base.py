"""What a function is: its parameters, and what is done before it is applied."""

import enum
from collections import namedtuple

from sheets.numbers import is_integer
from sheets.values import to_boolean, to_number, to_text

MANY = 256


class Kind(enum.Enum):
    """What a parameter takes, and how an argument is brought to it."""

    VALUE = enum.auto()
    NUMBER = enum.auto()
    TEXT = enum.auto()
    CONDITION = enum.auto()
    RAW = enum.auto()  # a value that may be an error
    CELLS = enum.auto()  # a reference or a value, without errors
    RAW_CELLS = enum.auto()  # the same, perhaps with errors
    RANGE = enum.auto()  # a reference, whose cells may be errors


CONVERSIONS = {Kind.NUMBER: to_number, Kind.TEXT: to_text, Kind.CONDITION: to_boolean}
MAY_BE_ERRORS = {Kind.RAW, Kind.RAW_CELLS}


class Cells(namedtuple("Cells", ["values", "is_reference"])):
    """An argument that is a reference, with the values of its filled cells, or a single value."""

    __slots__ = ()


class Function(namedtuple("Function", ["kinds", "counts", "apply"])):
    __slots__ = ()

    def kind(self, place):
        return self.kinds[min(place, len(self.kinds) - 1)]


class LazyFunction(namedtuple("LazyFunction", ["counts", "apply"])):
    """A function that itself evaluates those of its arguments that it needs."""

    __slots__ = ()


def function(apply, *kinds, optional=0):
    return Function(kinds, range(len(kinds) - optional, len(kinds) + 1), apply)


def repeating(apply, *kinds):
    """A function whose last parameter may be given many times."""
    return Function(kinds, range(len(kinds), MANY), apply)


def whole(number, least):
    """A number as an int, or None if it is not whole or too small."""
    return int(number) if is_integer(number) and number >= least else None
