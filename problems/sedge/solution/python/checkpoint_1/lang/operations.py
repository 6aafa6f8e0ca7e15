"""What instructions do.

An operation takes the machine and its argument. Values that it needs lie on the stack, the last
operand on top.
"""

from lang import operators
from lang.errors import Failure
from lang.sizes import joined
from lang.values import Builtin, display


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
    machine.stack.append(operators.item_at(operators.changeable(container), index))


def update(machine, operation):
    """Below the item are index, container and right operand, which becomes the result."""
    item = machine.stack.pop()
    machine.stack[-3] = operation(item, machine.stack[-3])


def put_item(machine, _):
    value, container, index = machine.take(3)
    operators.put_at(container, index, value)


def call(machine, count):
    arguments = machine.take(count)
    machine.stack.append(invoke(machine.stack.pop(), arguments))


def invoke(callee, arguments):
    if type(callee) is not Builtin:
        raise Failure("type")
    if not callee.takes(len(arguments)):
        raise Failure("arity")
    return callee.call(*arguments)
