"""Rules of a policy: each chooses some snapshots of a list that is in order."""

from collections import namedtuple
from datetime import timedelta


CHOICES = {"first": 0, "last": -1}


class Last(namedtuple("Last", ["number"])):
    __slots__ = ()

    def choose(self, snapshots, now, zone):
        return snapshots[-self.number :]


class Within(namedtuple("Within", ["duration"])):
    __slots__ = ()

    def choose(self, snapshots, now, zone):
        limit = self.duration.before(now, zone)
        return [snapshot for snapshot in snapshots if zone.era(snapshot.at) >= limit]


class Every(namedtuple("Every", ["period", "limit", "chosen"])):
    """One snapshot of each period, of so many periods or of all (None)."""

    __slots__ = ()

    def choose(self, snapshots, now, zone):
        periods = {}
        for place, snapshot in enumerate(snapshots):
            periods.setdefault(self.period(zone.local(snapshot.at)), []).append(place)
        newest_first = sorted(periods.values(), key=lambda places: places[-1], reverse=True)
        return [snapshots[places[self.chosen]] for places in newest_first[: self.limit]]


def period(unit, step, first_weekday):
    """Return a function that tells of a local time in which period it is."""
    match unit:
        case "hour":
            return lambda local: (local.date(), local.hour // step)
        case "day":
            return lambda local: local.date()
        case "week":
            return lambda local: local.date() - timedelta(days=(local.weekday() - first_weekday) % 7)
        case "month":
            return lambda local: (local.year, local.month)
        case "quarter":
            return lambda local: (local.year, (local.month - 1) // 3)
        case "year":
            return lambda local: local.year
    raise ValueError(f"{unit!r} is no period")
