"""The host's text for instructions.

A template takes the stretch that is written, at the instruction, and the instruction's argument.
Where the operands are as they mostly are, the text does what is to be done itself, else it calls
what the instruction would. It is false if control does not go on behind the instruction.
"""

from lang import operations, operators
from lang.containers import changeable, item_at, mapped, put_at
from lang.frames import UNSET
from lang.iteration import Iteration
from lang.maps import Map
from lang.matching import Matching
from lang.showing import display
from lang.sizes import joined
from lang.values import Builtin, Function

# Numbers that the host computes with directly have to be far from being too large.
NEAR = 1 << 60
SUMS = {operators.BINARY[symbol]: symbol for symbol in ("+", "-", "*")}
QUOTIENTS = {operators.BINARY[symbol]: symbol for symbol in ("//", "%")}
COMPARISONS = {operators.BINARY[symbol]: symbol for symbol in ("<", "<=", ">", ">=", "==", "!=")}


def push(stretch, value):
    stretch.push(stretch.constant(value))


def drop(stretch, _):
    stretch.pop()


def enter_block(stretch, slots):
    unset = stretch.constant(UNSET)
    for slot in slots:
        stretch.line(f"slots[{slot}] = [{unset}]")


def load(stretch, slot):
    stretch.push_result(f"slots[{slot}][0]")


def load_captured(stretch, slot):
    value = stretch.push_result(f"slots[{slot}][0]")
    check_set(stretch, value)


def check_set(stretch, value):
    stretch.lines_within(f"if {value} is {stretch.constant(UNSET)}", 'raise Failure("unset")')


def define(stretch, slot):
    stretch.line(f"slots[{slot}][0] = {stretch.pop()}")


def assign_captured(stretch, slot):
    check_set(stretch, f"slots[{slot}][0]")
    define(stretch, slot)


def make_text(stretch, count):
    parts = ", ".join(stretch.pop_many(count))
    stretch.push_result(f"{stretch.constant(joined)}(map({stretch.constant(display)}, ({parts},)))")


def make_list(stretch, count):
    stretch.push_result(f"[{', '.join(stretch.pop_many(count))}]")


def make_map(stretch, count):
    values = ", ".join(stretch.pop_many(2 * count))
    stretch.push_result(f"{stretch.constant(operations.map_of)}([{values}])")


def make_function(stretch, code):
    cells = ", ".join(f"slots[{outer}]" for outer, _ in code.captures)
    stretch.push_result(f"{stretch.constant(Function)}({stretch.constant(code)}, [{cells}])")


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


def check_map(stretch, _):
    container = stretch.pop()
    call = f"{stretch.constant(mapped)}({container})"
    stretch.lines_within(f"if type({container}) is not {stretch.constant(Map)}", call)
    stretch.push(container)


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
    if type(callee) is Builtin and not callee.is_control and callee.takes(count):
        stretch.push_result(f"{stretch.constant(callee.call)}({arguments})")
        return True
    invoke = stretch.constant(operations.invoke)
    stretch.give_away(f"{invoke}(machine, frame, {name}, [{arguments}])")
    return False


def tail_call(stretch, count):
    arguments = ", ".join(stretch.pop_many(count))
    invoke = stretch.constant(operations.invoke_last)
    stretch.give_away(f"{invoke}(machine, frame, {stretch.pop()}, [{arguments}])")
    return False


def leave_function(stretch, _):
    leave = stretch.constant(operations.return_value)
    stretch.give_away(f"{leave}(machine, frame, {stretch.pop()})")
    return False


def advance(stretch, target):
    """Iterations lie on the stack; with coroutines, it is left to the machine."""
    iteration = stretch.push_result("stack[-1]")
    stretch.pop()
    stretch.line(f"if type({iteration}) is not {stretch.constant(Iteration)}:")
    stretch.depth += 1
    operation = stretch.constant(operations.advance)
    stretch.give_away(f"{operation}(machine, frame, {target})")
    stretch.depth -= 1
    stretch.mark(target)
    stretch.line(f"if {iteration}.index >= len({iteration}.sequence):")
    stretch.depth += 1
    stretch.line("stack.pop()")
    stretch.leave_for(target)
    stretch.depth -= 1
    stretch.push_result(f"{iteration}.sequence[{iteration}.index]")
    stretch.line(f"{iteration}.index += 1")


def begin_match(stretch, plan):
    """The subject and what is made of it lie on the stack."""
    pattern, fit, count = plan
    pins = ", ".join(stretch.pop_many(count))
    stretch.spill_all()
    how = f"{stretch.constant(pattern)}, {stretch.constant(fit)}"
    stretch.line(f"stack.append({stretch.constant(Matching)}({how}, stack[-1], [{pins}]))")


def at_the_machine(stretch, operation, argument):
    stretch.line(f"{stretch.constant(operation)}(machine, frame, {stretch.constant(argument)})")


def next_way(stretch, target):
    bindings = stretch.push_result("stack[-1].next()")
    stretch.pop()
    stretch.line(f"if {bindings} is None:")
    stretch.depth += 1
    stretch.line("stack.pop()")
    stretch.leave_for(target)
    stretch.depth -= 1
    stretch.push(bindings)


def match_first(stretch, plan):
    pattern, fit, count = plan
    pins = ", ".join(stretch.pop_many(count))
    first = stretch.constant(operations.first_way)
    how = f"{stretch.constant(pattern)}, {stretch.constant(fit)}"
    stretch.push_result(f"{first}({how}, {stretch.pop()}, [{pins}])")


def bind(stretch, slots):
    bindings = stretch.pop()
    for name, slot in slots.items():
        stretch.line(f"slots[{slot}][0] = {bindings}[{name!r}]")


def load_member(stretch, module_and_name):
    stretch.push_result(f"{stretch.constant(operations.member)}({stretch.constant(module_and_name)})")


def handler(operation):
    """The template of an instruction that changes the handlers."""

    def template(stretch, target):
        stretch.spill_all()
        at_the_machine(stretch, operation, target)
        if target is not None:
            stretch.mark(target)

    return template


def iterate(stretch, _):
    stretch.spill_all()
    at_the_machine(stretch, operations.iterate, None)


def stop(stretch, place):
    stretch.line(f"frame.counter = {stretch.index + 1}")
    stretch.line(f"machine.debugger.stopped(frame, {stretch.constant(place)})")


TEMPLATES = {
    operations.push: push,
    operations.drop: drop,
    operations.enter_block: enter_block,
    operations.load: load,
    operations.load_captured: load_captured,
    operations.define: define,
    operations.assign_captured: assign_captured,
    operations.make_text: make_text,
    operations.make_list: make_list,
    operations.make_map: make_map,
    operations.make_function: make_function,
    operations.unary: unary,
    operations.binary: binary,
    operations.binary_reversed: binary_reversed,
    operations.check_boolean: check_boolean,
    operations.jump: jump,
    operations.jump_if_true: jump_if_true,
    operations.jump_if_false: jump_if_false,
    operations.branch: branch,
    operations.check_map: check_map,
    operations.get_item: get_item,
    operations.peek_item: peek_item,
    operations.update: update,
    operations.put_item: put_item,
    operations.call: call,
    operations.tail_call: tail_call,
    operations.leave_function: leave_function,
    operations.iterate: iterate,
    operations.advance: advance,
    operations.begin_match: begin_match,
    operations.next_way: next_way,
    operations.match_first: match_first,
    operations.bind: bind,
    operations.load_member: load_member,
    operations.begin_catch: handler(operations.begin_catch),
    operations.begin_finally: handler(operations.begin_finally),
    operations.end_handler: handler(operations.end_handler),
    operations.stop: stop,
}
