"""Where `repair` takes what it needs from: other archives, and folders."""

import os

from snaparchive import snapshots, tree
from snaparchive.entries import files
from snaparchive.errors import Failure
from snaparchive.opening import is_volumes, open_volumes
from snaparchive.store import RECIPES, SNAPSHOTS, digits, object_name, open_archive, recipe_name
from snaparchive.vault import Vault


class Source:
    """Something that may have files of an archive. It is asked for each of them once."""

    def __init__(self, store):
        self.store = store
        self.asked = set()

    def give(self, names):
        """Write what is here of some files, and return the names of that."""
        wanted = [name for name in names if name not in self.asked]
        self.asked.update(wanted)
        return self.write(wanted) if wanted else []

    def write(self, wanted):
        raise NotImplementedError


class ArchiveSource(Source):
    """Another archive, whose files have the same names."""

    def __init__(self, store, other):
        super().__init__(store)
        self.other = open_volumes(other) if is_volumes(other) else open_archive(other)
        self.vault = Vault(self.other)

    def write(self, wanted):
        good = list(filter(self.is_good, wanted))
        for name in good:
            self.store.write(name, self.other.read(name))
        return good

    def is_good(self, name):
        if name.startswith(RECIPES) and self.other.block != self.store.block:
            return False
        try:
            self.check(name)
        except Failure:
            return False
        return True

    def check(self, name):
        if name.startswith(SNAPSHOTS):
            snapshots.load(self.other, digits(name))
        elif name.startswith(RECIPES):
            self.vault.verify_long(digits(name))
        else:
            self.vault.verify_object(digits(name))


class TreeSource(Source):
    """A folder, whose files are cut as the archive would."""

    def __init__(self, store, folder):
        super().__init__(store)
        self.root = tree.open_folder(folder)

    def write(self, wanted):
        vault = WantedVault(self.store, wanted)
        for file in files(tree.scan(self.root, left_out=self.store.identity)):
            with open(os.path.join(self.root, file.path), "rb") as source:
                vault.add(source, file)
        return vault.given


class WantedVault(Vault):
    """Stores of contents what is wanted of them, whether it is there or not."""

    def __init__(self, store, wanted):
        super().__init__(store)
        self.wanted = set(wanted)
        self.given = []

    def has_object(self, sha256):
        return object_name(sha256) not in self.wanted

    def note_new(self, sha256, length):
        self.note(object_name(sha256))

    def put_recipe(self, recipe, sha256):
        if recipe_name(sha256) in self.wanted:
            super().put_recipe(recipe, sha256)
            self.note(recipe_name(sha256))

    def note(self, name):
        self.wanted.remove(name)
        self.given.append(name)
