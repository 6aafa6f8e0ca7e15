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
    """Yield the changes in the order of paths; no renames without a threshold."""
    renames = [] if threshold is None else renames_between(old, new, threshold)
    moved_from = {rename.source.path for rename in renames}
    moved_to = {rename.target.path: rename for rename in renames}
    for before, after in merged(old.entries(), new.entries()):
        if after is None:
            if before.path not in moved_from:
                yield Removed(before.path, before.type)
        elif before:
            yield from changed(before, after)
        elif after.path in moved_to:
            yield as_change(moved_to[after.path])
        else:
            yield Added(after.path, after.type)


def renames_between(old, new, threshold):
    removed, added = [], []
    for before, after in merged(old.entries(), new.entries()):
        if after is None:
            removed.append(before)
        elif before is None:
            added.append(after)
    return find_renames(old, new, removed, added, threshold)


def merged(old, new):
    """Yield what is at each path in one or both of two trees, in order; None where there is nothing."""
    before, after = next(old, None), next(new, None)
    while before or after:
        if after is None or before and before.path < after.path:
            yield before, None
            before = next(old, None)
        elif before is None or after.path < before.path:
            yield None, after
            after = next(new, None)
        else:
            yield before, after
            before, after = next(old, None), next(new, None)


def changed(before, after):
    """Yield the change of what stays at its path, if it is one."""
    what = compare(before, after)
    if what:
        yield Changed(after.path, after.type, what)


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
