"""The folder that is an archive: its layout, its objects, recipes and snapshots."""

import glob
import hashlib
import os
import re

from snaparchive import formats
from snaparchive.contents import pieces
from snaparchive.errors import Failure
from snaparchive.removal import remove_tree
from snaparchive.tree import identity

SNAPSHOT_NAME = re.compile(r"[0-9a-f]{64}")
DIGEST_PATH = re.compile(r"[0-9a-f]{2}/[0-9a-f]{62}")
RECIPES = "recipes/"
SNAPSHOTS = "snapshots/"
RECIPE = re.compile(rb"(?:[0-9a-f]{64}\n)+")


def create(root, block):
    """Make a new archive, of nothing or of an empty folder."""
    if os.path.lexists(root) and (not os.path.isdir(root) or os.listdir(root)):
        raise Failure("not_empty")
    for name in ("objects", "recipes", "snapshots"):
        os.makedirs(os.path.join(root, name))
    with open(os.path.join(root, "format"), "xb") as file:
        file.write(formats.to_bytes(block))


def open_archive(root):
    return Store(root, formats.read(os.path.join(root, "format")))


def object_name(sha256):
    return f"objects/{sha256[:2]}/{sha256[2:]}"


def recipe_name(sha256):
    return f"recipes/{sha256[:2]}/{sha256[2:]}"


def snapshot_name(snapshot_id):
    return f"snapshots/{snapshot_id}"


class Store:
    """Files by their names in the archive. One that is there is whole: it is renamed into its place."""

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
        temporary, _, _ = self.write_temporary(chunks)
        self.move_in(temporary, name)

    def write_object(self, chunks):
        """Put an object into its place, and return its digest and its size, None if it was there."""
        temporary, sha256, size = self.write_temporary(chunks)
        if self.has(object_name(sha256)):
            self.clear_temporary()
            return sha256, None
        self.move_in(temporary, object_name(sha256))
        return sha256, size

    def write_temporary(self, chunks):
        temporary = self.path("tmp", "new")
        os.makedirs(self.path("tmp"), exist_ok=True)
        hasher = hashlib.sha256()
        with open(temporary, "wb") as file:
            for chunk in chunks:
                hasher.update(chunk)
                file.write(chunk)
            size = file.tell()
        return temporary, hasher.hexdigest(), size

    def clear_temporary(self):
        remove_tree(self.path("tmp"))

    def move_in(self, temporary, name):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        os.replace(temporary, self.path(name))
        self.clear_temporary()

    def remove(self, name):
        """Remove a file, and the folders of digits around it that are then empty."""
        os.unlink(self.path(name))
        parent = os.path.dirname(name)
        if "/" in parent and not os.listdir(self.path(parent)):
            os.rmdir(self.path(parent))

    def list(self, folder):
        """Return what is in a folder of the archive, nothing if that is not there."""
        return os.listdir(self.path(folder)) if os.path.isdir(self.path(folder)) else []

    def is_snapshot_id(self, name):
        return bool(SNAPSHOT_NAME.fullmatch(name))

    def names(self, kind):
        """Return the names of all objects or recipes, in order."""
        found = glob.glob("[0-9a-f]" * 2 + "/*", root_dir=self.path(kind))
        return sorted(f"{kind}/{name}" for name in found if DIGEST_PATH.fullmatch(name))

    def size(self, name):
        return os.path.getsize(self.path(name))

    def read_recipe(self, sha256):
        """Return the digests of the blocks of a long content."""
        name = recipe_name(sha256)
        data = b"".join(self.read(name))
        if not RECIPE.fullmatch(data):
            raise Failure("damaged", file=name)
        return data.decode("ascii").split()

    def snapshot_ids(self):
        return sorted(filter(self.is_snapshot_id, self.list("snapshots")))

    def read_snapshot(self, snapshot_id):
        """Return the bytes of a snapshot that are what its name says."""
        data = b"".join(self.read(snapshot_name(snapshot_id)))
        if hashlib.sha256(data).hexdigest() != snapshot_id:
            raise Failure("damaged", file=snapshot_name(snapshot_id))
        return data
