"""Pins: marks of snapshots that are never forgotten."""


def pin_name(snapshot_id):
    return f"pins/{snapshot_id}"


def pinned_ids(store):
    return set(store.list("pins"))


def pin(store, snapshot_id):
    """Return whether the snapshot was not pinned before."""
    if store.has(pin_name(snapshot_id)):
        return False
    with store.writing():
        store.write(pin_name(snapshot_id), [])
    return True


def unpin(store, snapshot_id):
    """Return whether the snapshot was pinned before."""
    if not store.has(pin_name(snapshot_id)):
        return False
    store.remove(pin_name(snapshot_id))
    return True
