"""Compiled code."""


class Code:
    """The code of a function, or of a whole source.

    Instructions are pairs of an operation and its argument; positions say where each comes from.
    Captures are pairs of slots: one of the enclosing code, and the one here that shares its cell.
    Loops are told of by the instruction at which they begin again, and the one that follows them.
    """

    def __init__(self, source, name, position, parameters):
        self.source = source
        self.name = name
        self.position = position
        self.parameters = parameters
        self.instructions = []
        self.positions = []
        self.captures = []
        self.loops = {}
        self.slots = 0

    def emit(self, operation, argument, position):
        self.instructions.append((operation, argument))
        self.positions.append(position)
        return len(self.instructions) - 1

    @property
    def here(self):
        return len(self.instructions)

    def aim(self, index, target):
        """Let a jump lead to its target, which was not known before."""
        operation, _ = self.instructions[index]
        self.instructions[index] = (operation, target)
