"""Making good what is missing or damaged: from other archives, from folders, from parity."""

import os
from collections import namedtuple

from snaparchive import inspection, parity, snapshots, tree
from snaparchive.contents import digest, digest_of
from snaparchive.entries import files
from snaparchive.errors import Failure
from snaparchive.store import RECIPES, SNAPSHOTS, object_name, open_archive, recipe_name
from snaparchive.vault import Vault, pieces_of_block


class ArchiveSource:
    """Another archive, whose files have the same names."""

    def __init__(self, store, other):
        self.store = store
        self.other = open_archive(other)

    def find(self, name):
        """Return the pieces of a file, or None if it is not there as it should be."""
        if not self.other.has(name):
            return None
        if name.startswith(RECIPES):
            return self.other.read(name) if self.has_good_recipe(name) else None
        if digest(self.other.path(name)) != inspection.digits(name) or not is_of_use(name, self.other.read(name)):
            return None
        return self.other.read(name)

    def has_good_recipe(self, name):
        if self.other.block != self.store.block:
            return False
        try:
            blocks = self.other.read_recipe(inspection.digits(name))
            return inspection.makes_content(self.other, blocks, inspection.digits(name))
        except Failure:
            return False


def is_of_use(name, content):
    """Whether a content would make a file good: what is no snapshot stays a defect."""
    return not name.startswith(SNAPSHOTS) or snapshots.is_snapshot(b"".join(content))


class Stretch(namedtuple("Stretch", ["path", "start", "length"])):
    """A part of a file."""

    __slots__ = ()

    def pieces(self):
        with open(self.path, "rb") as file:
            file.seek(self.start)
            yield from pieces_of_block(file, self.length)


class TreeSource:
    """A folder, whose files are cut as the archive would."""

    def __init__(self, store, folder):
        root = tree.open_folder(folder)
        self.vault = Vault(store)
        self.stretches = {}
        self.recipes = {}
        for file in files(tree.scan(root, left_out=store.identity)):
            self.add(os.path.join(root, file.path), file)

    def add(self, path, file):
        blocks = []
        for start, length in self.vault.bounds(file):
            stretch = Stretch(path, start, length)
            blocks.append(digest_of(stretch.pieces()))
            self.stretches[object_name(blocks[-1])] = stretch
        if self.vault.is_long(file):
            self.recipes[recipe_name(file.sha256)] = "".join(f"{block}\n" for block in blocks).encode("ascii")

    def find(self, name):
        if name in self.recipes:
            return [self.recipes[name]]
        return self.stretches[name].pieces() if name in self.stretches else None


class Repair:
    """What was repaired, and how, by the names of files."""

    def __init__(self, store, sources):
        self.store = store
        self.sources = sources
        self.done = {}

    def run(self):
        """Repair until nothing more can be, and return the defects that stay."""
        while True:
            state = inspection.inspect(self.store)
            found = [finding for finding in inspection.findings(self.store, state) if finding.is_defect]
            self.store.clear_temporary()
            repaired = [finding for finding in found if self.repair(finding.file, state)]
            if not repaired:
                return found

    def repair(self, name, state):
        if name in self.done:
            return False
        if name in state.broken_parity:
            return self.renew_parity(name, state)
        return self.from_sources(name) or self.from_parity(name, state)

    def from_sources(self, name):
        for number, source in enumerate(self.sources):
            pieces = source.find(name)
            if pieces is not None:
                self.store.write(name, pieces)
                self.done[name] = {"repaired": "source", "source": number}
                return True
        return False

    def from_parity(self, name, state):
        for group in state.groups.values():
            lost = [member for member in group.members if not state.is_good(member.file)]
            if [member.file for member in lost] != [name] or group.name in state.broken_parity:
                continue
            if is_of_use(name, parity.lost_member(self.store, group, lost[0])):
                self.store.write(name, parity.lost_member(self.store, group, lost[0]))
                self.done[name] = {"repaired": "parity"}
                return True
        return False

    def renew_parity(self, name, state):
        group = state.groups.get(name)
        if group is None or not all(state.is_good(member.file) for member in group.members):
            return False
        parity.write_group(self.store, name, group.members)
        self.done[name] = {"repaired": "members"}
        return True

    def to_json(self, left):
        lines = [{"file": name, **how} for name, how in self.done.items()]
        lines += [finding.to_json() for finding in left]
        return [*sorted(lines, key=lambda line: line["file"]), {"repaired": len(self.done), "defects": len(left)}]
