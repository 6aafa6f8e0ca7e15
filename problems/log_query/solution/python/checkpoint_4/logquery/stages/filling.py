"""The stage that adds the rows that a series lacks."""

import itertools
from decimal import Decimal

from logquery.errors import QueryFailure
from logquery.numbers import OutOfBoundsError, add, is_whole
from logquery.operators import later
from logquery.phrases import number_of
from logquery.spilling import Sorter
from logquery.stages.shaping import set_column
from logquery.times import NANOSECONDS, Time
from logquery.values import MISSING, is_absent, key_of_all

MOST_NEW_ROWS = 100_000
# For each type of series what adds a step to a value.
STEPS = {Decimal: add, Time: later}


class Series:
    """Rows with the same keys: those with a value, all of one type, and those without."""

    def __init__(self, number, keys):
        self.number = number
        self.keys = keys
        self.absent = []
        self.members = []
        self.has_misfit = False

    def add(self, value, row):
        if is_absent(value):
            self.absent.append(row)
        elif self._takes(value):
            self.members.append((value, row))
        else:
            self.has_misfit = True

    def _takes(self, value):
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
        in_order = Sorter()
        has_misfit = False
        for series in self._series(rows):
            has_misfit = has_misfit or series.has_misfit
            for row in self._filled(series):
                in_order.add(series.number, row)
        if has_misfit:
            raise QueryFailure("type", self.position)
        for row in in_order:
            if isinstance(row, QueryFailure):
                raise row
            yield row

    def _series(self, rows):
        partitions = Sorter()
        for number, row in enumerate(rows):
            identity = key_of_all([row.get(name, MISSING) for name in self.keys])
            partitions.add(identity, (number, row))
        for group in partitions.groups():
            number, row = next(group)
            series = Series(number, {name: row[name] for name in self.keys if name in row})
            for _, row in itertools.chain([(number, row)], group):
                series.add(row.get(self.column), row)
            yield series

    def _filled(self, series):
        """The rows of a series with those that it lacked; the last may be a failure instead."""
        yield from series.absent
        series.members.sort(key=lambda member: member[0])
        if not series.members:
            return
        try:
            yield from self._with_steps(series)
        except QueryFailure as failure:
            yield failure

    def _with_steps(self, series):
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
