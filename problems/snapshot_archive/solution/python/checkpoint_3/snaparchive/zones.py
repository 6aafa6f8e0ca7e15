"""Time zones: which offset from UTC was in force when."""

from datetime import timedelta

# The calendar repeats itself after 400 years, days of the week included. All times are calculated with that
# much earlier, so that none is beyond what a datetime can hold.
ERA = timedelta(days=146097)


class Zone:
    """Offsets, each but the first with the instant from which on it is in force."""

    def __init__(self, first, transitions):
        self.first = first
        self.transitions = [(self.era(start), offset) for start, offset in transitions]

    def era(self, instant):
        """Return an instant as all others are given here, 400 years earlier."""
        return instant - ERA

    def local(self, instant):
        """Return what a clock in the zone shows, 400 years earlier."""
        return self.shown(self.era(instant))

    def shown(self, instant):
        offset = self.first
        for start, next_offset in self.transitions:
            if instant < start:
                break
            offset = next_offset
        return instant + offset

    def instant(self, local):
        """Return the first instant at which the clock shows a time, or would if it had not been put forward."""
        offsets = [self.first, *(offset for _, offset in self.transitions)]
        for candidate in sorted(local - offset for offset in offsets):
            if self.shown(candidate) == local:
                return candidate
        return self.skipped(local)

    def skipped(self, local):
        """Return the instant of a time that no clock showed, by the offset before the gap."""
        before = self.first
        for start, offset in self.transitions:
            if start + before <= local < start + offset:
                break
            before = offset
        return local - before
