"""What several stages are written with."""

import json

from logquery.expressions import number_literal, parse_expression
from logquery.numbers import is_whole
from logquery.targets import parse_target


def path_token(tokens):
    """The token of a file's path, and the path."""
    token = tokens.of_kind("string")
    return token, json.loads(token.text)


def count(tokens):
    """A whole number that is not negative."""
    token = tokens.current
    if token.kind != "number":
        raise tokens.failure()
    number = number_literal(tokens)
    if not is_whole(number):
        tokens.index -= 1
        raise tokens.failure()
    return int(number)


def bound(tokens):
    """A whole number, which may have a minus sign."""
    sign = -1 if tokens.take("-") else 1
    return sign * count(tokens)


def number_of(tokens):
    """A number or a duration."""
    if tokens.current.kind not in ("number", "duration"):
        raise tokens.failure()
    return number_literal(tokens)


def parse_assignment(tokens):
    """`name = expression`: the name's token and the expression."""
    name = tokens.name()
    tokens.expect("=")
    return name, parse_expression(tokens)


def parse_setting(tokens):
    """`place = expression`: where a value is put, and the expression."""
    target = parse_target(tokens)
    tokens.expect("=")
    return target, parse_expression(tokens)
