"""Reading an archive from its volumes, as far as these are there."""

import os
import tempfile

from snaparchive import indexes, tree, volumes
from snaparchive.errors import Failure
from snaparchive.store import SNAPSHOT_NAME, SNAPSHOTS, ReadableStore
from snaparchive.vault import pieces_of_block
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
        index = self.read_index()
        self.block = index.block
        self.places = {}
        start = collection.set.index
        for name, size in index.files:
            self.places[name] = (start, size)
            start += size

    def read_index(self):
        data = b"".join(self.stretch(0, self.collection.set.index))
        try:
            return indexes.from_bytes(data, self.collection.set.stream)
        except ValueError:
            # Volumes without an index are none.
            raise Failure("no_volumes") from None

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
            file = self.make(number)
            file.seek(offset)
            yield from pieces_of_block(file, size)
            return
        with open(path, "rb") as file:
            file.seek(volumes.HEADER + offset)
            yield from pieces_of_block(file, size)

    def make(self, number):
        """Return a file with what a lost volume held."""
        if number not in self.made:
            file = tempfile.TemporaryFile()
            for piece in self.collection.part(number):
                file.write(piece)
            self.made[number] = file
        return self.made[number]
