"""The functions that every program has."""

import re
from fractions import Fraction

from lang import numbers
from lang.errors import Failure
from lang.numbers import normal
from lang.sizes import check_size
from lang.values import Builtin, display, is_number, kind, shown

NUMERAL = re.compile(r"-?[0-9]+(?:\.[0-9]+|/[0-9]+)?")
MOST_PLACES = 1000


def expect(holds, code="type"):
    if not holds:
        raise Failure(code)


def read_number(text):
    expect(type(text) is str)
    if not NUMERAL.fullmatch(text):
        return None
    try:
        return normal(Fraction(text))
    except ZeroDivisionError:
        return None


def length(value):
    expect(type(value) in (str, list))
    return len(value)


def push(items, value):
    expect(type(items) is list)
    check_size(len(items) + 1)
    items.append(value)


def pop(items):
    expect(type(items) is list)
    expect(items, "index")
    return items.pop()


def decimal(value, places):
    expect(is_number(value) and is_number(places))
    expect(type(places) is int and 0 <= places <= MOST_PLACES, "index")
    return numbers.decimal(value, places)


def cut(value, start, end):
    expect(type(value) in (str, list) and is_number(start) and is_number(end))
    expect(type(start) is int and type(end) is int, "index")
    expect(0 <= start <= end <= len(value), "index")
    return value[start:end]


def builtins(write):
    """All of them by name; `write` takes what is printed."""

    def write_line(*values):
        write(" ".join(map(display, values)) + "\n")

    found = (
        Builtin("print", 0, None, write_line),
        Builtin("text", 1, 1, display),
        Builtin("quote", 1, 1, shown),
        Builtin("number", 1, 1, read_number),
        Builtin("len", 1, 1, length),
        Builtin("push", 2, 2, push),
        Builtin("pop", 1, 1, pop),
        Builtin("type", 1, 1, kind),
        Builtin("decimal", 2, 2, decimal),
        Builtin("cut", 3, 3, cut),
    )
    return {builtin.name: builtin for builtin in found}
