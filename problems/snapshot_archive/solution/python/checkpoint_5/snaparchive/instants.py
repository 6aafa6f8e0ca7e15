"""Instants: text with an offset on the command line, UTC everywhere else."""

import re
from datetime import datetime, timedelta, timezone

OFFSET = re.compile(r"([+-])([01]\d|2[0-3]):([0-5]\d)", re.ASCII)
WRITTEN = re.compile(rf"(\d{{4}}-\d\d-\d\dT(?:[01]\d|2[0-3]):\d\d:\d\d)(?:Z|{OFFSET.pattern})", re.ASCII)
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def parse(text):
    """Return a datetime in UTC; ValueError if the text is no instant from 1970 to 9999."""
    match = WRITTEN.fullmatch(text)
    if not match:
        raise ValueError(f"{text!r} is not an instant")
    local, sign, hours, minutes = match.groups()
    offset = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
    naive = datetime.fromisoformat(local).replace(tzinfo=timezone.utc)
    try:
        instant = naive + offset if sign == "-" else naive - offset
    except OverflowError:
        raise ValueError(f"{text!r} is after the year 9999") from None
    if instant < EPOCH:
        raise ValueError(f"{text!r} is before the year 1970")
    return instant


def to_text(instant):
    return instant.strftime("%Y-%m-%dT%H:%M:%SZ")
