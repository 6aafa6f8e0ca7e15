"""What stands in a tree, one entry for each name."""

import os
import re
from collections import namedtuple

from snaparchive import names

MODE = re.compile(r"[0-7]{4}")
SHA256 = re.compile(r"[0-9a-f]{64}")


class Entry:
    __slots__ = ()

    def to_json(self):
        return {"path": names.to_text(self.path), "type": self.type}


class Folder(Entry, namedtuple("Folder", ["path", "mode"])):
    __slots__ = ()
    type = "dir"

    def to_json(self):
        return {**super().to_json(), "mode": mode_text(self.mode)}


class File(Entry, namedtuple("File", ["path", "mode", "size", "sha256"])):
    __slots__ = ()
    type = "file"

    def to_json(self):
        return {**super().to_json(), "mode": mode_text(self.mode), "size": self.size, "sha256": self.sha256}


class Link(Entry, namedtuple("Link", ["path", "target"])):
    __slots__ = ()
    type = "link"

    def to_json(self):
        return {**super().to_json(), "target": names.to_text(self.target)}


class HardLink(Entry, namedtuple("HardLink", ["path", "target"])):
    """One more name of the file that the entry at `target` describes."""

    __slots__ = ()
    type = "hard"

    def to_json(self):
        return {**super().to_json(), "target": names.to_text(self.target)}


def mode_text(mode):
    return f"{mode:04o}"


def mode_from_text(text):
    if not MODE.fullmatch(text):
        raise ValueError(f"{text!r} is no mode")
    return int(text, 8)


def check_size(value):
    if type(value) is not int or value < 0:
        raise ValueError(f"{value!r} is no size")
    return value


def check_sha256(text):
    if not SHA256.fullmatch(text):
        raise ValueError(f"{text!r} is no SHA-256")
    return text


def from_json(value):
    """Return the entry that a value has the parts of, which are well formed. Further keys do not matter here."""
    path = names.path_from_text(value["path"])
    match value["type"]:
        case "dir":
            return Folder(path, mode_from_text(value["mode"]))
        case "file":
            size, sha256 = check_size(value["size"]), check_sha256(value["sha256"])
            return File(path, mode_from_text(value["mode"]), size, sha256)
        case "link":
            return Link(path, names.target_from_text(value["target"]))
        case "hard":
            return HardLink(path, names.path_from_text(value["target"]))
        case other:
            raise ValueError(f"{other!r} is no type")


def check_tree(entries):
    """ValueError unless entries are in order, each in a folder before it, and hard links after their files."""
    types = {b"": Folder.type}
    last = b""
    for entry in entries:
        if entry.path <= last:
            raise ValueError(f"{entry.path!r} comes too late")
        if types.get(os.path.dirname(entry.path)) != Folder.type:
            raise ValueError(f"{entry.path!r} is in no folder")
        if isinstance(entry, HardLink) and types.get(entry.target) != File.type:
            raise ValueError(f"{entry.path!r} is one more name of nothing")
        types[entry.path] = entry.type
        last = entry.path


def files(entries):
    return [entry for entry in entries if isinstance(entry, File)]


def by_path(entries):
    return sorted(entries, key=lambda entry: entry.path)
