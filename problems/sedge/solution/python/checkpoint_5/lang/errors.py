"""What can go wrong with a program, before and while it runs."""

from collections import namedtuple


class Position(namedtuple("Position", ("line", "column"))):
    """A place in a source: both count from 1, columns in code points."""

    __slots__ = ()

    def __str__(self):
        return f"{self.line}:{self.column}"


class StaticError(Exception):
    """A fault that is found before anything runs."""

    def __init__(self, code, position):
        super().__init__(code)
        self.code = code
        self.position = position


class Failure(Exception):
    """A fault of the running program.

    The value is what `catch` gets. The report is made by the machine, which knows where it was.
    """

    def __init__(self, value):
        super().__init__(value)
        self.value = value
        self.report = None


class Failed(Failure):
    """What `fail` brings about."""
