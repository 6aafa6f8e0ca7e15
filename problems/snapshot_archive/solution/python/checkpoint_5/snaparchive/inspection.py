"""Looking for what is wrong with an archive."""

import os
import stat
from collections import defaultdict, namedtuple

from snaparchive import names, parity, snapshots, tree
from snaparchive.contents import digest
from snaparchive.errors import Failure
from snaparchive.needs import Needs
from snaparchive.store import RECIPES, SNAPSHOTS, digits, object_name, recipe_name, snapshot_name
from snaparchive.vault import Vault

DEFECTS = ("damaged", "missing")
DEFECTS_STAY = 3


class Finding(namedtuple("Finding", ["file", "finding", "snapshots"], defaults=[None])):
    __slots__ = ()

    @property
    def is_defect(self):
        return self.finding in DEFECTS

    def to_json(self):
        value = {"file": self.file, "finding": self.finding}
        return value if self.snapshots is None else {**value, "snapshots": self.snapshots}


class Inspection:
    """What is there, what of it is damaged, and who needs what."""

    def __init__(self, store, files):
        self.files = files
        self.present = set(files)
        self.damaged = set()
        self.groups = {}
        self.broken_parity = set()
        self.needs = Needs(Vault(store))

    @property
    def missing(self):
        wanted = {object_name(sha256) for sha256, _, _ in self.needs.objects.items()}
        wanted |= {recipe_name(sha256) for sha256, _, _ in self.needs.recipes.items()}
        wanted |= {member.file for member in self.members()}
        return wanted - self.present

    def users(self, name):
        """Return how many undamaged snapshots need an object or recipe."""
        needed = self.needs.recipes if name.startswith(RECIPES) else self.needs.objects
        return needed.number_of_users(digits(name))

    def members(self):
        return [member for group in self.groups.values() for member in group.members]

    def is_good(self, name):
        return name in self.present and name not in self.damaged

    def knows_all_needs(self):
        """Whether nothing is lost or damaged that would name what is needed."""
        lost = self.damaged | self.missing
        return not any(
            name.startswith(SNAPSHOTS) or name.startswith(RECIPES) and self.users(name) for name in lost
        )


def inspect(store):
    objects, recipes = list(store.names("objects")), list(store.names("recipes"))
    ids = store.snapshot_ids()
    inspection = Inspection(store, [*objects, *recipes, *map(snapshot_name, ids)])
    inspect_parity(store, inspection)
    for name in objects:
        if digest(store.path(name)) != digits(name):
            inspection.damaged.add(name)
    inspect_recipes(store, inspection, recipes)
    inspect_snapshots(store, inspection, ids)
    return inspection


def inspect_parity(store, inspection):
    for name in parity.names(store):
        try:
            group = parity.read_group(store, name)
        except Failure:
            inspection.broken_parity.add(name)
            continue
        inspection.groups[name] = group
        if not parity.is_whole(group):
            inspection.broken_parity.add(name)


def inspect_recipes(store, inspection, recipes):
    digests = defaultdict(set)
    for member in inspection.members():
        digests[member.file].add(member.sha256)
    vault = Vault(store)
    for name in recipes:
        as_protected = name not in digests or digests[name] == {digest(store.path(name))}
        if not as_protected or not recipe_may_be_good(vault, name):
            inspection.damaged.add(name)


def recipe_may_be_good(vault, name):
    """Whether a recipe is well formed and, unless a block is lost or damaged, makes what its name says."""
    try:
        vault.verify_long(digits(name))
    except Failure as failure:
        return failure.details["file"] != name
    return True


def inspect_snapshots(store, inspection, ids):
    """Note which snapshots are damaged, and what the others need."""
    for number, snapshot_id in enumerate(ids):
        try:
            snapshot = snapshots.load(store, snapshot_id)
        except Failure:
            inspection.damaged.add(snapshot_name(snapshot_id))
        else:
            inspection.needs.add_snapshot(number, snapshot)
    inspection.needs.add_blocks(lambda sha256: inspection.is_good(recipe_name(sha256)))


def findings(store, inspection):
    """Return all findings, in the order of files."""
    found = [defect(inspection, name, "damaged") for name in inspection.damaged]
    found += [defect(inspection, name, "missing") for name in inspection.missing]
    found += [Finding(name, "damaged") for name in inspection.broken_parity]
    found += remarks(store, inspection)
    return sorted(found, key=lambda finding: names.from_text(finding.file))


def defect(inspection, name, kind):
    count = None if name.startswith(SNAPSHOTS) else inspection.users(name)
    return Finding(name, kind, count)


def remarks(store, inspection):
    """Return what is strange, but no defect."""
    found = []
    protected = {member.file for member in inspection.members()}
    tells_unused = inspection.knows_all_needs()
    for name in inspection.files:
        if name in inspection.damaged:
            continue
        if tells_unused and not name.startswith(SNAPSHOTS) and not inspection.users(name):
            found.append(Finding(name, "unused"))
        elif inspection.groups and name not in protected:
            found.append(Finding(name, "unprotected"))
    return found + other_files(store, inspection)


def other_files(store, inspection):
    known = inspection.present | set(parity.names(store)) | {"format"}
    known |= {f"pins/{name}" for name in store.list("pins") if store.is_snapshot_id(name)}
    found = []
    for path in walk_files(store.root):
        name = names.to_text(path)
        if name not in known:
            found.append(Finding(name, "leftover" if name.startswith("tmp/") else "foreign"))
    return found


def walk_files(root):
    """Yield the paths in an archive of all that is no folder."""
    for path, status in tree.walk(os.fsencode(root), None):
        if not stat.S_ISDIR(status.st_mode):
            yield path
