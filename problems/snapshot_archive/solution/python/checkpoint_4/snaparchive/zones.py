"""Time zones: which offset from UTC was in force when."""

from bisect import bisect_right
from datetime import timedelta

# The calendar repeats itself after 400 years, days of the week included. All times are calculated with that
# much earlier, so that none is beyond what a datetime can hold.
ERA = timedelta(days=146097)


class Zone:
    """Offsets, each but the first with the instant from which on it is in force."""

    def __init__(self, first, transitions):
        self.starts = [self.era(start) for start, _ in transitions]
        self.offsets = [first, *(offset for _, offset in transitions)]

    def era(self, instant):
        """Return an instant as all others are given here, 400 years earlier."""
        return instant - ERA

    def local(self, instant):
        """Return what a clock in the zone shows, 400 years earlier."""
        instant = self.era(instant)
        return instant + self.offsets[self.place(instant)]

    def place(self, instant):
        """Return which of the offsets is in force."""
        return bisect_right(self.starts, instant)

    def instant(self, local):
        """Return the first instant at which the clock shows a time, or would if it had not been put forward."""
        for place, offset in enumerate(self.offsets):
            if self.place(local - offset) == place:
                return local - offset
        return self.skipped(local)

    def skipped(self, local):
        """Return the instant of a time that no clock showed, by the offset before the gap."""
        for start, before, after in zip(self.starts, self.offsets, self.offsets[1:]):
            if start + before <= local < start + after:
                return local - before
        return local - self.offsets[-1]
