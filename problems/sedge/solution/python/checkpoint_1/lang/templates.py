"""The host's text for instructions.

A template takes the stretch that is written, at the instruction, and the instruction's argument.
Where the operands are as they mostly are, the text does what is to be done itself, else it calls
what the instruction would. It is false if control does not go on behind the instruction.
"""

from lang import operations, operators
from lang.operators import changeable, item_at, put_at
from lang.sizes import joined
from lang.values import Builtin, display

# Numbers that the host computes with directly have to be far from being too large.
NEAR = 1 << 60
SUMS = {operators.BINARY[symbol]: symbol for symbol in ("+", "-", "*")}
QUOTIENTS = {operators.BINARY[symbol]: symbol for symbol in ("//", "%")}
COMPARISONS = {operators.BINARY[symbol]: symbol for symbol in ("<", "<=", ">", ">=", "==", "!=")}


def push(stretch, value):
    stretch.push(stretch.constant(value))


def drop(stretch, _):
    stretch.pop()


def load(stretch, slot):
    stretch.push_result(f"slots[{slot}]")


def store(stretch, slot):
    stretch.line(f"slots[{slot}] = {stretch.pop()}")


def make_text(stretch, count):
    parts = ", ".join(stretch.pop_many(count))
    stretch.push_result(f"{stretch.constant(joined)}(map({stretch.constant(display)}, ({parts},)))")


def make_list(stretch, count):
    stretch.push_result(f"[{', '.join(stretch.pop_many(count))}]")


def unary(stretch, operation):
    operand = stretch.pop()
    if operation is operators.invert:
        stretch.check_boolean(operand)
        stretch.booleans.add(stretch.push_result(f"not {operand}"))
    else:
        stretch.push_result(f"{stretch.constant(operation)}({operand})")


def binary(stretch, operation):
    right, left = stretch.pop(), stretch.pop()
    apply(stretch, operation, left, right)


def binary_reversed(stretch, operation):
    left, right = stretch.pop(), stretch.pop()
    apply(stretch, operation, left, right)


def apply(stretch, operation, left, right):
    left, right = literal(stretch, left), literal(stretch, right)
    call = f"{stretch.constant(operation)}({left}, {right})"
    if operation in SUMS:
        result = stretch.name("v")
        near = f"-{NEAR} < ({result} := {left} {SUMS[operation]} {right}) < {NEAR}"
        stretch.lines_within(f"if not ({are_whole(left, right)} and {near})", f"{result} = {call}")
        stretch.push(result)
    elif operation in QUOTIENTS:
        fast = f"{left} {QUOTIENTS[operation]} {right}"
        stretch.push_result(f"{fast} if {are_whole(left, right)} and {right} > 0 else {call}")
    elif operation in COMPARISONS:
        fast = f"{left} {COMPARISONS[operation]} {right}"
        stretch.booleans.add(stretch.push_result(f"{fast} if {are_whole(left, right)} else {call}"))
    else:
        stretch.push_result(call)


def literal(stretch, operand):
    """A small whole number itself instead of its name."""
    value = stretch.constants.get(operand)
    return str(value) if type(value) is int and abs(value) < NEAR else operand


def are_whole(left, right):
    """A condition that does not ask of constants what they are."""
    if is_whole(left):
        return f"type({right}) is int"
    if is_whole(right):
        return f"type({left}) is int"
    return f"type({left}) is type({right}) is int"


def is_whole(operand):
    return operand.lstrip("-").isdigit()


def check_boolean(stretch, _):
    operand = stretch.pop()
    stretch.check_boolean(operand)
    stretch.push(operand)


def jump(stretch, target):
    stretch.leave_for(target)
    return False


def jump_if_true(stretch, target):
    stretch.write_shortcut("not ", target)


def jump_if_false(stretch, target):
    stretch.write_shortcut("", target)


def branch(stretch, target):
    condition = stretch.pop()
    stretch.check_boolean(condition)
    return stretch.choose(condition, target)


def get_item(stretch, _):
    index, container = stretch.pop(), stretch.pop()
    call = f"{stretch.constant(item_at)}({container}, {index})"
    stretch.push_result(f"{container}[{index}] if {is_within(container, index)} else {call}")


def is_within(container, index):
    return f"type({container}) is list and type({index}) is int and 0 <= {index} < len({container})"


def peek_item(stretch, _):
    index, container = stretch.pop(), stretch.pop()
    stretch.push(container)
    stretch.push(index)
    held = f"{stretch.constant(changeable)}({container})"
    stretch.push_result(f"{stretch.constant(item_at)}({held}, {index})")


def update(stretch, operation):
    item, index, container, right = (stretch.pop() for _ in range(4))
    apply(stretch, operation, item, right)
    stretch.push(container)
    stretch.push(index)


def put_item(stretch, _):
    index, container, value = stretch.pop(), stretch.pop(), stretch.pop()
    stretch.lines_within(f"if {is_within(container, index)}", f"{container}[{index}] = {value}")
    stretch.lines_within("else", f"{stretch.constant(put_at)}({container}, {index}, {value})")


def call(stretch, count):
    arguments = ", ".join(stretch.pop_many(count))
    name = stretch.pop()
    callee = stretch.constants.get(name)
    if type(callee) is Builtin and callee.takes(count):
        stretch.push_result(f"{stretch.constant(callee.call)}({arguments})")
    else:
        stretch.push_result(f"{stretch.constant(operations.invoke)}({name}, [{arguments}])")


TEMPLATES = {
    operations.push: push,
    operations.drop: drop,
    operations.load: load,
    operations.store: store,
    operations.make_text: make_text,
    operations.make_list: make_list,
    operations.unary: unary,
    operations.binary: binary,
    operations.binary_reversed: binary_reversed,
    operations.check_boolean: check_boolean,
    operations.jump: jump,
    operations.jump_if_true: jump_if_true,
    operations.jump_if_false: jump_if_false,
    operations.branch: branch,
    operations.get_item: get_item,
    operations.peek_item: peek_item,
    operations.update: update,
    operations.put_item: put_item,
    operations.call: call,
}
