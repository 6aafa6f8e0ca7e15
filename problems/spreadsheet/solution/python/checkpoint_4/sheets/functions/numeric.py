"""Functions of single numbers."""

from sheets import numbers
from sheets.functions.base import Kind, function
from sheets.values import Error, settled

MAX_PLACES = 100


def absolute(number):
    return number.copy_abs()


def integer_part(number):
    return settled(numbers.floor(number))


def round_to(number, places):
    if not numbers.is_integer(places) or abs(places) > MAX_PLACES:
        return Error.NUM
    return settled(numbers.round_half_up(number, int(places)))


def modulo(number, divisor):
    if not divisor:
        return Error.DIV
    return settled(numbers.remainder(number, divisor))


def square_root(number):
    return Error.NUM if number < 0 else settled(numbers.CONTEXT.sqrt(number))


FUNCTIONS = {
    "ABS": function(absolute, Kind.NUMBER),
    "INT": function(integer_part, Kind.NUMBER),
    "ROUND": function(round_to, Kind.NUMBER, Kind.NUMBER),
    "MOD": function(modulo, Kind.NUMBER, Kind.NUMBER),
    "SQRT": function(square_root, Kind.NUMBER),
}
