"""Exact numbers: an `int` where the value is whole, else a `Fraction`."""

import sys
from fractions import Fraction
from math import floor

from lang.errors import Failure

DIGITS = 10_000
BOUND = 10**DIGITS
LEAST_BOUND = -BOUND
BOUND_BITS = BOUND.bit_length()

sys.set_int_max_str_digits(0)


def normal(value):
    """The value in its one form, if it is not too large."""
    if type(value) is int:
        return in_bounds(value)
    if value.denominator == 1:
        return in_bounds(value.numerator)
    in_bounds(value.numerator)
    in_bounds(value.denominator)
    return value


def in_bounds(whole):
    if not LEAST_BOUND < whole < BOUND:
        raise Failure("size")
    return whole


def add(left, right):
    return normal(left + right)


def subtract(left, right):
    return normal(left - right)


def multiply(left, right):
    return normal(left * right)


def divide(left, right):
    if right == 0:
        raise Failure("zero")
    return normal(Fraction(left, 1) / right)


def floor_divide(left, right):
    if right == 0:
        raise Failure("zero")
    return normal(floor(left // right))


def modulo(left, right):
    if right == 0:
        raise Failure("zero")
    return normal(left % right)


def power(base, exponent):
    """An exact power; what would be too large is not computed."""
    if type(exponent) is not int:
        raise Failure("exponent")
    if exponent < 0:
        if base == 0:
            raise Failure("zero")
        base = Fraction(1, 1) / base
        exponent = -exponent
    top = whole_power(base.numerator, exponent)
    bottom = whole_power(base.denominator, exponent)
    return normal(Fraction(top, bottom))


def whole_power(base, exponent):
    if base in (0, 1):
        return base if exponent else 1
    if base == -1:
        return -1 if exponent % 2 else 1
    if (base.bit_length() - 1) * exponent > BOUND_BITS:
        raise Failure("size")
    return in_bounds(base**exponent)


def literal_value(word):
    return normal(Fraction(word)) if "." in word else in_bounds(int(word))


def shown(value):
    return str(value)


def decimal(value, places):
    """The value with so many digits behind the point, halves away from zero."""
    scaled = Fraction(abs(value)) * 10**places
    units = floor(scaled + Fraction(1, 2))
    digits = str(units).rjust(places + 1, "0")
    sign = "-" if value < 0 and units else ""
    if places == 0:
        return sign + digits
    return f"{sign}{digits[:-places]}.{digits[-places:]}"
