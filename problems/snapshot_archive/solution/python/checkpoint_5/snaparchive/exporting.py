"""Writing snapshots and all that they need into volumes."""

import os
from itertools import chain

from snaparchive import indexes, volumes
from snaparchive.contents import combined, digest_of, pieces_of_block
from snaparchive.entries import files
from snaparchive.errors import Failure
from snaparchive.needs import needs_of
from snaparchive.store import object_name, recipe_name, snapshot_name
from snaparchive.streams import Stream
from snaparchive.vault import Vault
from snaparchive.volumes import DATA, SPARE, VolumeSet


def export(store, snapshots, out, size, spares):
    """Write volumes and return what is to be told about them."""
    if os.path.lexists(out) and (not os.path.isdir(out) or os.listdir(out)):
        raise Failure("not_empty")
    check(store, snapshots)
    members = members_of(store, snapshots)
    index = sum(map(len, write_index(store, members)))
    capacity = size - volumes.OVERHEAD
    length = index + sum(map(store.size, members))
    data = -(-length // capacity)
    volume_set = VolumeSet(capacity, data, index, digest_of(content(store, members)), min(spares, data), length)
    os.makedirs(out, exist_ok=True)
    write_data(out, volume_set, Stream(content(store, members)))
    write_spares(out, volume_set)
    return {"set": volume_set.set, "volumes": data, "spares": volume_set.spares, "bytes": length}


def check(store, snapshots):
    """Failure with the first content that is missing or damaged."""
    vault = Vault(store)
    for snapshot in snapshots:
        for file in files(snapshot.entries()):
            vault.verify(file)


def members_of(store, snapshots):
    """Return the names of all that goes into volumes, in order."""
    needs = needs_of(store, snapshots)
    members = {snapshot_name(snapshot.id) for snapshot in snapshots}
    members.update(object_name(sha256) for sha256, _, _ in needs.objects.items())
    members.update(recipe_name(sha256) for sha256, _, _ in needs.recipes.items())
    return sorted(members)


def write_index(store, members):
    return indexes.write(store.block, ((name, store.size(name)) for name in members))


def content(store, members):
    """Yield the stream piece by piece."""
    return chain(write_index(store, members), chain.from_iterable(map(store.read, members)))


def write_data(out, volume_set, stream):
    for number in range(1, volume_set.data + 1):
        path = os.path.join(out, volumes.file_name(DATA, number))
        volumes.write(path, volume_set.header(DATA, number), pieces_of_block(stream, volume_set.capacity))


def write_spares(out, volume_set):
    for spare in range(1, volume_set.spares + 1):
        covered = (os.path.join(out, volumes.file_name(DATA, number)) for number in volume_set.covered_by(spare))
        path = os.path.join(out, volumes.file_name(SPARE, spare))
        volumes.write(path, volume_set.header(SPARE, spare), combined(map(volumes.part_of, covered)))
