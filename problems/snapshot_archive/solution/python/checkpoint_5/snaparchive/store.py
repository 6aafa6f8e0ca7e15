"""The folder that is an archive: its layout, its objects, recipes and snapshots."""

import hashlib
import os
import re
from contextlib import contextmanager

from snaparchive import formats
from snaparchive.contents import pieces
from snaparchive.errors import Failure
from snaparchive.removal import remove_tree
from snaparchive.tree import identity

SNAPSHOT_NAME = re.compile(r"[0-9a-f]{64}")
FIRST_DIGITS = re.compile(r"[0-9a-f]{2}")
OTHER_DIGITS = re.compile(r"[0-9a-f]{62}")
RECIPES = "recipes/"
SNAPSHOTS = "snapshots/"


def create(root, format_bytes):
    """Make a new archive, of nothing or of an empty folder."""
    if os.path.lexists(root) and (not os.path.isdir(root) or os.listdir(root)):
        raise Failure("not_empty")
    for name in ("objects", "recipes", "snapshots"):
        os.makedirs(os.path.join(root, name))
    with open(os.path.join(root, "format"), "xb") as file:
        file.write(format_bytes)


def open_archive(root):
    return Store(root, formats.read(os.path.join(root, "format")))


def object_name(sha256):
    return f"objects/{sha256[:2]}/{sha256[2:]}"


def recipe_name(sha256):
    return f"recipes/{sha256[:2]}/{sha256[2:]}"


def snapshot_name(snapshot_id):
    return f"snapshots/{snapshot_id}"


def digits(name):
    """Return the digits in the name of an object, recipe or snapshot."""
    return "".join(name.split("/")[1:])


class ReadableStore:
    """Files by their names in an archive, wherever they are kept."""

    def has(self, name):
        raise NotImplementedError

    def read(self, name):
        """Return a file's content piece by piece; Failure if it is not there."""
        raise NotImplementedError

    def snapshot_ids(self):
        raise NotImplementedError


class Store(ReadableStore):
    """A folder. A file that is there is whole: it is renamed into its place."""

    def __init__(self, root, block):
        self.root = root
        self.block = block

    @property
    def identity(self):
        """What tells the archive's folder, by whatever name."""
        return identity(os.stat(self.root))

    def path(self, *parts):
        return os.path.join(self.root, *parts)

    def has(self, name):
        return os.path.isfile(self.path(name))

    def read(self, name):
        """Yield a file's content piece by piece."""
        try:
            file = open(self.path(name), "rb")
        except OSError:
            raise Failure("missing", file=name) from None
        with file:
            yield from pieces(file)

    def write(self, name, chunks):
        """Put a file into its place."""
        new = NewFile(self, "file")
        for chunk in chunks:
            new.write(chunk)
        new.move_to(name)

    @contextmanager
    def writing(self):
        """Let files be written; what is not in its place at the end is removed."""
        try:
            yield
        finally:
            remove_tree(self.path("tmp"))

    def remove(self, name):
        """Remove a file, and the folders of digits around it that are then empty."""
        os.unlink(self.path(name))
        parent = os.path.dirname(name)
        if "/" in parent and not os.listdir(self.path(parent)):
            os.rmdir(self.path(parent))

    def list(self, folder):
        """Return what is in a folder of the archive, in order; nothing if that is not there."""
        return sorted(os.listdir(self.path(folder))) if os.path.isdir(self.path(folder)) else []

    def is_snapshot_id(self, name):
        return bool(SNAPSHOT_NAME.fullmatch(name))

    def names(self, kind):
        """Yield the names of all objects or recipes, in order."""
        for first in filter(FIRST_DIGITS.fullmatch, self.list(kind)):
            for rest in filter(OTHER_DIGITS.fullmatch, self.list(f"{kind}/{first}")):
                yield f"{kind}/{first}/{rest}"

    def size(self, name):
        return os.path.getsize(self.path(name))

    def snapshot_ids(self):
        return list(filter(self.is_snapshot_id, self.list("snapshots")))


class NewFile:
    """A file in `tmp` until it is whole. There is one of each kind at a time."""

    def __init__(self, store, kind):
        self.store = store
        self.name = f"tmp/{kind}"
        self.hasher = hashlib.sha256()
        os.makedirs(store.path("tmp"), exist_ok=True)
        self.file = open(store.path(self.name), "wb")

    def write(self, chunk):
        self.hasher.update(chunk)
        self.file.write(chunk)

    def close(self):
        """End the file and return its SHA-256."""
        self.file.close()
        return self.hasher.hexdigest()

    def move_to(self, name):
        """Give the file its name in the archive."""
        self.file.close()
        os.makedirs(os.path.dirname(self.store.path(name)), exist_ok=True)
        os.replace(self.store.path(self.name), self.store.path(name))
