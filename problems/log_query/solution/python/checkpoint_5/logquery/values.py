"""Values: what they are called, when they are the same, and how they are ordered."""

from decimal import Decimal

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


def are_equal(left, right):
    """Whether two values other than missing and null are the same."""
    return sort_key(left) == sort_key(right)
