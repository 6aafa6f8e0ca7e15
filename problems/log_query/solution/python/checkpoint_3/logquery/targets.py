"""Where stages put values: columns, and members of the objects in them."""

from logquery.errors import QueryFailure
from logquery.values import MISSING


class Target:
    """A column, or a member at any depth of the object in it. Objects are copied before they are changed, since other
    rows may have them, too."""

    def __init__(self, names):
        *self.way, self.last = [name.text for name in names]
        self.steps = list(zip(self.way, [name.position for name in names[1:]], strict=True))

    def put(self, row, value):
        """Sets the value in a row where it stands, or else as the last one; a missing value removes what is there."""
        if value is MISSING:
            self.remove(row)
            return
        members = row
        for name, position in self.steps:
            inner = members.get(name, {})
            if type(inner) is not dict:
                raise QueryFailure("type", position)
            members[name] = members = dict(inner)
        members[self.last] = value

    def remove(self, row):
        if self.get(row) is MISSING:
            return
        members = row
        for name in self.way:
            members[name] = members = dict(members[name])
        del members[self.last]

    def get(self, row):
        members = row
        for name in self.way:
            members = members.get(name)
            if type(members) is not dict:
                return MISSING
        return members.get(self.last, MISSING)


def parse_target(tokens):
    names = [tokens.name()]
    while tokens.take("."):
        names.append(tokens.name())
    return Target(names)
