"""What stands in a tree, one entry for each name."""

import re
from collections import namedtuple

from snaparchive import names

MODE = re.compile(r"[0-7]{4}")


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


class HardLink(Entry, namedtuple("HardLink", ["path", "target", "file"], defaults=[None])):
    """One more name of the file that the entry at `target` describes; `file` is this entry, once it is known."""

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


def files(entries):
    """Yield the entries of type `file`."""
    return (entry for entry in entries if isinstance(entry, File))


def as_file(entry):
    """Return what an entry is if each name of a file is a file of its own."""
    if isinstance(entry, HardLink):
        return entry.file._replace(path=entry.path)
    return entry


def linked(entries, targets):
    """Yield entries, hard links with the files at their targets; ValueError where there is no such file before.

    `targets` are the hashes of all targets: few files have other names, and no more are to be remembered.
    """
    first_names = {}
    for entry in entries:
        if isinstance(entry, File) and hash(entry.path) in targets:
            first_names[entry.path] = entry
        elif isinstance(entry, HardLink):
            if entry.target not in first_names:
                raise ValueError(f"{entry.path!r} is one more name of nothing")
            entry = entry._replace(file=first_names[entry.target])
        yield entry


def by_path(entries):
    return sorted(entries, key=lambda entry: entry.path)
