"""The folder that is an archive: its layout, and its objects."""

import hashlib
import os
import re
import shutil

from snaparchive.contents import PIECE, pieces
from snaparchive.errors import Failure

FORMAT = b"snapshot-archive 1\n"
SNAPSHOT_NAME = re.compile(r"[0-9a-f]{64}")


def create(root):
    """Make a new archive, of nothing or of an empty folder."""
    if os.path.lexists(root) and (not os.path.isdir(root) or os.listdir(root)):
        raise Failure("not_empty")
    for name in ("objects", "snapshots"):
        os.makedirs(os.path.join(root, name))
    with open(os.path.join(root, "format"), "xb") as file:
        file.write(FORMAT)


def open_archive(root):
    try:
        with open(os.path.join(root, "format"), "rb") as file:
            found = file.read(len(FORMAT) + 1)
    except OSError:
        found = None
    if found != FORMAT:
        raise Failure("no_archive")
    return Store(root)


class Store:
    """Objects and snapshots by their digests. A file that is there is whole: it is renamed into its place."""

    def __init__(self, root):
        self.root = root

    def path(self, *parts):
        return os.path.join(self.root, *parts)

    def object_name(self, sha256):
        return f"objects/{sha256[:2]}/{sha256[2:]}"

    def snapshot_name(self, snapshot_id):
        return f"snapshots/{snapshot_id}"

    def has_object(self, sha256):
        return os.path.isfile(self.path(self.object_name(sha256)))

    def add_object(self, source, sha256):
        """Store a file's content; Failure if it is no longer what it was."""
        with open(source, "rb") as file:
            written = self.write(self.object_name(sha256), pieces(file))
        if written != sha256:
            os.unlink(self.path(self.object_name(sha256)))
            raise Failure("changed_meanwhile")

    def write(self, name, chunks):
        """Put a file into its place whole, and return the digest of what was written."""
        temporary = self.path("tmp", "new")
        os.makedirs(self.path("tmp"), exist_ok=True)
        hasher = hashlib.sha256()
        with open(temporary, "wb") as file:
            for chunk in chunks:
                hasher.update(chunk)
                file.write(chunk)
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        os.replace(temporary, self.path(name))
        shutil.rmtree(self.path("tmp"))
        return hasher.hexdigest()

    def read_object(self, sha256):
        """Yield an object's content piece by piece."""
        with open(self.path(self.object_name(sha256)), "rb") as file:
            while piece := file.read(PIECE):
                yield piece

    def verify_object(self, sha256):
        name = self.object_name(sha256)
        hasher = hashlib.sha256()
        try:
            for piece in self.read_object(sha256):
                hasher.update(piece)
        except OSError:
            raise Failure("missing", file=name) from None
        if hasher.hexdigest() != sha256:
            raise Failure("damaged", file=name)

    def snapshot_ids(self):
        return sorted(filter(SNAPSHOT_NAME.fullmatch, os.listdir(self.path("snapshots"))))

    def has_snapshot(self, snapshot_id):
        return os.path.exists(self.path(self.snapshot_name(snapshot_id)))

    def read_snapshot(self, snapshot_id):
        """Return the bytes of a snapshot that are what its name says."""
        with open(self.path(self.snapshot_name(snapshot_id)), "rb") as file:
            data = file.read()
        if hashlib.sha256(data).hexdigest() != snapshot_id:
            raise Failure("damaged", file=self.snapshot_name(snapshot_id))
        return data
