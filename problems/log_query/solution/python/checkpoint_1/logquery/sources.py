"""Where the rows of a query come from."""

from decimal import Decimal

from logquery.errors import QueryFailure
from logquery.expressions import number_literal
from logquery.files import read_rows
from logquery.numbers import is_whole
from logquery.phrases import path_token


class FileSource:
    def __init__(self, token, path):
        self.position = token.position
        self.path = path

    def rows(self):
        try:
            yield from read_rows(self.path)
        except OSError as error:
            raise QueryFailure("file", self.position) from error


class RangeSource:
    """Rows with the numbers from one to another as `n`."""

    def __init__(self, first, last):
        self.numbers = range(int(first), int(last) + 1)

    def rows(self):
        return ({"n": Decimal(number)} for number in self.numbers)


def bound(tokens):
    """A whole number, which may have a minus sign."""
    sign = -1 if tokens.take("-") else 1
    token = tokens.current
    number = number_literal(tokens) if token.kind == "number" else None
    if number is None or not is_whole(number):
        raise QueryFailure("syntax", token.position)
    return sign * number


def parse_source(tokens):
    if tokens.take("range"):
        tokens.expect("(")
        first = bound(tokens)
        tokens.expect(",")
        last = bound(tokens)
        tokens.expect(")")
        return RangeSource(first, last)
    return FileSource(*path_token(tokens))
