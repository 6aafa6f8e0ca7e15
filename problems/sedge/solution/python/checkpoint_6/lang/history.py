"""States of a program that is being debugged, kept so that to go back takes no longer than it went."""

from bisect import bisect_right

from lang.copying import Copier, TooLarge

MOST_SNAPSHOTS = 60
# All of them together, and one alone.
MOST_OBJECTS = 600_000
MOST_OBJECTS_OF_ONE = 200_000
LEAST_STOPS_BETWEEN = 100


class Snapshot:
    """A copy of the state at a stop."""

    def __init__(self, stop, state):
        copier = Copier(MOST_OBJECTS_OF_ONE)
        self.stop = stop
        self.state = copier.copied(state)
        self.size = len(copier.copies)

    def restored(self):
        """A state of its own to go on with."""
        return Copier(self.size).copied(self.state)


class History:
    """Snapshots, in the order of their stops: the nearer to where the program stands, the denser.

    `due` is the number of the stop at which the next one is to be taken.
    """

    def __init__(self):
        self.snapshots = []
        self.due = LEAST_STOPS_BETWEEN

    def latest(self, stop):
        """The last snapshot that is not after a stop, or None."""
        index = bisect_right(self.snapshots, stop, key=stop_of)
        return self.snapshots[index - 1] if index else None

    def keep(self, stop, state, target):
        """Takes a snapshot. The target is the stop that the program is on its way to, if it is known."""
        try:
            snapshot = Snapshot(stop, state)
        except TooLarge:
            self.due = stop + MOST_OBJECTS_OF_ONE
            return
        index = bisect_right(self.snapshots, stop, key=stop_of)
        if not index or self.snapshots[index - 1].stop < stop:
            self.snapshots.insert(index, snapshot)
            self.thin_out(stop)
        self.plan(stop, target, snapshot.size)

    def plan(self, stop, target, size):
        """Says when the next one is due: none costs more than the stops before it, or is far from the target."""
        self.due = stop + max(LEAST_STOPS_BETWEEN, size, (target - stop) // 2)

    def thin_out(self, stop):
        """Drops those that lie densest for their distance."""
        while len(self.snapshots) > MOST_SNAPSHOTS or self.objects() > MOST_OBJECTS:
            places = [0, *map(stop_of, self.snapshots), max(stop, self.snapshots[-1].stop)]
            shares = [
                (after - before) / (abs(stop - place) + 1)
                for before, place, after in zip(places, places[1:], places[2:])
            ]
            del self.snapshots[shares.index(min(shares))]

    def objects(self):
        return sum(snapshot.size for snapshot in self.snapshots)


def stop_of(snapshot):
    return snapshot.stop
