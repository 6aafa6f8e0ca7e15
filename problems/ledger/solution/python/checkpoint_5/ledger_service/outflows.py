"""What leaves an account, by the instants at which it counts."""

from bisect import bisect_right
from collections import Counter

from ledger_service.timeline import Timeline

MOST = 512


class Claims:
    """What counts at some instants in a row, and only until it expires."""

    def __init__(self, start):
        self.start = start
        self.amounts = Counter()  # by the instant at which it counts, and that at which it expires
        self.by_expiry = Timeline()

    def is_full(self):
        return len(self.amounts) >= MOST

    def add(self, at, expires, change):
        self.amounts[at, expires] += change
        self.by_expiry.add(expires, change)

    def total(self, begin, now):
        """Return what counts after an instant and has not expired at another."""
        if begin < self.start:
            return self.by_expiry.total_after(now)
        return sum(amount for (at, expires), amount in self.amounts.items() if at > begin and expires > now)


class Outflows:
    """What has left for good, and in blocks what may still come back."""

    def __init__(self):
        self.lasting = Timeline()
        self.claims = [Claims(0)]
        self.starts = [0]

    def add(self, at, change):
        self.lasting.add(at, change)

    def add_until(self, expires, at, change):
        place = bisect_right(self.starts, at) - 1
        claims = self.claims[place]
        if claims is self.claims[-1] and claims.is_full() and claims.start < at:
            claims = Claims(at)
            self.claims.append(claims)
            self.starts.append(at)
        claims.add(at, expires, change)

    def total(self, begin, now):
        """Return what counts after an instant, of what may come back as much as has not at another."""
        return self.lasting.total_after(begin) + sum(claims.total(begin, now) for claims in self.claims)
