"""Maps: keys with values, in the order in which the keys came."""

from fractions import Fraction

from lang.errors import Failure
from lang.sizes import check_size


KEYS = frozenset((type(None), int, Fraction, str))
BOOLEANS = ((False,), (True,))


class Map:
    """Entries by what tells keys apart."""

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
        return list(map(key_of, self.entries))

    def items(self):
        """All pairs, one after the other."""
        return zip(map(key_of, self.entries), self.entries.values())


def identity(key):
    """The key, but for booleans, which to the host are the same as numbers."""
    if type(key) is bool:
        return BOOLEANS[key]
    if type(key) not in KEYS:
        raise Failure("key")
    return key


def key_of(identity):
    return identity[0] if type(identity) is tuple else identity
