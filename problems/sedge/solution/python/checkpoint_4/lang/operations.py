"""What instructions do.

An operation takes the machine, the frame that it belongs to, and its argument. Values that it
needs lie on the frame's stack, the last operand on top.
"""

from lang import containers, operators
from lang.errors import Failed, Failure
from lang.frames import UNSET, Returning
from lang.iteration import Iteration
from lang.maps import Map
from lang.matching import Matching
from lang.showing import display
from lang.sizes import joined
from lang.values import Builtin, Function


def halt(machine, frame, _):
    machine.frame = None


def push(machine, frame, value):
    frame.stack.append(value)


def drop(machine, frame, _):
    frame.stack.pop()


def take(frame, count):
    """The topmost values, removed."""
    start = len(frame.stack) - count
    values = frame.stack[start:]
    del frame.stack[start:]
    return values


def enter_block(machine, frame, slots):
    """Gives a block new variables."""
    for slot in slots:
        frame.slots[slot] = [UNSET]


def load(machine, frame, slot):
    frame.stack.append(frame.slots[slot][0])


def load_captured(machine, frame, slot):
    """As `load`, of a variable whose declaration execution may not have come to."""
    value = frame.slots[slot][0]
    if value is UNSET:
        raise Failure("unset")
    frame.stack.append(value)


def define(machine, frame, slot):
    frame.slots[slot][0] = frame.stack.pop()


def assign_captured(machine, frame, slot):
    cell = frame.slots[slot]
    if cell[0] is UNSET:
        raise Failure("unset")
    cell[0] = frame.stack.pop()


def make_text(machine, frame, count):
    frame.stack.append(joined(map(display, take(frame, count))))


def make_list(machine, frame, count):
    frame.stack.append(take(frame, count))


def make_map(machine, frame, count):
    frame.stack.append(map_of(take(frame, 2 * count)))


def map_of(keys_and_values):
    made = Map()
    for index in range(0, len(keys_and_values), 2):
        made[keys_and_values[index]] = keys_and_values[index + 1]
    return made


def make_function(machine, frame, code):
    cells = [frame.slots[outer] for outer, _ in code.captures]
    frame.stack.append(Function(code, cells))


def unary(machine, frame, operation):
    frame.stack[-1] = operation(frame.stack[-1])


def binary(machine, frame, operation):
    right = frame.stack.pop()
    frame.stack[-1] = operation(frame.stack[-1], right)


def binary_reversed(machine, frame, operation):
    """As `binary`, with the left operand on top."""
    left = frame.stack.pop()
    frame.stack[-1] = operation(left, frame.stack[-1])


def check_boolean(machine, frame, _):
    operators.boolean(frame.stack[-1])


def jump(machine, frame, target):
    frame.counter = target


def jump_if_true(machine, frame, target):
    if operators.boolean(frame.stack[-1]):
        frame.counter = target


def jump_if_false(machine, frame, target):
    if not operators.boolean(frame.stack[-1]):
        frame.counter = target


def branch(machine, frame, target):
    """Jumps if the condition, which is removed, does not hold."""
    if not operators.boolean(frame.stack.pop()):
        frame.counter = target


def check_map(machine, frame, _):
    containers.mapped(frame.stack[-1])


def get_item(machine, frame, _):
    index = frame.stack.pop()
    frame.stack[-1] = containers.item_at(frame.stack[-1], index)


def peek_item(machine, frame, _):
    """As `get_item`, but container and index stay below the item."""
    container, index = frame.stack[-2:]
    frame.stack.append(containers.item_at(containers.changeable(container), index))


def update(machine, frame, operation):
    """Below the item are index, container and right operand, which becomes the result."""
    item = frame.stack.pop()
    frame.stack[-3] = operation(item, frame.stack[-3])


def put_item(machine, frame, _):
    value, container, index = take(frame, 3)
    containers.put_at(container, index, value)


def call(machine, frame, count):
    arguments = take(frame, count)
    invoke(machine, frame, frame.stack.pop(), arguments)


def invoke(machine, frame, callee, arguments):
    if type(callee) is Function and len(arguments) == callee.code.parameters:
        machine.enter(callee, arguments, frame)
    else:
        invoke_below(machine, frame, callee, arguments, frame)


def tail_call(machine, frame, count):
    """As `call`, but a function takes the place of its caller."""
    arguments = take(frame, count)
    invoke_last(machine, frame, frame.stack.pop(), arguments)


def invoke_last(machine, frame, callee, arguments):
    invoke_below(machine, frame, callee, arguments, frame.parent)


def invoke_below(machine, frame, callee, arguments, parent):
    """A function of the program will return to the parent."""
    if type(callee) is Function:
        if len(arguments) != callee.code.parameters:
            raise Failure("arity")
        machine.enter(callee, arguments, parent)
    elif type(callee) is not Builtin:
        raise Failure("type")
    elif not callee.takes(len(arguments)):
        raise Failure("arity")
    elif callee.is_control:
        callee.call(machine, frame, *arguments)
    else:
        frame.stack.append(callee.call(*arguments))


def leave_function(machine, frame, _):
    return_value(machine, frame, frame.stack.pop())


def return_value(machine, frame, value):
    parent = frame.parent
    if parent and len(machine.handlers.entries) == frame.base:
        machine.frame = parent
        parent.stack.append(value)
    else:
        machine.leave_function(Returning(value))


def leave(machine, frame, leaving):
    machine.leave(leaving)


def fail(machine, frame, _):
    raise Failed(frame.stack.pop())


def begin_catch(machine, frame, target):
    machine.handle(target, True)


def begin_finally(machine, frame, target):
    machine.handle(target, False)


def end_handler(machine, frame, _):
    machine.handlers.pop()


def nothing_interrupted(machine, frame, _):
    """What `end_finally` finds where a `finally` is come to in the usual way."""
    frame.stack.append(None)


def end_finally(machine, frame, _):
    """Goes on with what the `finally` had interrupted."""
    business = frame.stack.pop()
    if business is not None:
        business.resume(machine)


def iterate(machine, frame, _):
    frame.stack[-1] = Iteration(frame.stack[-1])


def advance(machine, frame, target):
    """Puts the next item on top of the iteration, or removes it and jumps."""
    iteration = frame.stack[-1]
    if iteration.has_next():
        frame.stack.append(iteration.next())
    else:
        frame.stack.pop()
        frame.counter = target


def begin_match(machine, frame, plan):
    """Puts a matching on top of the subject, in place of the pins' values."""
    pattern, fit, count = plan
    pins = take(frame, count)
    frame.stack.append(Matching(pattern, fit, frame.stack[-1], pins))


def next_way(machine, frame, target):
    """Puts what the names stand for on top of the matching, or removes it and jumps."""
    bindings = frame.stack[-1].next()
    if bindings is None:
        frame.stack.pop()
        frame.counter = target
    else:
        frame.stack.append(bindings)


def match_first(machine, frame, plan):
    """Puts what the names stand for in the place of the subject and the pins' values."""
    pattern, fit, count = plan
    pins = take(frame, count)
    frame.stack[-1] = first_way(pattern, fit, frame.stack[-1], pins)


def first_way(pattern, fit, value, pins):
    bindings = Matching(pattern, fit, value, pins).next()
    if bindings is None:
        raise Failure("match")
    return bindings


def bind(machine, frame, slots):
    bindings = frame.stack.pop()
    for name, slot in slots.items():
        frame.slots[slot][0] = bindings[name]


def no_match(machine, frame, _):
    raise Failure("match")


def use(machine, frame, module):
    """Leaves a value, as calls do, whether the module is run or has been."""
    if module.slots is None:
        machine.run_module(module)
    else:
        frame.stack.append(None)


def load_member(machine, frame, module_and_name):
    frame.stack.append(member(module_and_name))


def member(module_and_name):
    module, name = module_and_name
    value = module.value(name)
    if value is UNSET:
        raise Failure("unset")
    return value
