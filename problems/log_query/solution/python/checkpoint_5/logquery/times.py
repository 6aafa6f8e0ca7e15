"""Instants to the nanosecond, and the calendar at a fixed offset from UTC."""

import re
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from logquery.numbers import OutOfBoundsError

NANOSECONDS = 1_000_000_000
FRACTION_DIGITS = 9
MINUTE = 60 * NANOSECONDS
HOUR = 60 * MINUTE
DAY = 24 * HOUR
EPOCH_DAY = date(1970, 1, 1).toordinal()
FIRST = (date.min.toordinal() - EPOCH_DAY) * DAY
LAST = (date.max.toordinal() - EPOCH_DAY + 1) * DAY - 1

OFFSET = r"(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
OFFSET_PATTERN = re.compile(OFFSET)
INSTANT = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([01][0-9]|2[0-3]):([0-5][0-9]):([0-5][0-9])"
    rf"(?:\.([0-9]{{1,{FRACTION_DIGITS}}}))?({OFFSET})"
)


class Time(NamedTuple):
    """An instant: nanoseconds since 1970 in UTC."""

    nanoseconds: int


def time_at(nanoseconds):
    """The instant, if it is in the years 1 to 9999 of UTC."""
    if not FIRST <= nanoseconds <= LAST:
        raise OutOfBoundsError
    return Time(nanoseconds)


def offset_of(text):
    """The nanoseconds by which local time is ahead of UTC."""
    if not OFFSET_PATTERN.fullmatch(text):
        raise OutOfBoundsError
    if text == "Z":
        return 0
    size = int(text[1:3]) * HOUR + int(text[4:6]) * MINUTE
    return -size if text[0] == "-" else size


def parse_time(text):
    """The instant that a text is, or None."""
    match = INSTANT.fullmatch(text)
    if match is None:
        return None
    year, month, day, hour, minute, second = map(int, match.groups()[:6])
    fraction = int((match.group(7) or "").ljust(FRACTION_DIGITS, "0"))
    try:
        days = date(year, month, day).toordinal() - EPOCH_DAY
        clock = hour * HOUR + minute * MINUTE + second * NANOSECONDS + fraction
        return time_at(days * DAY + clock - offset_of(match.group(8)))
    except (ValueError, OutOfBoundsError):
        return None


def nanoseconds_of(seconds):
    """A number of seconds as whole nanoseconds."""
    nanoseconds = seconds * NANOSECONDS
    if nanoseconds != nanoseconds.to_integral_value():
        raise OutOfBoundsError
    return int(nanoseconds)


def seconds_of(nanoseconds):
    return Decimal(nanoseconds).scaleb(-FRACTION_DIGITS)


class LocalTime:
    """What calendar and clock show at an offset from UTC."""

    def __init__(self, time, offset):
        self.offset = offset
        days, self.clock = divmod(time.nanoseconds + offset, DAY)
        try:
            self.date = date.fromordinal(days + EPOCH_DAY)
        except (ValueError, OverflowError) as error:
            raise OutOfBoundsError from error

    def at(self, day, clock=0):
        """The instant of a day, as its date, and a clock at the same offset."""
        return time_at((day.toordinal() - EPOCH_DAY) * DAY + clock - self.offset)

    def show(self):
        seconds, fraction = divmod(self.clock, NANOSECONDS)
        minutes, second = divmod(seconds, 60)
        text = f"{self.date.isoformat()}T{minutes // 60:02}:{minutes % 60:02}:{second:02}"
        return f"{text}.{fraction:09}".rstrip("0") if fraction else text


def show_time(time):
    return LocalTime(time, 0).show() + "Z"
