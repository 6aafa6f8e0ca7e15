"""Functions of strings."""

from decimal import Decimal

from logquery.functions.base import STRING, NUMBER, ANY, WrongTypeError, function, whole
from logquery.numbers import NUMBER as NUMBER_PATTERN
from logquery.numbers import OutOfBoundsError, parse_number
from logquery.operators import text_of


def substring(text, start, count=None):
    first = whole(start)
    if first < 0:
        first = max(0, len(text) + first)
    if count is None:
        return text[first:]
    length = whole(count)
    if length < 0:
        raise OutOfBoundsError
    return text[first : first + length]


def replace(text, old, new):
    return text.replace(old, new) if old else text


def split(text, separator):
    return text.split(separator) if separator else list(text)


def to_number(value):
    if type(value) is Decimal:
        return value
    if type(value) is not str:
        raise WrongTypeError
    if not NUMBER_PATTERN.fullmatch(value):
        return None
    try:
        return parse_number(value)
    except OutOfBoundsError:
        return None


TEXTS = {
    "lower": function(str.lower, STRING),
    "upper": function(str.upper, STRING),
    "trim": function(lambda text: text.strip(" "), STRING),
    "substr": function(substring, STRING, NUMBER, NUMBER, optional=1),
    "contains": function(lambda text, part: part in text, STRING, STRING),
    "starts_with": function(str.startswith, STRING, STRING),
    "ends_with": function(str.endswith, STRING, STRING),
    "replace": function(replace, STRING, STRING, STRING),
    "split": function(split, STRING, STRING),
    "number": function(to_number, ANY),
    "string": function(text_of, ANY),
}
