"""Contents of files, read piece by piece."""

import hashlib
from collections import namedtuple

PIECE = 1 << 18


class Stretch(namedtuple("Stretch", ["path", "start", "length"])):
    """A part of a file."""

    __slots__ = ()

    def pieces(self):
        with open(self.path, "rb") as file:
            file.seek(self.start)
            yield from pieces_of_block(file, self.length)

    def piece_at(self, place):
        """Return the piece that begins at a place of the part, nothing beyond its end."""
        if place >= self.length:
            return b""
        with open(self.path, "rb", buffering=0) as file:
            file.seek(self.start + place)
            return file.read(min(PIECE, self.length - place))


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
    with open(path, "rb") as file:
        return digest_of(pieces(file))


def digest_of(chunks):
    """Return the SHA-256 of a content that is given by its pieces."""
    hasher = hashlib.sha256()
    for chunk in chunks:
        hasher.update(chunk)
    return hasher.hexdigest()


def hashed(chunks, hasher):
    """Yield the pieces of a content while a hasher takes note of them."""
    for chunk in chunks:
        hasher.update(chunk)
        yield chunk


def combined(stretches):
    """Yield the exclusive or of parts of files, piece by piece; shorter ones are filled with zeros.

    There may be a thousand of them: no more than one is open, and in memory, at a time.
    """
    stretches = list(stretches)
    for place in range(0, max((stretch.length for stretch in stretches), default=0), PIECE):
        total = length = 0
        for stretch in stretches:
            piece = stretch.piece_at(place)
            total ^= int.from_bytes(piece, "little")
            length = max(length, len(piece))
        yield total.to_bytes(length, "little")
