"""What is different between two trees."""

from dataclasses import dataclass

from snaparchive import entries, names
from snaparchive.renames import find_renames

DEFAULT_THRESHOLD = 60


@dataclass(frozen=True)
class Change:
    path: bytes
    type: str

    def to_json(self):
        return {"change": self.kind, "path": names.to_text(self.path), "type": self.type}


@dataclass(frozen=True)
class Added(Change):
    kind = "added"


@dataclass(frozen=True)
class Removed(Change):
    kind = "removed"


@dataclass(frozen=True)
class Changed(Change):
    what: list
    kind = "changed"

    def to_json(self):
        return {**super().to_json(), "what": self.what}


@dataclass(frozen=True)
class Renamed(Change):
    source: bytes
    similarity: int
    what: list
    kind = "renamed"

    def to_json(self):
        rest = {"from": names.to_text(self.source), "similarity": self.similarity, "what": self.what}
        return {**super().to_json(), **rest}


def find(old, new, threshold):
    """Return the changes in the order of paths; no renames without a threshold."""
    removed = [entry for path, entry in old.entries.items() if path not in new.entries]
    added = [entry for path, entry in new.entries.items() if path not in old.entries]
    renames = [] if threshold is None else find_renames(old, new, removed, added, threshold)
    sources = {rename.source.path for rename in renames}
    targets = {rename.target.path for rename in renames}
    found = changed_in_place(old, new)
    found += [Removed(entry.path, entry.type) for entry in removed if entry.path not in sources]
    found += [Added(entry.path, entry.type) for entry in added if entry.path not in targets]
    found += [as_change(rename) for rename in renames]
    return sorted(found, key=lambda change: change.path)


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
