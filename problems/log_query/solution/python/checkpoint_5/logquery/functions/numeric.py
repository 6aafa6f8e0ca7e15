"""Functions of numbers."""

from decimal import Decimal

from logquery import numbers
from logquery.functions.base import NUMBER, function, variadic, whole
from logquery.numbers import MAX_DIGITS, OutOfBoundsError


def round_number(number, digits=Decimal(0)):
    places = whole(digits)
    if abs(places) > MAX_DIGITS:
        raise OutOfBoundsError
    return numbers.round_to(number, places)


NUMERIC = {
    "abs": function(abs, NUMBER),
    "floor": function(numbers.floor, NUMBER),
    "ceil": function(numbers.ceiling, NUMBER),
    "round": function(round_number, NUMBER, NUMBER, optional=1),
    "least": variadic(lambda *values: min(values), NUMBER),
    "greatest": variadic(lambda *values: max(values), NUMBER),
}
