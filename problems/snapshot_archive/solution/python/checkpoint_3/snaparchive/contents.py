"""Contents of files, read piece by piece."""

import hashlib

PIECE = 1 << 18


def pieces(file):
    while piece := file.read(PIECE):
        yield piece


def pieces_of_block(source, length):
    """Yield what comes next of a source, up to a length."""
    while length and (piece := source.read(min(length, PIECE))):
        length -= len(piece)
        yield piece


def digest(path):
    """Return the SHA-256 of a file's content."""
    hasher = hashlib.sha256()
    with open(path, "rb") as file:
        for piece in pieces(file):
            hasher.update(piece)
    return hasher.hexdigest()


def hashed(chunks, hasher):
    """Yield the pieces of a content while a hasher takes note of them."""
    for chunk in chunks:
        hasher.update(chunk)
        yield chunk
