"""Snapshots: a tree as it was at an instant."""

import hashlib
from collections import namedtuple

from snaparchive import instants, snapshottext
from snaparchive.contents import hashed
from snaparchive.entries import File, HardLink, as_file, linked
from snaparchive.errors import Failure
from snaparchive.store import snapshot_name


class Totals:
    """Counts of entries, the sum of the sizes of files, and what tells the targets of hard links."""

    def __init__(self):
        self.entries = self.files = self.size = 0
        self.targets = set()

    def of(self, entries):
        """Yield entries while they are counted."""
        for entry in entries:
            self.entries += 1
            if isinstance(entry, File):
                self.files += 1
                self.size += entry.size
            elif isinstance(entry, HardLink):
                self.targets.add(hash(entry.target))
            yield entry


class Snapshot(namedtuple("Snapshot", ["store", "name", "id", "at", "label", "totals"])):
    """What is known of a snapshot without its tree, which is read anew from the file `name` whenever it is needed."""

    __slots__ = ()

    def entries(self):
        """Yield the entries of the tree in order."""
        reader = snapshottext.Reader(self.store.read(self.name))
        return linked(reader.entries(), self.totals.targets)

    def find(self, path):
        """Return the entry at a path, for any name of a file this file, or None."""
        for entry in self.entries():
            if entry.path >= path:
                return as_file(entry) if entry.path == path else None
        return None

    def summary(self):
        return {
            "snapshot": self.id,
            "at": instants.to_text(self.at),
            "label": self.label,
            "files": self.totals.files,
            "bytes": self.totals.size,
        }


def load(store, snapshot_id):
    """Return a snapshot; Failure if its file is not what its ID says, or no snapshot."""
    name = snapshot_name(snapshot_id)
    try:
        return examine(store, name, snapshot_id)
    except ValueError:
        raise Failure("damaged", file=name) from None


def is_good(store, name, snapshot_id):
    """Whether a file, whatever its name, is the snapshot with an ID."""
    try:
        examine(store, name, snapshot_id)
    except ValueError:
        return False
    return True


def examine(store, name, snapshot_id):
    """Read a snapshot from a file; ValueError if it is not the one with this ID."""
    hasher, totals = hashlib.sha256(), Totals()
    reader = snapshottext.Reader(hashed(store.read(name), hasher))
    for _ in totals.of(reader.entries()):
        pass
    if hasher.hexdigest() != snapshot_id:
        raise ValueError("a snapshot is something else than its ID says")
    snapshot = Snapshot(store, name, snapshot_id, reader.at, reader.label, totals)
    if totals.targets:
        # That their files come before them only shows when it is known which files these are.
        for _ in snapshot.entries():
            pass
    return snapshot


def load_all(store):
    """Return all snapshots, from the earliest to the latest."""
    loaded = [load(store, snapshot_id) for snapshot_id in store.snapshot_ids()]
    return sorted(loaded, key=lambda snapshot: (snapshot.at, snapshot.id))


def base_of(at, label, all_snapshots):
    """Return the last snapshot with a label that is earlier than an instant, or None."""
    earlier = [snapshot for snapshot in all_snapshots if snapshot.label == label and snapshot.at < at]
    return earlier[-1] if earlier else None
