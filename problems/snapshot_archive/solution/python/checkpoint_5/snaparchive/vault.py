"""Contents of files in an archive: short ones are one object, long ones a recipe of several."""

import hashlib
from itertools import chain, repeat

from snaparchive.contents import PIECE
from snaparchive.errors import Failure
from snaparchive.store import object_name, recipe_name
from snaparchive.streams import Stream


class Vault:
    def __init__(self, store):
        self.store = store

    def is_long(self, file):
        return self.store.block is not None and file.size > self.store.block

    def has(self, file):
        """Whether all that a file's content needs is there, be it damaged or not."""
        if not self.is_long(file):
            return self.store.has(object_name(file.sha256))
        try:
            blocks = self.store.read_recipe(file.sha256)
        except Failure:
            return False
        return all(self.store.has(object_name(block)) for block in blocks)

    def add(self, content, file):
        """Store a content, given by its pieces, and return the sizes of the objects that are new."""
        source = Stream(content)
        blocks = (pieces_of_block(source, length) for _, length in self.bounds(file))
        written = [self.store.write_object(chunks) for chunks in blocks]
        if self.is_long(file):
            recipe = "".join(f"{block}\n" for block, _ in written)
            self.store.write(recipe_name(file.sha256), [recipe.encode("ascii")])
        return [size for _, size in written if size is not None]

    def bounds(self, file):
        """Return where the objects of a content begin, and their lengths."""
        if not self.is_long(file):
            return [(0, file.size)]
        length = self.store.block
        return [(start, min(length, file.size - start)) for start in range(0, file.size, length)]

    def object_ids(self, file):
        return self.store.read_recipe(file.sha256) if self.is_long(file) else [file.sha256]

    def objects(self, file):
        """Return the objects that a content needs, with the sizes they should have."""
        sizes = {}
        # A recipe may have more lines than the content has blocks: what they name is needed, too.
        lengths = chain((length for _, length in self.bounds(file)), repeat(0))
        for sha256, length in zip(self.object_ids(file), lengths):
            sizes.setdefault(sha256, length)
        return sizes

    def read(self, file):
        """Yield a file's content piece by piece; Failure where it is not what it should be."""
        whole = hashlib.sha256()
        for sha256 in self.object_ids(file):
            hasher = hashlib.sha256()
            for piece in self.store.read(object_name(sha256)):
                hasher.update(piece)
                whole.update(piece)
                yield piece
            if hasher.hexdigest() != sha256:
                raise Failure("damaged", file=object_name(sha256))
        if whole.hexdigest() != file.sha256:
            raise Failure("damaged", file=recipe_name(file.sha256))

    def verify(self, file):
        for _ in self.read(file):
            pass


def pieces_of_block(source, length):
    """Yield what comes next of a source, up to a length."""
    while length and (piece := source.read(min(length, PIECE))):
        length -= len(piece)
        yield piece
