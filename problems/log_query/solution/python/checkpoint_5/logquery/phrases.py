"""What several stages are written with."""

import json

from logquery.expressions import number_literal, parse_expression
from logquery.numbers import is_whole


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
