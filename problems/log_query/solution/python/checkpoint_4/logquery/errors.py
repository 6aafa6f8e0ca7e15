"""What makes a query fail."""

from typing import NamedTuple


class Position(NamedTuple):
    """A place in the script: line and column from 1."""

    line: int
    column: int


class Failure(Exception):
    """A query that cannot be answered; its text follows the word `error` in the answer."""


class QueryFailure(Failure):
    """A failure at a place in the script."""

    def __init__(self, code, position):
        super().__init__(f"{code} {position.line}:{position.column}")
        self.code = code
        self.position = position

    def __reduce__(self):
        return QueryFailure, (self.code, self.position)


class DataFailure(Failure):
    """A malformed line of a file."""

    def __init__(self, path, line):
        super().__init__(f"data {path}:{line}")


class MalformedError(Exception):
    """A text that is not in the format that its file's name promises."""
