"""Contents of files, read piece by piece."""

import hashlib

PIECE = 1 << 20


def pieces(file):
    while piece := file.read(PIECE):
        yield piece


def digest(path):
    """Return the SHA-256 of a file's content."""
    hasher = hashlib.sha256()
    with open(path, "rb") as file:
        for piece in pieces(file):
            hasher.update(piece)
    return hasher.hexdigest()
