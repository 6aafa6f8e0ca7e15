"""Looking for what is wrong with an archive."""

import os
import stat
from collections import defaultdict, namedtuple
from itertools import chain

from snaparchive import names, parity, snapshots, tree
from snaparchive.contents import digest, digest_of
from snaparchive.errors import Failure
from snaparchive.store import RECIPES, SNAPSHOTS, object_name, recipe_name, snapshot_name
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

    def __init__(self, files, present):
        self.files = files
        self.present = present
        self.damaged = set()
        self.groups = {}
        self.broken_parity = set()
        self.needed_by = defaultdict(set)

    @property
    def missing(self):
        wanted = set(self.needed_by) | {member.file for member in self.members()}
        return wanted - self.present

    def members(self):
        return [member for group in self.groups.values() for member in group.members]

    def is_good(self, name):
        return name in self.present and name not in self.damaged

    def knows_all_needs(self):
        """Whether nothing is lost or damaged that would name what is needed."""
        lost = self.damaged | self.missing
        return not any(
            name.startswith(SNAPSHOTS) or name.startswith(RECIPES) and name in self.needed_by for name in lost
        )


def inspect(store):
    objects, recipes = store.names("objects"), store.names("recipes")
    ids = store.snapshot_ids()
    files = [*objects, *recipes, *map(snapshot_name, ids)]
    inspection = Inspection(files, set(files))
    inspect_parity(store, inspection)
    for name in objects:
        if digest(store.path(name)) != digits(name):
            inspection.damaged.add(name)
    inspect_recipes(store, inspection, recipes)
    inspect_snapshots(store, inspection, ids)
    return inspection


def digits(name):
    """Return the digits in a name."""
    return "".join(name.split("/")[1:])


def inspect_parity(store, inspection):
    for name in parity.names(store):
        try:
            group = parity.read_group(store, name)
        except Failure:
            inspection.broken_parity.add(name)
            continue
        inspection.groups[name] = group
        if not parity.is_whole(store, group):
            inspection.broken_parity.add(name)


def inspect_recipes(store, inspection, recipes):
    digests = defaultdict(set)
    for member in inspection.members():
        digests[member.file].add(member.sha256)
    for name in recipes:
        as_protected = name not in digests or digests[name] == {digest(store.path(name))}
        if not as_protected or not recipe_may_be_good(store, inspection, name):
            inspection.damaged.add(name)


def recipe_may_be_good(store, inspection, name):
    """Whether a recipe is well formed and, as far as its blocks are good, makes what its name says."""
    try:
        blocks = store.read_recipe(digits(name))
    except Failure:
        return False
    if not all(inspection.is_good(object_name(block)) for block in blocks):
        return True
    return makes_content(store, blocks, digits(name))


def makes_content(store, blocks, sha256):
    return digest_of(chain.from_iterable(store.read(object_name(block)) for block in blocks)) == sha256


def inspect_snapshots(store, inspection, ids):
    """Note which snapshots are damaged, and what the others need."""
    for snapshot_id in ids:
        try:
            snapshot = snapshots.load(store, snapshot_id)
        except Failure:
            inspection.damaged.add(snapshot_name(snapshot_id))
        else:
            note_needs(store, inspection, snapshot)


def note_needs(store, inspection, snapshot):
    vault = Vault(store)
    for file in snapshot.files:
        needed = [object_name(file.sha256)]
        if vault.is_long(file):
            recipe = recipe_name(file.sha256)
            blocks = store.read_recipe(file.sha256) if inspection.is_good(recipe) else []
            needed = [recipe, *map(object_name, blocks)]
        for name in needed:
            inspection.needed_by[name].add(snapshot.id)


def findings(store, inspection):
    """Return all findings, in the order of files."""
    found = [defect(inspection, name, "damaged") for name in inspection.damaged]
    found += [defect(inspection, name, "missing") for name in inspection.missing]
    found += [Finding(name, "damaged") for name in inspection.broken_parity]
    found += remarks(store, inspection)
    return sorted(found, key=lambda finding: names.from_text(finding.file))


def defect(inspection, name, kind):
    count = None if name.startswith(SNAPSHOTS) else len(inspection.needed_by.get(name, ()))
    return Finding(name, kind, count)


def remarks(store, inspection):
    """Return what is strange, but no defect."""
    found = []
    protected = {member.file for member in inspection.members()}
    tells_unused = inspection.knows_all_needs()
    for name in inspection.files:
        if name in inspection.damaged:
            continue
        if tells_unused and not name.startswith(SNAPSHOTS) and name not in inspection.needed_by:
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
