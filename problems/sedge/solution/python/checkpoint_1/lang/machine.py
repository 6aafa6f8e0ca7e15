"""The machine: a stack of values, and where the program stands."""

from lang.errors import Failure
from lang.stretches import settle


class Fault(Exception):
    """The program failed and nothing caught it."""

    def __init__(self, code, position):
        super().__init__(code)
        self.code = code
        self.position = position


class Machine:
    def __init__(self, code):
        self.code = code
        self.counter = 0
        self.stack = []
        self.slots = [None] * code.slots
        self.running = True

    def run(self):
        instructions = self.code.instructions
        try:
            while self.running:
                operation, argument = instructions[self.counter]
                self.counter += 1
                operation(self, argument)
        except Failure as failure:
            settle(failure)
            position = self.code.positions[self.counter - 1]
            raise Fault(failure.code, position) from None

    def take(self, count):
        """The topmost values, removed."""
        start = len(self.stack) - count
        values = self.stack[start:]
        del self.stack[start:]
        return values
