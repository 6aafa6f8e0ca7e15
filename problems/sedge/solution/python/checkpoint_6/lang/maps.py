"""Maps: keys with values, in the order in which the keys came."""

from lang.errors import Failure
from lang.kinds import kind
from lang.sizes import check_size


class Map:
    """Entries by pairs of a key's kind and the key, for 1 and `true` are the same to the host."""

    __slots__ = ("entries",)

    def __init__(self):
        self.entries = {}

    def __len__(self):
        return len(self.entries)

    def __getitem__(self, key):
        try:
            return self.entries[identity(key)]
        except KeyError:
            raise Failure("missing") from None

    def __setitem__(self, key, value):
        self.entries[identity(key)] = value

    def __contains__(self, key):
        return identity(key) in self.entries

    def remove(self, key):
        value = self[key]
        del self.entries[identity(key)]
        return value

    def keys(self):
        check_size(len(self))
        return [key for _, key in self.entries]

    def items(self):
        """All pairs, one after the other."""
        return ((key, value) for (_, key), value in self.entries.items())


def identity(key):
    key_kind = kind(key)
    if key_kind in ("list", "map", "function", "coroutine"):
        raise Failure("key")
    return key_kind, key
