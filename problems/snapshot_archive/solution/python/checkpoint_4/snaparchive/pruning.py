"""Removing what no snapshot needs, and telling what the snapshots take."""

from itertools import chain

from snaparchive import instants, parity, snapshots
from snaparchive.needs import needs_of
from snaparchive.store import RECIPES, digits


class Waste:
    """How much no snapshot needs. The size is that of the objects."""

    def __init__(self):
        self.objects = self.size = self.recipes = 0

    @property
    def is_any(self):
        return bool(self.recipes or self.objects)

    def add(self, store, name):
        if name.startswith(RECIPES):
            self.recipes += 1
        else:
            self.objects += 1
            self.size += store.size(name)

    def to_json(self):
        return {"objects": self.objects, "bytes": self.size, "recipes": self.recipes}


def unneeded(store, needs):
    """Yield the names of what is not needed, in the order in which it may go: a recipe is never without its blocks."""
    recipes = (name for name in store.names("recipes") if not needs.recipes.has(digits(name)))
    objects = (name for name in store.names("objects") if not needs.objects.has(digits(name)))
    return chain(recipes, objects)


def prune(store, dry_run, pauses):
    """Remove what no snapshot needs, unless it is a dry run, and return how much it is."""
    waste = Waste()
    for name in unneeded(store, needs_of(store, snapshots.load_all(store))):
        if not dry_run and not waste.is_any:
            parity.remove_all(store)
        waste.add(store, name)
        if not dry_run:
            store.remove(name)
            pauses.at("removed")
    return waste


def usage(store):
    """Yield what each snapshot takes, and then what all of them do."""
    found = snapshots.load_all(store)
    needs = needs_of(store, found)
    objects = needs.objects
    for number, snapshot in enumerate(found):
        yield {
            "snapshot": snapshot.id,
            "at": instants.to_text(snapshot.at),
            "label": snapshot.label,
            "bytes": snapshot.totals.size,
            "stored": objects.size_for(number),
            "alone": objects.size_for_alone(number),
        }
    waste = Waste()
    for name in unneeded(store, needs):
        waste.add(store, name)
    yield {"snapshots": len(found), "objects": len(objects.users), "stored": objects.size(), "unused": waste.size}
