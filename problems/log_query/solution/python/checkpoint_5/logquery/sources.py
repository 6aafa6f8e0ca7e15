"""Where the rows of a query come from."""

import heapq
from decimal import Decimal

from logquery.carrying import Remembered, carried_out
from logquery.errors import Failure, QueryFailure
from logquery.files import expand_pattern, read_rows
from logquery.ordering import Ordering, parse_criterion
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


class _InOrder:
    """A stage that gives rows with their keys, and refuses those that are not in order."""

    def __init__(self, ordering, position):
        self.ordering = ordering
        self.position = position

    def apply(self, rows):
        last = None
        for row in rows:
            key = self.ordering.key(row)
            if last is not None and key < last:
                raise QueryFailure("order", self.position)
            last = key
            yield key, row


class MergeSource:
    """The rows of sources that are in order, together in order."""

    def __init__(self, position, sources, criteria):
        self.position = position
        self.sources = sources
        self.criteria = criteria

    def bind(self):
        for source in self.sources:
            source.bind()
        self.ordering = Ordering(self.criteria)

    def rows(self):
        stage = _InOrder(self.ordering, self.position)
        streams = [Remembered(carried_out(stage, source.rows())) for source in self.sources]
        try:
            yield from (row for _, row in heapq.merge(*streams, key=lambda pair: pair[0]))
        except Failure:
            for stream in streams:
                stream.finish()
            raise


def _parse_range(tokens):
    tokens.expect("(")
    first = bound(tokens)
    tokens.expect(",")
    last = bound(tokens)
    tokens.expect(")")
    return RangeSource(first, last)


def _parse_merge(tokens, position):
    tokens.expect("(")
    sources = tokens.separated(parse_source)
    tokens.expect("by")
    criteria = tokens.separated(parse_criterion)
    tokens.expect(")")
    return MergeSource(position, sources, criteria)


def parse_source(tokens):
    """A source; a pipeline in parentheses is one as it is."""
    if tokens.take("range"):
        return _parse_range(tokens)
    if tokens.at("merge") and tokens.is_next("("):
        return _parse_merge(tokens, tokens.next().position)
    if tokens.take("("):
        pipeline = tokens.parse_pipeline(tokens)
        tokens.expect(")")
        return pipeline
    if tokens.at_name():
        return ViewSource(tokens.name(), tokens.views)
    token, path = path_token(tokens)
    return FileSource(token, path, parse_target(tokens) if tokens.take("as") else None)
