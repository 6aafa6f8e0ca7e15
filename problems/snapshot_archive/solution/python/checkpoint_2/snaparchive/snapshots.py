"""Snapshots: a tree as it was at an instant."""

import hashlib
import json
import re
from collections import namedtuple
from functools import cached_property

from snaparchive import entries, instants, jsontext
from snaparchive.errors import Failure, WrongUsage
from snaparchive.labels import check_label
from snaparchive.store import snapshot_name

PREFIX = re.compile(r"[0-9a-f]{4,64}")


class Snapshot(namedtuple("Snapshot", ["at", "label", "entries"])):
    def to_bytes(self):
        document = {
            "at": instants.to_text(self.at),
            "label": self.label,
            "entries": [entry.to_json() for entry in self.entries],
        }
        return jsontext.canonical(document)

    @cached_property
    def id(self):
        return hashlib.sha256(self.to_bytes()).hexdigest()

    @property
    def files(self):
        return entries.files(self.entries)

    def summary(self):
        return {
            "snapshot": self.id,
            "at": instants.to_text(self.at),
            "label": self.label,
            "files": len(self.files),
            "bytes": sum(file.size for file in self.files),
        }

    def resolve(self, path):
        """Return the file that has this path as a name, or None."""
        by_path = {entry.path: entry for entry in self.entries}
        entry = by_path.get(path)
        if isinstance(entry, entries.HardLink):
            entry = by_path[entry.target]
        return entry if isinstance(entry, entries.File) else None


def from_bytes(data):
    """Return the snapshot that is written as these bytes; ValueError if none is."""
    try:
        snapshot = from_json(json.loads(data))
    except (TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ValueError("something else is where a snapshot should be") from error
    # There is one way of writing a snapshot: this tells other keys, keys that come twice, white space, …
    if snapshot.to_bytes() != data:
        raise ValueError("a snapshot is not written like this")
    return snapshot


def from_json(document):
    found = [entries.from_json(value) for value in document["entries"]]
    entries.check_tree(found)
    label = document["label"]
    return Snapshot(instants.parse(document["at"]), None if label is None else check_label(label), found)


def load(store, snapshot_id):
    """Return a snapshot; Failure if its file is not what its ID says, or no snapshot."""
    data = store.read_snapshot(snapshot_id)
    try:
        return from_bytes(data)
    except ValueError:
        raise Failure("damaged", file=snapshot_name(snapshot_id)) from None


def load_all(store):
    """Return all snapshots, from the earliest to the latest."""
    loaded = [(snapshot_id, load(store, snapshot_id)) for snapshot_id in store.snapshot_ids()]
    return [snapshot for _, snapshot in sorted(loaded, key=lambda pair: (pair[1].at, pair[0]))]


def base_of(snapshot, all_snapshots):
    """Return the last snapshot with the same label that is earlier, or None."""
    earlier = [other for other in all_snapshots if other.label == snapshot.label and other.at < snapshot.at]
    return earlier[-1] if earlier else None


def parse_selector(text):
    """Return a function that finds the snapshot meant by the text in a store."""
    if text == "latest":
        return lambda store: last_of(load_all(store), text)
    if text.startswith("@"):
        try:
            limit = instants.parse(text[1:])
        except ValueError:
            raise WrongUsage from None
        return lambda store: last_of([s for s in load_all(store) if s.at <= limit], text)
    if PREFIX.fullmatch(text):
        return lambda store: find_by_prefix(store, text)
    raise WrongUsage


def last_of(snapshots, text):
    if not snapshots:
        raise Failure("no_snapshot", snapshot=text)
    return snapshots[-1]


def find_by_prefix(store, prefix):
    found = [snapshot_id for snapshot_id in store.snapshot_ids() if snapshot_id.startswith(prefix)]
    if not found:
        raise Failure("no_snapshot", snapshot=prefix)
    if len(found) > 1:
        raise Failure("ambiguous", snapshot=prefix, count=len(found))
    return load(store, found[0])
