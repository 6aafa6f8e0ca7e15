"""Stages one after the other, although rows flow through all of them at once."""

from logquery.errors import Failure


def drain(rows):
    """Carries out what is left of a stream, for the failure that may be in it."""
    for _ in rows:
        pass


def carried_out(stage, rows):
    """The rows that a stage makes. If it fails, or needs no more rows, what comes before it is carried out to its end
    nevertheless: its failures come first."""
    rows = iter(rows)
    try:
        yield from stage.apply(rows)
    except Failure:
        drain(rows)
        raise
    drain(rows)


class Remembered:
    """A stream that keeps the failure that has ended it."""

    def __init__(self, rows):
        self.rows = rows
        self.failure = None

    def __iter__(self):
        try:
            yield from self.rows
        except Failure as failure:
            self.failure = failure
            raise

    def finish(self):
        """Carries out what is left; raises the failure in the stream, if there is any."""
        if self.failure is not None:
            raise self.failure
        drain(self.rows)
