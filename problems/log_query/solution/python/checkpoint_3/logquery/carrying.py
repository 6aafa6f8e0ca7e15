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
