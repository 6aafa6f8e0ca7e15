"""When values are equal. Lists and maps can be of any depth, and contain themselves."""

from lang.kinds import kind
from lang.maps import Map


def equal(left, right):
    """Whether no difference can be reached; pairs that are being compared count as equal."""
    if type(left) is type(right) and type(left) in (int, str):
        return left == right
    seen = set()
    pairs = [(left, right)]
    while pairs:
        one, other = pairs.pop()
        if one is other:
            continue
        if not alike(one, other):
            return False
        key = (id(one), id(other))
        if key not in seen and type(one) in (list, Map):
            seen.add(key)
            pairs.extend(inner_pairs(one, other))
    return True


def alike(one, other):
    """Whether there is no difference but perhaps inside."""
    if kind(one) != kind(other):
        return False
    if type(one) is list:
        return len(one) == len(other)
    if type(one) is Map:
        return one.entries.keys() == other.entries.keys()
    return one == other


def inner_pairs(one, other):
    if type(one) is list:
        return zip(one, other)
    return [(value, other.entries[key]) for key, value in one.entries.items()]
