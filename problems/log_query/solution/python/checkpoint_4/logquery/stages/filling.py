"""The stage that adds the rows that a series lacks."""

from decimal import Decimal

from logquery.errors import QueryFailure
from logquery.numbers import OutOfBoundsError, add, is_whole
from logquery.operators import later
from logquery.phrases import number_of
from logquery.stages.shaping import set_column
from logquery.times import NANOSECONDS, Time
from logquery.values import MISSING, is_absent, sort_key

MOST_NEW_ROWS = 100_000
# For each type of series what adds a step to a value.
STEPS = {Decimal: add, Time: later}


class Series:
    """Rows with the same keys: those with a value, all of one type, and those without."""

    def __init__(self, keys):
        self.keys = keys
        self.absent = []
        self.members = []

    def takes(self, value):
        """Whether a value is of the type that the values have."""
        return type(value) is type(self.members[0][0]) if self.members else type(value) in STEPS

    def missing_row(self, column, value):
        row = dict(self.keys)
        set_column(row, column, value)
        return row


class Fill:
    """Makes a column take all values in steps from the least to the greatest one."""

    def __init__(self, tokens):
        self.position = tokens.current.position
        self.column = tokens.name().text
        self.step_position = tokens.expect("every").position
        self.step = number_of(tokens)
        self.keys = [token.text for token in tokens.separated(lambda stream: stream.name())] if tokens.take("by") else []

    def bind(self):
        pass

    def apply(self, rows):
        for series in self._series(rows):
            yield from series.absent
            if series.members:
                series.members.sort(key=lambda member: member[0])
                yield from self._filled(series)

    def _series(self, rows):
        found = {}
        for row in rows:
            keys = {name: row[name] for name in self.keys if name in row}
            identity = tuple([sort_key(row.get(name, MISSING)) for name in self.keys])
            series = found.setdefault(identity, Series(keys))
            value = row.get(self.column)
            if is_absent(value):
                series.absent.append(row)
            elif series.takes(value):
                series.members.append((value, row))
            else:
                raise QueryFailure("type", self.position)
        return found.values()

    def _filled(self, series):
        expected = series.members[0][0]
        self._check_step(type(expected))
        room = MOST_NEW_ROWS
        for value, row in series.members:
            while expected is not None and expected < value:
                yield series.missing_row(self.column, expected)
                expected = self._after(expected)
                room -= 1
                if room < 0:
                    raise QueryFailure("range", self.step_position)
            yield row
            if value == expected:
                expected = self._after(expected)

    def _check_step(self, kind):
        is_whole_enough = kind is Decimal or is_whole(self.step * NANOSECONDS)
        if not self.step or not is_whole_enough:
            raise QueryFailure("range", self.step_position)

    def _after(self, value):
        """The value a step later, or None if there is no such value."""
        try:
            return STEPS[type(value)](value, self.step)
        except OutOfBoundsError:
            return None
