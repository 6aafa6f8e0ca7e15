"""Values: what they are called, when they are the same, and how they are ordered."""

from decimal import Decimal
from itertools import chain
from operator import neg

from logquery.times import Time


class Missing:
    """That there is no value, not even null."""

    def __reduce__(self):
        return "MISSING"


MISSING = Missing()

KINDS = {
    Missing: "missing",
    type(None): "null",
    bool: "boolean",
    Decimal: "number",
    Time: "time",
    str: "string",
    list: "list",
    dict: "object",
}

RANKS = {kind: rank for rank, kind in enumerate(KINDS)}
MISSING_KEY = (RANKS[Missing],)
NULL_KEY = (RANKS[type(None)],)


def kind_of(value):
    return KINDS[type(value)]


def is_absent(value):
    """Whether a value is missing or null."""
    return value is None or value is MISSING


def list_key(value):
    return (RANKS[list], tuple(map(sort_key, value)))


def object_key(value):
    return (RANKS[dict], tuple((name, sort_key(value[name])) for name in sorted(value)))


SPECIAL_KEYS = {
    Missing: lambda value: MISSING_KEY,
    type(None): lambda value: NULL_KEY,
    list: list_key,
    dict: object_key,
}


def sort_key(value):
    """A key that is equal for the same values, and ordered as values of all types are."""
    kind = type(value)
    special = SPECIAL_KEYS.get(kind)
    return (RANKS[kind], value) if special is None else special(value)


def joined_keys(keys):
    """A key of several keys, by the first of them, then the second and so on."""
    return keys[0] if len(keys) == 1 else tuple(chain.from_iterable(keys))


def key_of_all(values):
    """A key of several values."""
    return joined_keys([sort_key(value) for value in values])


class Descending:
    """A key in the reverse order."""

    __slots__ = ("key",)

    def __init__(self, key):
        self.key = key

    def __eq__(self, other):
        return self.key == other.key

    def __lt__(self, other):
        return other.key < self.key


def descending_key(value):
    """A key in the reverse order of all types."""
    rank, *rest = sort_key(value)
    return (-rank, *map(neg if type(value) is Decimal else Descending, rest))


def are_equal(left, right):
    """Whether two values other than missing and null are the same."""
    return sort_key(left) == sort_key(right)
