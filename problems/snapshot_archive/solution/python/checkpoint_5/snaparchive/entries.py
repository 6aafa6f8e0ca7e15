"""What stands in a tree, one entry for each name."""

from dataclasses import dataclass

from snaparchive import names


@dataclass(frozen=True)
class Entry:
    path: bytes

    def to_json(self):
        return {"path": names.to_text(self.path), "type": self.type}


@dataclass(frozen=True)
class Folder(Entry):
    mode: int
    type = "dir"

    def to_json(self):
        return {**super().to_json(), "mode": mode_text(self.mode)}


@dataclass(frozen=True)
class File(Entry):
    mode: int
    size: int
    sha256: str
    type = "file"

    def to_json(self):
        return {**super().to_json(), "mode": mode_text(self.mode), "size": self.size, "sha256": self.sha256}


@dataclass(frozen=True)
class Link(Entry):
    target: bytes
    type = "link"

    def to_json(self):
        return {**super().to_json(), "target": names.to_text(self.target)}


@dataclass(frozen=True)
class HardLink(Entry):
    """One more name of the file that the entry at `target` describes."""

    target: bytes
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
