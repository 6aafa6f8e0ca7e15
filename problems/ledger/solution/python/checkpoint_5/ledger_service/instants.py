"""Points in time, as whole nanoseconds since the first day of the Gregorian calendar."""

import re
from datetime import date

SECOND = 10**9
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR

INSTANT = re.compile(
    r"(?P<year>[0-9]{4})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})"
    r"T(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2})(\.(?P<fraction>[0-9]{1,9}))?"
    r"(Z|(?P<sign>[+-])(?P<ahead_hours>[0-9]{2}):(?P<ahead_minutes>[0-9]{2}))"
)


def parse_instant(text):
    """Return the instant that a text denotes; a ValueError says that it is none."""
    match = INSTANT.fullmatch(text)
    if not match:
        raise ValueError("not written as an instant")
    part = {name: int(digits or 0) for name, digits in match.groupdict().items() if name not in ("sign", "fraction")}
    if not 1900 <= part["year"] <= 2999:
        raise ValueError("not a year of the ledger")
    if part["second"] > 59:
        raise ValueError("not a second of a minute")
    days = date(part["year"], part["month"], part["day"]).toordinal()
    local = time_of_day(part["hour"], part["minute"]) + part["second"] * SECOND
    ahead = time_of_day(part["ahead_hours"], part["ahead_minutes"])
    if match["sign"] == "-":
        ahead = -ahead
    return days * DAY + local - ahead + int((match["fraction"] or "").ljust(9, "0"))


def time_of_day(hour, minute):
    if hour > 23 or minute > 59:
        raise ValueError("not a time of day")
    return hour * HOUR + minute * MINUTE


def format_instant(instant):
    days, rest = divmod(instant, DAY)
    seconds, fraction = divmod(rest, SECOND)
    minutes, second = divmod(seconds, 60)
    hour, minute = divmod(minutes, 60)
    digits = f".{fraction:09}".rstrip("0").rstrip(".")
    return f"{date.fromordinal(days)}T{hour:02}:{minute:02}:{second:02}{digits}Z"
