"""Removing what no snapshot needs, and telling what the snapshots take."""

from snaparchive import instants, snapshots
from snaparchive.needs import needs_of
from snaparchive.store import digits


class Waste:
    """How much no snapshot needs. The size is that of the objects."""

    def __init__(self):
        self.objects = self.size = self.recipes = 0

    def to_json(self):
        return {"objects": self.objects, "bytes": self.size, "recipes": self.recipes}


def unneeded(store, kind, needed):
    """Yield the names of objects or recipes that are not needed, in order."""
    return (name for name in store.names(kind) if not needed.has(digits(name)))


def prune(store, dry_run):
    """Remove what no snapshot needs, unless it is a dry run, and return how much it is."""
    needs = needs_of(store, snapshots.load_all(store))
    remove = (lambda name: None) if dry_run else store.remove
    waste = Waste()
    # A recipe goes before its objects: one that is there should be whole.
    for name in unneeded(store, "recipes", needs.recipes):
        waste.recipes += 1
        remove(name)
    for name in unneeded(store, "objects", needs.objects):
        waste.objects += 1
        waste.size += store.size(name)
        remove(name)
    return waste


def usage(store):
    """Yield what each snapshot takes, and then what all of them do."""
    found = snapshots.load_all(store)
    objects = needs_of(store, found).objects
    for number, snapshot in enumerate(found):
        yield {
            "snapshot": snapshot.id,
            "at": instants.to_text(snapshot.at),
            "label": snapshot.label,
            "bytes": snapshot.totals.size,
            "stored": objects.size_for(number),
            "alone": objects.size_for_alone(number),
        }
    unused = sum(map(store.size, unneeded(store, "objects", objects)))
    yield {"snapshots": len(found), "objects": len(objects.users), "stored": objects.size(), "unused": unused}
