"""The machine: a stack of values, and one function for each operation.

An operation takes the machine and its argument. Values that it needs lie on the stack, the last
operand on top.
"""

from lang import operators
from lang.errors import Failure
from lang.sizes import joined
from lang.values import Builtin, display


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
            position = self.code.positions[self.counter - 1]
            raise Fault(failure.code, position) from None

    def take(self, count):
        """The topmost values, removed."""
        start = len(self.stack) - count
        values = self.stack[start:]
        del self.stack[start:]
        return values


def halt(machine, _):
    machine.running = False


def push(machine, value):
    machine.stack.append(value)


def drop(machine, _):
    machine.stack.pop()


def load(machine, slot):
    machine.stack.append(machine.slots[slot])


def store(machine, slot):
    machine.slots[slot] = machine.stack.pop()


def make_text(machine, count):
    machine.stack.append(joined(map(display, machine.take(count))))


def make_list(machine, count):
    machine.stack.append(machine.take(count))


def unary(machine, operation):
    machine.stack.append(operation(machine.stack.pop()))


def binary(machine, operation):
    right = machine.stack.pop()
    machine.stack.append(operation(machine.stack.pop(), right))


def binary_reversed(machine, operation):
    """As `binary`, with the left operand on top."""
    left = machine.stack.pop()
    machine.stack.append(operation(left, machine.stack.pop()))


def check_boolean(machine, _):
    operators.boolean(machine.stack[-1])


def jump(machine, target):
    machine.counter = target


def jump_if_true(machine, target):
    if operators.boolean(machine.stack[-1]):
        machine.counter = target


def jump_if_false(machine, target):
    if not operators.boolean(machine.stack[-1]):
        machine.counter = target


def branch(machine, target):
    """Jumps if the condition, which is removed, does not hold."""
    if not operators.boolean(machine.stack.pop()):
        machine.counter = target


def get_item(machine, _):
    index = machine.stack.pop()
    machine.stack.append(operators.item_at(machine.stack.pop(), index))


def peek_item(machine, _):
    """As `get_item`, but container and index stay below the item."""
    container, index = machine.stack[-2:]
    if type(container) is not list:
        raise Failure("type")
    machine.stack.append(operators.item_at(container, index))


def update(machine, operation):
    """Below the item are index, container and right operand, which becomes the result."""
    item = machine.stack.pop()
    machine.stack[-3] = operation(item, machine.stack[-3])


def put_item(machine, _):
    value, container, index = machine.take(3)
    operators.put_at(container, index, value)


def call(machine, count):
    arguments = machine.take(count)
    callee = machine.stack.pop()
    if type(callee) is not Builtin:
        raise Failure("type")
    if count < callee.least or callee.most is not None and count > callee.most:
        raise Failure("arity")
    machine.stack.append(callee.call(*arguments))
