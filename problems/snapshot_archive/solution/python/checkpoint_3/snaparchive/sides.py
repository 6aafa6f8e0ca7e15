"""The two sides of a comparison: trees whose contents can be read."""

import os

from snaparchive import entries, snapshots, tree
from snaparchive.errors import Failure
from snaparchive.vault import Vault

FOLDER = "folder:"


class Side:
    """A tree by path, in which each name of a file is a file."""

    def __init__(self, found):
        files = {entry.path: entry for entry in entries.files(found)}
        self.entries = {entry.path: as_file(entry, files) for entry in found}

    def content(self, file):
        """Return a file's bytes, or None if they cannot be had."""
        raise NotImplementedError


class SavedSide(Side):
    def __init__(self, store, found):
        super().__init__(found)
        self.vault = Vault(store)

    def content(self, file):
        try:
            return b"".join(self.vault.read(file))
        except Failure:
            return None


class FolderSide(Side):
    def __init__(self, root, found):
        super().__init__(found)
        self.root = root

    def content(self, file):
        with open(os.path.join(self.root, file.path), "rb") as source:
            return source.read()


def as_file(entry, files):
    if isinstance(entry, entries.HardLink):
        first = files[entry.target]
        return entries.File(entry.path, first.mode, first.size, first.sha256)
    return entry


def parse(text):
    """Return a function that makes the side meant by a text, given a store."""
    if text.startswith(FOLDER):
        return lambda store: open_folder(store, text.removeprefix(FOLDER))
    select = snapshots.parse_selector(text)
    return lambda store: SavedSide(store, select(store).entries)


def open_folder(store, path):
    root = tree.open_folder(path)
    return FolderSide(root, tree.scan(root, left_out=store.identity))
