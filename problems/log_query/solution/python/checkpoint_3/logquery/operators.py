"""What operators do with the values of their operands."""

import operator
from decimal import Decimal
from functools import lru_cache

from logquery import numbers
from logquery.errors import QueryFailure
from logquery.jsontext import write_json
from logquery.numbers import OutOfBoundsError
from logquery.patterns import parse_pattern
from logquery.times import Time, nanoseconds_of, seconds_of, show_time, time_at
from logquery.values import MISSING, are_equal, is_absent

ARITHMETIC = {
    "+": numbers.add,
    "-": numbers.subtract,
    "*": numbers.multiply,
    "/": numbers.divide,
    "%": numbers.remainder,
}


def later(time, seconds):
    return time_at(time.nanoseconds + nanoseconds_of(seconds))


TIME_ARITHMETIC = {
    (Time, "+", Decimal): later,
    (Decimal, "+", Time): lambda seconds, time: later(time, seconds),
    (Time, "-", Decimal): lambda time, seconds: later(time, -seconds),
    (Time, "-", Time): lambda left, right: seconds_of(left.nanoseconds - right.nanoseconds),
}
ORDER = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
ORDERED_TYPES = (Decimal, Time, str, bool)
SCALARS = (str, Decimal, Time, bool)


def absent_of(left, right):
    """What an operator makes of operands of which one is missing or null."""
    return MISSING if left is MISSING or right is MISSING else None


def arithmetic(symbol, position):
    calculate = ARITHMETIC[symbol]

    def run(left, right):
        try:
            if type(left) is Decimal and type(right) is Decimal:
                return calculate(left, right)
            if is_absent(left) or is_absent(right):
                return absent_of(left, right)
            calculate_with_times = TIME_ARITHMETIC.get((type(left), symbol, type(right)))
            if calculate_with_times is None:
                raise QueryFailure("type", position)
            return calculate_with_times(left, right)
        except OutOfBoundsError as error:
            raise QueryFailure("range", position) from error

    return run


def text_of(value):
    """A string as it is, a time like a string of it, and any other value as JSON."""
    if isinstance(value, Time):
        return show_time(value)
    return value if isinstance(value, str) else write_json(value)


def join(symbol, position):
    def run(left, right):
        if is_absent(left) or is_absent(right):
            return absent_of(left, right)
        if type(left) not in SCALARS or type(right) not in SCALARS:
            raise QueryFailure("type", position)
        return text_of(left) + text_of(right)

    return run


def equality(symbol, position):
    wanted = symbol == "="

    def run(left, right):
        if is_absent(left) or is_absent(right):
            return None
        return are_equal(left, right) is wanted

    return run


def order(symbol, position):
    compare = ORDER[symbol]

    def run(left, right):
        if is_absent(left) or is_absent(right):
            return None
        if type(left) is not type(right) or type(left) not in ORDERED_TYPES:
            raise QueryFailure("type", position)
        return compare(left, right)

    return run


parsed_pattern = lru_cache(maxsize=100)(parse_pattern)


def like(symbol, position):
    def run(left, right):
        if is_absent(left) or is_absent(right):
            return absent_of(left, right)
        if type(left) is not str or type(right) is not str:
            raise QueryFailure("type", position)
        return parsed_pattern(right).matches(left)

    return run


# For each operator what makes, of the operator and its position, a function of two values.
BINARY = {
    **dict.fromkeys(ARITHMETIC, arithmetic),
    **dict.fromkeys(ORDER, order),
    **dict.fromkeys(("=", "!="), equality),
    "++": join,
    "like": like,
}
