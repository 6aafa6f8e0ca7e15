"""Contents of files, read piece by piece."""

import hashlib

PIECE = 1 << 20


def pieces(file):
    while piece := file.read(PIECE):
        yield piece


def digest(path):
    """Return the SHA-256 of a file's content."""
    with open(path, "rb") as file:
        return digest_of(pieces(file))


def digest_of(chunks):
    """Return the SHA-256 of a content that is given by its pieces."""
    hasher = hashlib.sha256()
    for chunk in chunks:
        hasher.update(chunk)
    return hasher.hexdigest()


def combined(sources):
    """Yield the exclusive or of contents, each given by its pieces; shorter ones are filled with zeros."""
    sources = list(sources)
    while found := [piece for source in sources if (piece := next(source, b""))]:
        total = 0
        for piece in found:
            total ^= int.from_bytes(piece, "little")
        yield total.to_bytes(max(map(len, found)), "little")
