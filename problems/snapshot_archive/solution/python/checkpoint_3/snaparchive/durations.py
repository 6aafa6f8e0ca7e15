"""Lengths of time, in parts of the calendar and of the clock."""

import calendar
import re
from collections import namedtuple
from datetime import datetime, timedelta, timezone

PART = "(?:([0-9]{1,6})%s)?"
WRITTEN = re.compile(
    "P" + "".join(PART % unit for unit in "YMWD") + "(?:T" + "".join(PART % unit for unit in "HMS") + ")?"
)
EARLIEST = datetime.min.replace(tzinfo=timezone.utc)


class Duration(namedtuple("Duration", ["months", "days", "exact"])):
    __slots__ = ()

    def before(self, instant, zone):
        """Return the instant, in the zone's era, that is so much earlier: by its calendar, then exactly."""
        try:
            local = months_earlier(zone.local(instant), self.months) - timedelta(days=self.days)
            return zone.instant(local) - self.exact
        except (OverflowError, ValueError):
            return EARLIEST


def parse(text):
    match = WRITTEN.fullmatch(text)
    if not match or text.endswith(("P", "T")):
        raise ValueError(f"{text!r} is not a duration")
    years, months, weeks, days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
    exact = timedelta(hours=hours, minutes=minutes, seconds=seconds)
    return Duration(12 * years + months, 7 * weeks + days, exact)


def months_earlier(local, months):
    """Go back so many months, to the last day of a month that is too short."""
    year, month = divmod(12 * local.year + local.month - 1 - months, 12)
    month += 1
    day = min(local.day, calendar.monthrange(year, month)[1])
    return local.replace(year=year, month=month, day=day)
