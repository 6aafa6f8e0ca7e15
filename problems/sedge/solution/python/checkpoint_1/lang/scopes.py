"""Which name means which variable."""

from lang.values import Builtin


class Variable:
    __slots__ = ("name", "slot", "constant")

    def __init__(self, name, slot, constant):
        self.name = name
        self.slot = slot
        self.constant = constant


class Scopes:
    """The blocks that are open, the innermost last; around them all, the builtins."""

    def __init__(self, builtins: dict[str, Builtin]):
        self.builtins = builtins
        self.blocks = []
        self.slots = 0

    def open(self):
        self.blocks.append({})

    def close(self):
        """Ends a block and tells its variables."""
        return list(self.blocks.pop().values())

    def declare(self, name, constant):
        """A new variable of the innermost block, or None if it has one of this name."""
        block = self.blocks[-1]
        if name in block:
            return None
        block[name] = Variable(name, self.slots, constant)
        self.slots += 1
        return block[name]

    def find(self, name):
        """A variable, a builtin, or None."""
        for block in reversed(self.blocks):
            if name in block:
                return block[name]
        return self.builtins.get(name)
