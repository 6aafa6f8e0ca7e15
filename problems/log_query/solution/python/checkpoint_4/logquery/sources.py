"""Where the rows of a query come from."""

from decimal import Decimal

from logquery.errors import QueryFailure
from logquery.files import expand_pattern, read_rows
from logquery.phrases import bound, path_token
from logquery.targets import parse_target


class FileSource:
    """The rows of one or more files. In each row, a place may tell the file that it is from."""

    def __init__(self, token, path, target):
        self.position = token.position
        self.path = path
        self.target = target

    def bind(self):
        pass

    def rows(self):
        try:
            for path in expand_pattern(self.path):
                yield from self._rows_of(path)
        except OSError as error:
            raise QueryFailure("file", self.position) from error

    def _rows_of(self, path):
        for row in read_rows(path):
            if self.target is not None:
                self.target.put(row, path)
            yield row


class RangeSource:
    """Rows with the numbers from one to another as `n`."""

    def __init__(self, first, last):
        self.numbers = range(first, last + 1)

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
    return FileSource(token, path, parse_target(tokens) if tokens.take("as") else None)
