"""The modules of a program, one for each source."""

from lang import nodes, patterns
from lang.frames import UNSET


class Module:
    """A source; while the program runs, also its variables.

    There is no program if the source has a fault of grammar. `exports` tells the slots of what is
    public. There are no slots before the module is run.
    """

    def __init__(self, name):
        self.name = name
        self.program = None
        self.code = None
        self.errors = []
        self.exports = {}
        self.slots = None
        self.public = None

    def uses(self):
        return [node for node in self.program.statements if isinstance(node, nodes.Use)]

    def offers(self, name):
        """Whether a name is public, or may be, for all that is known."""
        if self.program is None:
            return True
        if self.public is None:
            self.public = {name.name for name in self.public_names()}
        return name in self.public

    def public_names(self):
        for node in self.program.statements:
            if isinstance(node, nodes.Public):
                yield from patterns.declared(node.declaration)

    def value(self, name):
        """The value of a public variable by now, which can be `UNSET`."""
        cell = self.slots and self.slots[self.exports[name]]
        return cell[0] if cell else UNSET
