"""Writing snapshots and all that they need into volumes."""

import os
from itertools import chain

from snaparchive import volumes
from snaparchive.contents import combined, digest_of
from snaparchive.errors import Failure
from snaparchive.indexes import Index
from snaparchive.pruning import needs_of
from snaparchive.store import object_name, snapshot_name
from snaparchive.streams import Stream
from snaparchive.vault import Vault, pieces_of_block
from snaparchive.volumes import DATA, SPARE, VolumeSet


def export(store, snapshots, out, size, spares):
    """Write volumes and return what is to be told about them."""
    if os.path.lexists(out) and (not os.path.isdir(out) or os.listdir(out)):
        raise Failure("not_empty")
    members = members_of(store, snapshots)
    index = make_index(store, members)
    capacity = size - volumes.OVERHEAD
    length = len(index) + sum(store.size(name) for name in members)
    data = -(-length // capacity)
    volume_set = VolumeSet(
        capacity, data, len(index), digest_of(content(store, index, members)), min(spares, data), length
    )
    os.makedirs(out, exist_ok=True)
    write_data(out, volume_set, Stream(content(store, index, members)))
    write_spares(out, volume_set)
    return {"set": volume_set.set, "volumes": data, "spares": volume_set.spares, "bytes": length}


def members_of(store, snapshots):
    """Return the names of all that goes into volumes, in order; Failure if something of it is not undamaged."""
    vault = Vault(store)
    members = set()
    for snapshot in snapshots:
        for file in snapshot.files:
            vault.verify(file)
        needs = needs_of(vault, snapshot)
        members |= {snapshot_name(snapshot.id), *needs.recipes, *map(object_name, needs.objects)}
    return sorted(members)


def make_index(store, members):
    return Index(store.block, [(name, store.size(name)) for name in members]).to_bytes()


def content(store, index, members):
    """Yield the stream piece by piece."""
    return chain([index], chain.from_iterable(map(store.read, members)))


def write_data(out, volume_set, stream):
    for number in range(1, volume_set.data + 1):
        path = os.path.join(out, volumes.file_name(DATA, number))
        volumes.write(path, volume_set.header(DATA, number), pieces_of_block(stream, volume_set.capacity))


def write_spares(out, volume_set):
    for spare in range(1, volume_set.spares + 1):
        covered = (os.path.join(out, volumes.file_name(DATA, number)) for number in volume_set.covered_by(spare))
        path = os.path.join(out, volumes.file_name(SPARE, spare))
        volumes.write(path, volume_set.header(SPARE, spare), combined(map(volumes.read_part, covered)))
