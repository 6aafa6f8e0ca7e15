"""Contents of files in an archive: short ones are one object, long ones a recipe of several."""

import hashlib
from itertools import chain, repeat

from snaparchive import digestlists
from snaparchive.contents import PIECE, hashed, pieces_of_block
from snaparchive.errors import Failure
from snaparchive.keeping import Kept
from snaparchive.store import NewFile, object_name, recipe_name

# Recipes can have a million lines of few short blocks: these are not looked for each time.
SHORT = 256
MOST_KEPT = 10000


class Vault:
    def __init__(self, store):
        self.store = store
        self.short_objects = Kept(MOST_KEPT)
        self.there = Kept(MOST_KEPT)
        self.verified = Kept(MOST_KEPT)
        self.new_objects = 0
        self.new_bytes = 0

    def is_long(self, size):
        return self.store.block is not None and size > self.store.block

    def has(self, file):
        """Whether all that a file's content needs is there, be it damaged or not."""
        if not self.is_long(file.size):
            return self.has_object(file.sha256)
        try:
            blocks = self.blocks(file.sha256)
        except Failure:
            return False
        return all(map(self.has_object, blocks))

    def has_object(self, sha256):
        if sha256 not in self.there and self.store.has(object_name(sha256)):
            self.there.keep(sha256, True)
        return sha256 in self.there

    def add(self, path, file):
        """Store the content of the file at a path. What is new by that is counted."""
        with open(path, "rb") as source:
            if self.is_long(file.size):
                self.add_blocks(source, file)
            else:
                self.add_object(source, file.size)

    def add_blocks(self, source, file):
        recipe = NewFile(self.store, "recipe")
        for length in self.lengths(file.size):
            recipe.write(b"%s\n" % self.add_object(source, length).encode("ascii"))
        recipe.move_to(recipe_name(file.sha256))

    def add_object(self, source, length):
        """Store what comes next of a source, unless it is there, and return its digest."""
        if length > PIECE:
            return self.add_long_object(source, length)
        data = source.read(length)
        sha256 = hashlib.sha256(data).hexdigest()
        if not self.has_object(sha256):
            self.store.write(object_name(sha256), [data])
            self.note_new(sha256, len(data))
        return sha256

    def add_long_object(self, source, length):
        """Store an object whose digest is known only when it has been copied."""
        new = NewFile(self.store, "object")
        for piece in pieces_of_block(source, length):
            new.write(piece)
        sha256 = new.close()
        if not self.has_object(sha256):
            new.move_to(object_name(sha256))
            self.note_new(sha256, length)
        return sha256

    def note_new(self, sha256, length):
        self.new_objects += 1
        self.new_bytes += length

    def blocks(self, sha256):
        """Return the digests of a long content's blocks, one by one; Failure at once if the recipe is malformed."""
        return digestlists.read(self.store, recipe_name(sha256))

    def lengths(self, size):
        """Yield the lengths of the blocks of a long content."""
        for start in range(0, size, self.store.block):
            yield min(self.store.block, size - start)

    def block_sizes(self, sha256, size):
        """Return the objects that a recipe names, with the sizes they should have."""
        sizes = {}
        # A recipe may have more lines than the content has blocks: what they name is needed, too.
        lengths = chain(self.lengths(size), repeat(0))
        for block, length in zip(self.blocks(sha256), lengths):
            sizes.setdefault(block, length)
        return sizes

    def read(self, file):
        """Yield a file's content piece by piece; Failure where it is not what it should be."""
        return self.read_long(file.sha256) if self.is_long(file.size) else self.read_object(file.sha256)

    def read_long(self, sha256):
        whole = hashlib.sha256()
        for block in self.blocks(sha256):
            yield from hashed(self.read_object(block), whole)
        if whole.hexdigest() != sha256:
            raise Failure("damaged", file=recipe_name(sha256))

    def read_object(self, sha256):
        if sha256 in self.short_objects:
            yield self.short_objects[sha256]
            return
        hasher = hashlib.sha256()
        beginning = b""
        for piece in hashed(self.store.read(object_name(sha256)), hasher):
            if len(beginning) <= SHORT:
                beginning += piece
            yield piece
        if hasher.hexdigest() != sha256:
            raise Failure("damaged", file=object_name(sha256))
        if len(beginning) <= SHORT:
            self.short_objects.keep(sha256, beginning)

    def verify(self, file):
        """Read a content unless this has been done."""
        key = file.sha256, self.is_long(file.size)
        if key not in self.verified:
            for _ in self.read(file):
                pass
            self.verified.keep(key, True)
