"""What functions have in common."""

import math
from dataclasses import dataclass
from decimal import Decimal

from logquery.errors import QueryFailure
from logquery.numbers import OutOfBoundsError
from logquery.values import MISSING


class WrongTypeError(Exception):
    """A value that a function cannot take."""


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the language: what it does with values that are neither missing nor null, how many of
    them it takes, and of what types they are."""

    run: object
    kinds: tuple
    least: int
    most: float
    strict: bool = True

    def takes(self, count):
        return self.least <= count <= self.most

    def at(self, position):
        """A function of a list of values, whose errors tell a position."""

        def call(values):
            if self.strict:
                if MISSING in values:
                    return MISSING
                if None in values:
                    return None
            try:
                self.check(values)
                return self.run(*values)
            except WrongTypeError as error:
                raise QueryFailure("type", position) from error
            except OutOfBoundsError as error:
                raise QueryFailure("range", position) from error

        return call

    def check(self, values):
        last = len(self.kinds) - 1
        for index, value in enumerate(values):
            kinds = self.kinds[min(index, last)]
            if kinds is not None and type(value) not in kinds:
                raise WrongTypeError


STRING = (str,)
NUMBER = (Decimal,)
ANY = None


def function(run, *kinds, optional=0):
    """A function with a fixed number of arguments, of which the last may be left out."""
    return Function(run, kinds, len(kinds) - optional, len(kinds))


def variadic(run, kind):
    """A function of one or more arguments of the same type."""
    return Function(run, (kind,), 1, math.inf)


def total(run):
    """A function of one argument that may be missing or null."""
    return Function(run, (ANY,), 1, 1, strict=False)


def whole(number):
    """A number as an integer."""
    if number != number.to_integral_value():
        raise OutOfBoundsError
    return int(number)
