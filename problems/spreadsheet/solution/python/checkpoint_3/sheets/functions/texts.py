"""Functions of texts."""

from decimal import Decimal

from sheets.functions.base import Kind, function, repeating, whole
from sheets.numbers import ONE
from sheets.values import Error, plain


def length(text):
    return Decimal(len(text))


def left(text, count=ONE):
    size = whole(count, 0)
    return Error.VALUE if size is None else text[:size]


def right(text, count=ONE):
    size = whole(count, 0)
    return Error.VALUE if size is None else text[max(len(text) - size, 0) :]


def middle(text, start, count):
    first, size = whole(start, 1), whole(count, 0)
    if first is None or size is None:
        return Error.VALUE
    return text[first - 1 : first - 1 + size]


def find(sought, text, start=ONE):
    first = whole(start, 1)
    if first is None:
        return Error.VALUE
    place = text.find(sought, first - 1)
    return Error.NA if place < 0 else Decimal(place + 1)


def substitute(text, old, new):
    return text.replace(old, new) if old else text


def join(separator, *arguments):
    values = [value for argument in arguments for value in argument.values if value is not None]
    return separator.join(map(plain, values))


def exact(left_text, right_text):
    return left_text == right_text


FUNCTIONS = {
    "LEN": function(length, Kind.TEXT),
    "LEFT": function(left, Kind.TEXT, Kind.NUMBER, optional=1),
    "RIGHT": function(right, Kind.TEXT, Kind.NUMBER, optional=1),
    "MID": function(middle, Kind.TEXT, Kind.NUMBER, Kind.NUMBER),
    "UPPER": function(str.upper, Kind.TEXT),
    "LOWER": function(str.lower, Kind.TEXT),
    "FIND": function(find, Kind.TEXT, Kind.TEXT, Kind.NUMBER, optional=1),
    "SUBSTITUTE": function(substitute, Kind.TEXT, Kind.TEXT, Kind.TEXT),
    "EXACT": function(exact, Kind.TEXT, Kind.TEXT),
    "TEXTJOIN": repeating(join, Kind.TEXT, Kind.CELLS),
}
