"""What became of one path from snapshot to snapshot."""

from snaparchive import changes, snapshots
from snaparchive.errors import Failure
from snaparchive.sides import SavedSide


def history(store, snapshot, path, threshold):
    """Yield the changes of a path, the last one first, each with its snapshot."""
    known = snapshots.load_all(store)
    entry = snapshot.find(path)
    if entry is None:
        raise Failure("no_path")
    while entry:
        base = snapshots.base_of(snapshot.at, snapshot.label, known)
        before, found = step_back(entry, base, snapshot, threshold)
        for change in found:
            yield {"snapshot": snapshot.id, **change.to_json()}
        entry, snapshot = before, base


def step_back(entry, base, snapshot, threshold):
    """Return what an entry was in the base, None if it was not there, and its changes since then, at most one."""
    before = base and base.find(entry.path)
    if before:
        return before, changes.changed(before, entry)
    renames = changes.renames_between(SavedSide(base), SavedSide(snapshot), threshold) if base else []
    for rename in renames:
        if rename.target.path == entry.path:
            return rename.source, [changes.as_change(rename)]
    return None, [changes.Added(entry.path, entry.type)]
