"""Compiled code."""


class Code:
    """Instructions as pairs of an operation and its argument, and where each comes from.

    Loops are told of by the instruction at which they begin again, and the one that follows them.
    """

    def __init__(self):
        self.instructions = []
        self.positions = []
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
