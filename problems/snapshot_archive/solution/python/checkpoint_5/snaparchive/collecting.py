"""Reading an archive from its volumes, as far as these are there."""

import os
import tempfile

from snaparchive import indexes, tree, volumes
from snaparchive.contents import PIECE, Stretch
from snaparchive.errors import Failure
from snaparchive.store import SNAPSHOT_NAME, SNAPSHOTS, ReadableStore
from snaparchive.volumes import Collection


def collect(folders):
    """Return the intact volumes in folders, which must be of one set."""
    sets = {}
    for folder in map(tree.open_folder, folders):
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            identified = volumes.identify(path)
            if identified:
                volume_set, kind, number = identified
                sets.setdefault(volume_set, {})[kind, number] = path
    if not sets:
        raise Failure("no_volumes")
    if len(sets) > 1:
        raise Failure("several_sets", sets=len(sets))
    return Collection(*sets.popitem())


class VolumeStore(ReadableStore):
    """An archive in volumes. Lost volumes that can be made again are kept in temporary files."""

    identity = None

    def __init__(self, collection):
        self.collection = collection
        self.made = {}
        self.places = {}
        try:
            self.block = self.read_index()
        except ValueError:
            # Volumes without an index are none.
            raise Failure("no_volumes") from None

    def read_index(self):
        """Note where each file is, and return the length of blocks."""
        start = self.collection.set.index
        reader = indexes.Reader(self.stretch(0, start))
        for name, size in reader.files():
            self.places[name] = (start, size)
            start += size
        if start != self.collection.set.stream:
            raise ValueError("the index is not of this stream")
        return reader.block

    def has(self, name):
        return name in self.places

    def read(self, name):
        if name not in self.places:
            raise Failure("missing", file=name)
        return self.stretch(*self.places[name])

    def snapshot_ids(self):
        names = (name.removeprefix(SNAPSHOTS) for name in self.places if name.startswith(SNAPSHOTS))
        return sorted(filter(SNAPSHOT_NAME.fullmatch, names))

    def stretch(self, start, length):
        """Yield a part of the stream piece by piece."""
        capacity = self.collection.set.capacity
        while length:
            number, offset = start // capacity + 1, start % capacity
            size = min(length, capacity - offset)
            yield from self.part(number, offset, size)
            start += size
            length -= size

    def part(self, number, offset, size):
        if not self.collection.can_have(number):
            raise Failure("missing_volume", volume=number)
        path = self.collection.paths.get((volumes.DATA, number))
        if path is None:
            yield from pieces_at(self.make(number), offset, size)
        else:
            yield from Stretch(path, volumes.HEADER + offset, size).pieces()

    def make(self, number):
        """Return a file with what a lost volume held."""
        if number not in self.made:
            file = tempfile.TemporaryFile()
            for piece in self.collection.part(number):
                file.write(piece)
            file.flush()
            self.made[number] = file
        return self.made[number]


def pieces_at(file, start, length):
    """Yield a part of a file piece by piece, wherever others read in it meanwhile."""
    while length and (piece := os.pread(file.fileno(), min(length, PIECE), start)):
        start += len(piece)
        length -= len(piece)
        yield piece
