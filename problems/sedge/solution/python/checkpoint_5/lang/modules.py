"""The modules of a program, one for each source."""

from functools import cached_property

from lang import nodes, patterns
from lang.frames import UNSET

UNKNOWN = object()


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

    def uses(self):
        declared = map(nodes.declaration, self.program.statements)
        return [node for node in declared if isinstance(node, nodes.Use)]

    def offers(self, name):
        """Whether a name is public, or may be, for all that is known."""
        return self.origin(name) is not None

    def origin(self, name):
        """The module that declares a public variable, which others may hand on; None if there is none.

        Nothing is known of modules with faults: it is `UNKNOWN` then.
        """
        passed = set()
        module = self
        while module not in passed:
            passed.add(module)
            if module is None or module.program is None:
                return UNKNOWN
            if name not in module.public:
                return None
            use = module.public[name]
            if use is None:
                return module
            module = use.module
        return None

    @cached_property
    def public(self):
        """The public names, each with the `use` that it comes from, or None for an own variable."""
        found = {}
        for node in self.program.statements:
            if isinstance(node, nodes.Public):
                use = node.declaration if isinstance(node.declaration, nodes.Use) else None
                for name in patterns.declared(node):
                    found.setdefault(name.name, use)
        return found

    def value(self, name):
        """The value of a public variable by now, which can be `UNSET`."""
        cell = self.slots and self.slots[self.exports[name]]
        return cell[0] if cell else UNSET
