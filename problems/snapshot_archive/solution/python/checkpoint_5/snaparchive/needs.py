"""What snapshots need of an archive."""

from snaparchive.entries import files
from snaparchive.vault import Vault


class Needed:
    """Objects or recipes by their digests, as bytes, with the numbers of the snapshots that need them.

    The numbers are the bits of one: archives have many snapshots, and these need much in common.
    """

    def __init__(self):
        self.users = {}
        self.sizes = {}

    def add(self, sha256, size, users):
        """Note that an object or recipe is needed. The size is that of the object, or of the recipe's content."""
        key = bytes.fromhex(sha256)
        known = self.users.get(key)
        self.users[key] = users if known is None else known | users
        self.sizes[key] = max(size, self.sizes.get(key, 0))

    def has(self, sha256):
        return bytes.fromhex(sha256) in self.users

    def number_of_users(self, sha256):
        return self.users.get(bytes.fromhex(sha256), 0).bit_count()

    def items(self):
        """Yield digests with sizes and users, in the order in which they were found to be needed."""
        return ((key.hex(), self.sizes[key], users) for key, users in self.users.items())

    def size(self):
        return sum(self.sizes.values())

    def size_for(self, number):
        """Return the size of all that a snapshot needs."""
        return sum(self.sizes[key] for key, users in self.users.items() if users >> number & 1)

    def size_for_alone(self, number):
        """Return the size of all that a snapshot needs and no other one does."""
        return sum(self.sizes[key] for key, users in self.users.items() if users == 1 << number)


class Needs:
    """The objects and recipes that snapshots need."""

    def __init__(self, vault):
        self.vault = vault
        self.objects = Needed()
        self.recipes = Needed()

    def add_snapshot(self, number, snapshot):
        """Note what a snapshot needs but for the blocks of long contents."""
        for file in files(snapshot.entries()):
            needed = self.recipes if self.vault.is_long(file.size) else self.objects
            needed.add(file.sha256, file.size, 1 << number)

    def add_blocks(self, is_wanted=lambda sha256: True):
        """Note the blocks of long contents, or of those wanted. Of each, the recipe is read once, whoever needs it."""
        for sha256, size, users in filter(lambda item: is_wanted(item[0]), self.recipes.items()):
            for block, length in self.vault.block_sizes(sha256, size).items():
                self.objects.add(block, length, users)


def needs_of(store, found):
    """Return what snapshots need, which are numbered in their order."""
    needs = Needs(Vault(store))
    for number, snapshot in enumerate(found):
        needs.add_snapshot(number, snapshot)
    needs.add_blocks()
    return needs
