"""What a cell can hold: numbers (Decimal), text (str), booleans (bool), errors, and nothing (None)."""

import enum
from decimal import Decimal

from sheets import numbers


class Error(enum.Enum):
    """The error values, the most severe first."""

    CYCLE = "#CYCLE!"
    REF = "#REF!"
    NAME = "#NAME?"
    VALUE = "#VALUE!"
    DIV = "#DIV/0!"
    NUM = "#NUM!"
    NA = "#N/A"


SEVERITY = {error: rank for rank, error in enumerate(Error)}
ERRORS_BY_TEXT = {error.value: error for error in Error}
BOOLEANS = {"TRUE": True, "FALSE": False}


def severest(values):
    """The most severe error among values, or None."""
    errors = [value for value in values if isinstance(value, Error)]
    return min(errors, key=SEVERITY.__getitem__) if errors else None


def settled(number):
    """What an operation's exact or rounded result is as a value."""
    settled_number = numbers.settle(number)
    return Error.NUM if settled_number is None else settled_number


def number_from_text(text):
    """The number that a text with an optional sign writes, an error if it is too large, or None."""
    written = numbers.parse_signed(text)
    return None if written is None else settled(written)


def typed(text):
    """The boolean or number that a text writes, or the text."""
    if text.upper() in BOOLEANS and text.isascii():
        return BOOLEANS[text.upper()]
    number = number_from_text(text)
    return text if number is None else number


def parse_constant(text):
    """The value of a cell's content that is no formula."""
    if text.startswith("'"):
        return text[1:]
    return ERRORS_BY_TEXT[text] if text in ERRORS_BY_TEXT else typed(text)


def is_same(one, other):
    """Whether two values are the same in type and value."""
    return type(one) is type(other) and one == other


def quote(text):
    return '"' + text.replace('"', '""') + '"'


def show(value):
    """A value as answers and formulas show it."""
    return quote(value) if isinstance(value, str) else plain(value)


def plain(value):
    """A value without quotes, as `&` joins it; nothing is left of an empty one."""
    if value is None:
        return ""
    if isinstance(value, Error):
        return value.value
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return numbers.show(value) if isinstance(value, Decimal) else value


def to_number(value):
    """The number that an arithmetic operator takes a value for, or an error."""
    if value is None:
        return numbers.ZERO
    if isinstance(value, bool):
        return Decimal(value)
    if isinstance(value, str):
        number = number_from_text(value)
        return Error.VALUE if number is None else number
    return value


def to_text(value):
    return value if isinstance(value, Error) else plain(value)


def to_boolean(value):
    """What a condition takes a value for, or an error."""
    if isinstance(value, str):
        return Error.VALUE
    return value if isinstance(value, Error) else bool(value)
