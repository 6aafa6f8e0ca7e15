"""What stands in a tree, one entry for each name."""

from collections import namedtuple

from snaparchive import names


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


def from_json(value):
    path = names.from_text(value["path"])
    match value["type"]:
        case "dir":
            return Folder(path, int(value["mode"], 8))
        case "file":
            return File(path, int(value["mode"], 8), value["size"], value["sha256"])
        case "link":
            return Link(path, names.from_text(value["target"]))
        case "hard":
            return HardLink(path, names.from_text(value["target"]))


def files(entries):
    return [entry for entry in entries if isinstance(entry, File)]


def by_path(entries):
    return sorted(entries, key=lambda entry: entry.path)
