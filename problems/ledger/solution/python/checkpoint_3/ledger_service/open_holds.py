"""The open holds of an account."""

from bisect import bisect_left, bisect_right, insort
from heapq import heappop, heappush


class OpenHolds:
    """Holds by their ids. Those that have expired leave when someone looks."""

    def __init__(self):
        self.ids = []
        self.holds = {}
        self.expiring = []

    def put(self, hold):
        if hold.id not in self.holds:
            insort(self.ids, hold.id)
            self.holds[hold.id] = hold
            heappush(self.expiring, (hold.expires, hold.id))

    def drop(self, id):
        if self.holds.pop(id, None):
            del self.ids[bisect_left(self.ids, id)]

    def page(self, now, after, limit):
        """Return the first holds of greater ids, and whether more follow."""
        while self.expiring and self.expiring[0][0] <= now:
            self.drop(heappop(self.expiring)[1])
        start = bisect_right(self.ids, after)
        shown = [self.holds[id] for id in self.ids[start : start + limit]]
        return shown, start + limit < len(self.ids)
