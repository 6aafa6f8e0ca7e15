"""The two sides of a comparison: trees whose contents can be read."""

import os

from snaparchive import entries, selectors, tree
from snaparchive.errors import Failure
from snaparchive.vault import Vault

FOLDER = "folder:"


class Side:
    """A tree in which each name of a file is a file."""

    def entries(self):
        """Yield the entries in order."""
        raise NotImplementedError

    def content(self, file):
        """Return a file's bytes, or None if they cannot be had."""
        raise NotImplementedError


class SavedSide(Side):
    def __init__(self, snapshot):
        self.snapshot = snapshot
        self.vault = Vault(snapshot.store)

    def entries(self):
        return map(entries.as_file, self.snapshot.entries())

    def content(self, file):
        try:
            return b"".join(self.vault.read(file))
        except Failure:
            return None


class FolderSide(Side):
    def __init__(self, root, left_out):
        self.root = root
        self.left_out = left_out

    def entries(self):
        return map(entries.as_file, tree.scan(self.root, self.left_out))

    def content(self, file):
        with open(os.path.join(self.root, file.path), "rb") as source:
            return source.read()


class PartOfSide(Side):
    """What is selected of another side, as if there were nothing else."""

    def __init__(self, side, selection):
        self.side = side
        self.selection = selection

    def entries(self):
        return self.selection.of(self.side.entries())

    def content(self, file):
        return self.side.content(file)


class EmptySide(Side):
    def entries(self):
        return iter(())


def parse(text):
    """Return a function that makes the side meant by a text, given a store."""
    if text.startswith(FOLDER):
        return lambda store: FolderSide(tree.open_folder(text.removeprefix(FOLDER)), store.identity)
    select = selectors.parse_selector(text)
    return lambda store: SavedSide(select(store))
