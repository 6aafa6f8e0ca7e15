"""Where the rows of a query come from."""

from decimal import Decimal

from logquery.errors import QueryFailure
from logquery.files import read_rows
from logquery.phrases import bound, path_token


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
        self.numbers = range(first, last + 1)

    def rows(self):
        return ({"n": Decimal(number)} for number in self.numbers)


def parse_source(tokens):
    if tokens.take("range"):
        tokens.expect("(")
        first = bound(tokens)
        tokens.expect(",")
        last = bound(tokens)
        tokens.expect(")")
        return RangeSource(first, last)
    return FileSource(*path_token(tokens))
