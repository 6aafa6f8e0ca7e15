"""Functions that take any number of references and values."""

from decimal import Decimal

from sheets import numbers
from sheets.functions.base import Kind, repeating
from sheets.values import Error, settled, severest, to_number


def is_number(value):
    return isinstance(value, Decimal)


def numbers_of(arguments):
    """All numbers that count, or an error."""
    found = []
    for argument in arguments:
        if argument.is_reference:
            found.extend(value for value in argument.values if is_number(value))
        else:
            found.extend(map(to_number, argument.values))
    return severest(found) or found


def over_numbers(combine):
    def apply(*arguments):
        found = numbers_of(arguments)
        return found if isinstance(found, Error) else combine(found)

    return repeating(apply, Kind.CELLS)


def total(found):
    return settled(numbers.exact_sum(found))


def average(found):
    if not found:
        return Error.DIV
    return settled(numbers.CONTEXT.divide(numbers.exact_sum(found), Decimal(len(found))))


def least(found):
    return min(found, default=numbers.ZERO)


def greatest(found):
    return max(found, default=numbers.ZERO)


def count(*arguments):
    return Decimal(sum(is_number(value) for argument in arguments for value in argument.values))


def count_all(*arguments):
    return Decimal(sum(value is not None for argument in arguments for value in argument.values))


FUNCTIONS = {
    "SUM": over_numbers(total),
    "AVERAGE": over_numbers(average),
    "MIN": over_numbers(least),
    "MAX": over_numbers(greatest),
    "COUNT": repeating(count, Kind.RAW_CELLS),
    "COUNTA": repeating(count_all, Kind.RAW_CELLS),
}
