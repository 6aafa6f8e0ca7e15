"""What snapshots need of an archive, and removing the rest."""

from collections import Counter, namedtuple

from snaparchive import instants, parity, snapshots
from snaparchive.store import object_name, recipe_name
from snaparchive.vault import Vault


class Needs:
    """Objects with their sizes, and names of recipes."""

    def __init__(self):
        self.objects = {}
        self.recipes = set()

    def add(self, vault, file):
        self.objects.update(vault.objects(file))
        if vault.is_long(file):
            self.recipes.add(recipe_name(file.sha256))

    def size(self):
        return sum(self.objects.values())


def needs_of(vault, snapshot):
    needs = Needs()
    for file in snapshot.files:
        needs.add(vault, file)
    return needs


def all_needs(store):
    """Return all snapshots in order, each with what it needs."""
    vault = Vault(store)
    return [(snapshot, needs_of(vault, snapshot)) for snapshot in snapshots.load_all(store)]


class Waste(namedtuple("Waste", ["objects", "recipes", "size"])):
    """What no snapshot needs: names of files, and the size of objects."""

    __slots__ = ()

    def to_json(self):
        return {"objects": len(self.objects), "bytes": self.size, "recipes": len(self.recipes)}


def find_waste(store, all_needed):
    needed = {object_name(sha256) for needs in all_needed for sha256 in needs.objects}
    needed = needed.union(*(needs.recipes for needs in all_needed))
    objects = [name for name in store.names("objects") if name not in needed]
    recipes = [name for name in store.names("recipes") if name not in needed]
    return Waste(objects, recipes, sum(map(store.size, objects)))


def waste_of(store):
    return find_waste(store, [needs for _, needs in all_needs(store)])


def remove(store, waste, pauses):
    # A recipe goes before its objects: one that is there should be whole.
    names = waste.recipes + waste.objects
    if names:
        parity.remove_all(store)
    for name in names:
        store.remove(name)
        pauses.at("removed")


def usage(store):
    """Yield what each snapshot takes, and then what all of them do."""
    found = all_needs(store)
    users = Counter(sha256 for _, needs in found for sha256 in needs.objects)
    total = Needs()
    for snapshot, needs in found:
        total.objects.update(needs.objects)
        yield {
            "snapshot": snapshot.id,
            "at": instants.to_text(snapshot.at),
            "label": snapshot.label,
            "bytes": snapshot.size,
            "stored": needs.size(),
            "alone": sum(size for sha256, size in needs.objects.items() if users[sha256] == 1),
        }
    unused = find_waste(store, [needs for _, needs in found]).size
    yield {"snapshots": len(found), "objects": len(total.objects), "stored": total.size(), "unused": unused}
