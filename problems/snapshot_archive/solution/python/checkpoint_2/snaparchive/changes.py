"""What is different between two trees."""

from collections import namedtuple

from snaparchive import entries, names
from snaparchive.renames import find_renames


class Change:
    __slots__ = ()

    def to_json(self):
        return {"change": self.kind, "path": names.to_text(self.path), "type": self.type}


class Added(Change, namedtuple("Added", ["path", "type"])):
    __slots__ = ()
    kind = "added"


class Removed(Change, namedtuple("Removed", ["path", "type"])):
    __slots__ = ()
    kind = "removed"


class Changed(Change, namedtuple("Changed", ["path", "type", "what"])):
    __slots__ = ()
    kind = "changed"

    def to_json(self):
        return {**super().to_json(), "what": self.what}


class Renamed(Change, namedtuple("Renamed", ["path", "type", "source", "similarity", "what"])):
    __slots__ = ()
    kind = "renamed"

    def to_json(self):
        rest = {"from": names.to_text(self.source), "similarity": self.similarity, "what": self.what}
        return {**super().to_json(), **rest}


def find(old, new, threshold):
    """Return the changes in the order of paths; no renames without a threshold."""
    removed = only_in(old, new)
    added = only_in(new, old)
    renames = [] if threshold is None else find_renames(old, new, removed, added, threshold)
    moved_from = [rename.source for rename in renames]
    moved_to = [rename.target for rename in renames]
    found = changed_in_place(old, new)
    found += [Removed(entry.path, entry.type) for entry in without(removed, moved_from)]
    found += [Added(entry.path, entry.type) for entry in without(added, moved_to)]
    found += map(as_change, renames)
    return sorted(found, key=lambda change: change.path)


def only_in(side, other):
    return [entry for path, entry in side.entries.items() if path not in other.entries]


def without(listed, left_out):
    paths = {entry.path for entry in left_out}
    return [entry for entry in listed if entry.path not in paths]


def changed_in_place(old, new):
    found = []
    for path, entry in new.entries.items():
        what = compare(old.entries.get(path, entry), entry)
        if what:
            found.append(Changed(path, entry.type, what))
    return found


def as_change(rename):
    source, target = rename.source, rename.target
    return Renamed(target.path, target.type, source.path, rename.percent, compare(source, target))


def compare(old, new):
    """Say what is different between two entries, wherever they stand."""
    if old.type != new.type:
        return ["type"]
    match new:
        case entries.File():
            pairs = [("content", old.sha256 != new.sha256), ("mode", old.mode != new.mode)]
        case entries.Folder():
            pairs = [("mode", old.mode != new.mode)]
        case entries.Link():
            pairs = [("target", old.target != new.target)]
    return [name for name, differs in pairs if differs]
