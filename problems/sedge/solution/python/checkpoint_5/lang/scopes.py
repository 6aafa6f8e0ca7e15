"""Which name means which variable."""

from lang.values import Builtin


class Variable:
    """Its slot is that of the function whose scope tells of it; it may be captured from around it."""

    __slots__ = ("name", "slot", "constant", "captured")

    def __init__(self, name, slot, constant, captured=False):
        self.name = name
        self.slot = slot
        self.constant = constant
        self.captured = captured


class Alias:
    """What is used of a module: a member, or the whole if that is None.

    The module is None where none was found.
    """

    __slots__ = ("module", "member")

    def __init__(self, module, member):
        self.module = module
        self.member = member


class Scope:
    """The open blocks of one function, the innermost last, within those of another or the builtins."""

    def __init__(self, code, parent, builtins: dict[str, Builtin]):
        self.code = code
        self.parent = parent
        self.builtins = builtins
        self.blocks = []
        self.captured = {}

    def open(self):
        self.blocks.append({})

    def close(self):
        """Ends a block and tells the slots of its variables."""
        found = self.blocks.pop().values()
        return [item.slot for item in found if isinstance(item, Variable)]

    def declares(self, name):
        """Whether the innermost block has a variable of this name."""
        return name in self.blocks[-1]

    def declare(self, name, constant):
        variable = Variable(name, self.new_slot(), constant)
        self.blocks[-1][name] = variable
        return variable

    def declare_alias(self, name, alias):
        self.blocks[-1][name] = alias

    def new_slot(self):
        self.code.slots += 1
        return self.code.slots - 1

    def find(self, name):
        """A variable, an alias, a builtin, or None."""
        for block in reversed(self.blocks):
            if name in block:
                return block[name]
        if self.parent is None:
            return self.builtins.get(name)
        found = self.parent.find(name)
        return self.capture(found) if isinstance(found, Variable) else found

    def capture(self, outer):
        """The variable here that shares the cell of one of the enclosing function."""
        if outer.slot not in self.captured:
            inner = Variable(outer.name, self.new_slot(), outer.constant, True)
            self.captured[outer.slot] = inner
            self.code.captures.append((outer.slot, inner.slot))
        return self.captured[outer.slot]
