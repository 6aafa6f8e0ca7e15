"""Functions of times."""

from datetime import timedelta
from decimal import Decimal

from logquery.functions.base import NUMBER, STRING, function
from logquery.numbers import OutOfBoundsError, subtract
from logquery.times import (
    HOUR,
    MINUTE,
    NANOSECONDS,
    LocalTime,
    Time,
    nanoseconds_of,
    offset_of,
    parse_time,
    seconds_of,
    time_at,
)

MONTHS_OF_A_QUARTER = 3
TIME = (Time,)
UTC = "Z"


def to_time(value):
    if isinstance(value, str):
        return parse_time(value)
    return value if isinstance(value, Time) else time_at(nanoseconds_of(value))


def show_at(time, offset):
    return LocalTime(time, offset_of(offset)).show() + offset


def _first_of_quarter(local):
    month = local.date.month - (local.date.month - 1) % MONTHS_OF_A_QUARTER
    return local.at(local.date.replace(month=month, day=1))


def _down_to(size):
    """A function for the start of a span of the clock."""
    return lambda local: local.at(local.date, local.clock - local.clock % size)


BEGINNINGS = {
    "year": lambda local: local.at(local.date.replace(month=1, day=1)),
    "quarter": _first_of_quarter,
    "month": lambda local: local.at(local.date.replace(day=1)),
    "week": lambda local: local.at(local.date - timedelta(days=local.date.weekday())),
    "day": lambda local: local.at(local.date),
    "hour": _down_to(HOUR),
    "minute": _down_to(MINUTE),
    "second": _down_to(NANOSECONDS),
}

PARTS = {
    "year": lambda local: local.date.year,
    "quarter": lambda local: (local.date.month - 1) // MONTHS_OF_A_QUARTER + 1,
    "month": lambda local: local.date.month,
    "day": lambda local: local.date.day,
    "hour": lambda local: local.clock // HOUR,
    "minute": lambda local: local.clock % HOUR // MINUTE,
    "second": lambda local: seconds_of(local.clock % MINUTE),
    "weekday": lambda local: local.date.isoweekday(),
    "yearday": lambda local: local.date.timetuple().tm_yday,
    "week": lambda local: local.date.isocalendar().week,
    "weekyear": lambda local: local.date.isocalendar().year,
}


def _of_unit(table, time, unit, offset):
    if unit not in table:
        raise OutOfBoundsError
    return table[unit](LocalTime(time, offset_of(offset)))


def truncate(time, unit, offset=UTC):
    return _of_unit(BEGINNINGS, time, unit, offset)


def part(time, unit, offset=UTC):
    return Decimal(_of_unit(PARTS, time, unit, offset))


def bucket(value, width, offset=UTC):
    """The greatest multiple of the width that is not above the value."""
    ahead = offset_of(offset)
    if width <= 0:
        raise OutOfBoundsError
    if isinstance(value, Decimal):
        rest = value % width
        return subtract(value, rest + width if rest < 0 else rest)
    local = value.nanoseconds + ahead
    return time_at(local - local % nanoseconds_of(width) - ahead)


CALENDAR = {
    "time": function(to_time, (str, Decimal, Time)),
    "epoch": function(lambda time: seconds_of(time.nanoseconds), TIME),
    "format": function(show_at, TIME, STRING),
    "truncate": function(truncate, TIME, STRING, STRING, optional=1),
    "part": function(part, TIME, STRING, STRING, optional=1),
    "bucket": function(bucket, (Decimal, Time), NUMBER, STRING, optional=1),
}
