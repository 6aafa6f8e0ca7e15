"""When values are equal. Lists and maps can be of any depth, and contain themselves."""

from lang.kinds import kind
from lang.maps import Map


class Classes:
    """Containers that count as equal, by their identities: each knows another one of its class, or none."""

    def __init__(self):
        self.others = {}

    def joined(self, one, other):
        """Makes one class of two; false if they were one before."""
        first, second = self.last_of(id(one)), self.last_of(id(other))
        self.others[first] = second
        return first != second

    def last_of(self, member):
        others = self.others
        while others.get(member, member) != member:
            others[member] = member = others.get(others[member], others[member])
        return member


def equal(left, right):
    """Whether no difference can be reached; what is being compared counts as equal.

    Each comparison of two containers makes one class of two, so that there are fewer than containers.
    """
    if type(left) is type(right) and type(left) in (int, str):
        return left == right
    classes = Classes()
    pairs = [(left, right)]
    while pairs:
        one, other = pairs.pop()
        if one is other:
            continue
        if not alike(one, other):
            return False
        if type(one) in (list, Map) and classes.joined(one, other):
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
