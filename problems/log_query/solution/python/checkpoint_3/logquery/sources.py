"""Where the rows of a query come from."""

from decimal import Decimal

from logquery.errors import QueryFailure
from logquery.expressions import number_literal
from logquery.files import expand_pattern, read_rows
from logquery.numbers import is_whole
from logquery.phrases import path_token


class FileSource:
    """The rows of one or more files. A column may tell the file that a row is from."""

    def __init__(self, token, path, column):
        self.position = token.position
        self.path = path
        self.column = column

    def bind(self):
        pass

    def rows(self):
        try:
            for path in expand_pattern(self.path):
                yield from self._rows_of(path)
        except OSError as error:
            raise QueryFailure("file", self.position) from error

    def _rows_of(self, path):
        if self.column is None:
            return read_rows(path)
        return ({**row, self.column: path} for row in read_rows(path))


class RangeSource:
    """Rows with the numbers from one to another as `n`."""

    def __init__(self, first, last):
        self.numbers = range(int(first), int(last) + 1)

    def bind(self):
        pass

    def rows(self):
        return ({"n": Decimal(number)} for number in self.numbers)


class ViewSource:
    """The rows of a pipeline that has a name."""

    def __init__(self, token, views):
        self.name = token.text
        self.position = token.position
        self.views = views

    def bind(self):
        self.pipeline = self.views.get(self.name)
        if self.pipeline is None:
            raise QueryFailure("view", self.position)

    def rows(self):
        return self.pipeline.rows()


def bound(tokens):
    """A whole number, which may have a minus sign."""
    sign = -1 if tokens.take("-") else 1
    token = tokens.current
    number = number_literal(tokens) if token.kind == "number" else None
    if number is None or not is_whole(number):
        raise QueryFailure("syntax", token.position)
    return sign * number


def _parse_range(tokens):
    tokens.expect("(")
    first = bound(tokens)
    tokens.expect(",")
    last = bound(tokens)
    tokens.expect(")")
    return RangeSource(first, last)


def parse_source(tokens):
    """A source; a pipeline in parentheses is one as it is."""
    if tokens.take("range"):
        return _parse_range(tokens)
    if tokens.take("("):
        pipeline = tokens.parse_pipeline(tokens)
        tokens.expect(")")
        return pipeline
    if tokens.at_name():
        return ViewSource(tokens.name(), tokens.views)
    token, path = path_token(tokens)
    return FileSource(token, path, tokens.name().text if tokens.take("as") else None)
