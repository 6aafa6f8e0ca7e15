"""Volumes: the files that an exported stream is cut into."""

import hashlib
import json
import os
from collections import namedtuple

from snaparchive.contents import Stretch, combined, digest_of, pieces_of_block

HEADER = 256
TRAILER = 65
OVERHEAD = HEADER + TRAILER
LARGEST = 1 << 40
MOST_SPARES = 99
DATA, SPARE = "data", "spare"


class VolumeSet(namedtuple("VolumeSet", ["capacity", "data", "index", "set", "spares", "stream"])):
    """What all volumes of a set have in common."""

    __slots__ = ()

    def length(self, number):
        """Return how much of the stream a data volume holds."""
        return min(self.capacity, self.stream - self.capacity * (number - 1))

    def covered_by(self, spare):
        """Return the numbers of the data volumes that a spare volume is made of."""
        return range(spare, self.data + 1, self.spares)

    def spare_for(self, number):
        """Return the number of the spare volume for a data volume, or None."""
        return (number - 1) % self.spares + 1 if self.spares else None

    def header(self, kind, number):
        text = json.dumps({**self._asdict(), "kind": kind, "number": number}, sort_keys=True, separators=(",", ":"))
        return text.ljust(HEADER - 1).encode("ascii") + b"\n"


def file_name(kind, number):
    return f"volume-{number:04}" if kind == DATA else f"spare-{number:02}"


def write(path, header, chunks):
    """Write one volume: its header, its part and the digest of both."""
    hasher = hashlib.sha256(header)
    with open(path, "xb") as file:
        file.write(header)
        for chunk in chunks:
            hasher.update(chunk)
            file.write(chunk)
        file.write(hasher.hexdigest().encode("ascii") + b"\n")


def part_of(path):
    """Return the part of a volume, without header and trailer."""
    return Stretch(path, HEADER, os.path.getsize(path) - OVERHEAD)


def identify(path):
    """Return the set, kind and number of an intact volume, or None."""
    if not is_intact(path):
        return None
    with open(path, "rb") as file:
        header = file.read(HEADER)
    try:
        value = json.loads(header)
        kind, number = value.pop("kind"), value.pop("number")
        volume_set = VolumeSet(**value)
        is_ours = volume_set.header(kind, number) == header
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
    return (volume_set, kind, number) if is_ours else None


def is_intact(path):
    if os.path.islink(path) or not os.path.isfile(path) or os.path.getsize(path) < OVERHEAD:
        return False
    length = os.path.getsize(path) - TRAILER
    with open(path, "rb") as file:
        found = digest_of(pieces_of_block(file, length))
        return file.read() == found.encode("ascii") + b"\n"


class Collection:
    """The intact volumes of one set, by kind and number."""

    def __init__(self, volume_set, paths):
        self.set = volume_set
        self.paths = paths

    def lost(self):
        """Return the numbers of the data volumes that cannot be had."""
        return [number for number in range(1, self.set.data + 1) if not self.can_have(number)]

    def can_have(self, number):
        return (DATA, number) in self.paths or self.helpers(number) is not None

    def helpers(self, number):
        """Return the volumes from which a lost one can be made, or None."""
        spare = self.set.spare_for(number)
        if spare is None:
            return None
        wanted = [(SPARE, spare), *((DATA, other) for other in self.set.covered_by(spare) if other != number)]
        return [self.paths[key] for key in wanted] if all(key in self.paths for key in wanted) else None

    def part(self, number):
        """Yield the part of the stream in a data volume, which can be had."""
        if (DATA, number) in self.paths:
            yield from part_of(self.paths[DATA, number]).pieces()
            return
        left = self.set.length(number)
        for piece in combined(map(part_of, self.helpers(number))):
            yield piece[:left]
            left -= len(piece[:left])
