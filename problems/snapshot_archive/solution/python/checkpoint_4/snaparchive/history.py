"""What became of one path from snapshot to snapshot."""

from snaparchive import changes, snapshots
from snaparchive.errors import Failure
from snaparchive.sides import SavedSide


def history(store, snapshot, path, threshold):
    """Yield the changes of a path, the last one first, each with its snapshot."""
    known = snapshots.load_all(store)
    side = SavedSide(store, snapshot.entries)
    if path not in side.entries:
        raise Failure("no_path")
    while path is not None:
        base = snapshots.base_of(snapshot, known)
        before = SavedSide(store, base.entries if base else [])
        change = change_of(path, before, side, threshold)
        if change:
            yield {"snapshot": snapshot.id, **change.to_json()}
            path = path_before(change)
        snapshot, side = base, before


def change_of(path, before, after, threshold):
    if before.entries.get(path) == after.entries[path]:
        return None
    return next(change for change in changes.find(before, after, threshold) if change.path == path)


def path_before(change):
    """Return the path in the snapshot before, or None if there was none."""
    if isinstance(change, changes.Renamed):
        return change.source
    return None if isinstance(change, changes.Added) else change.path
