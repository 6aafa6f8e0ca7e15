"""Sorting, also by keys that functions tell."""

from lang.code import Code
from lang.errors import Failure
from lang.frames import HostFrame
from lang.kinds import kind
from lang.operations import call
from lang.values import Builtin, Function


class Sorting:
    """The items of a list, and the keys of those for which the function has been called."""

    def __init__(self, items, function):
        self.items = list(items)
        self.function = function
        self.keys = []


def sort(machine, frame, items, function=None):
    if type(items) is not list:
        raise Failure("type")
    if function is None:
        frame.stack.append(ordered(items, items))
        return
    if type(function) not in (Builtin, Function):
        raise Failure("type")
    machine.frame = HostFrame(SORT, frame, len(machine.handlers), [Sorting(items, function)])


def ordered(items, keys):
    kinds = set(map(kind, keys))
    if len(kinds) > 1 or not kinds <= {"number", "text"}:
        raise Failure("type")
    return [items[index] for index in sorted(range(len(items)), key=keys.__getitem__)]


# Instructions. The sorting lies on the frame's stack.


def next_item(machine, frame, _):
    """Makes ready to call the function with the next item; ends if there is none."""
    sorting = frame.stack[-1]
    done = len(sorting.keys)
    if done < len(sorting.items):
        frame.stack += (sorting.function, sorting.items[done])
    else:
        frame.parent.stack.append(ordered(sorting.items, sorting.keys))
        machine.frame = frame.parent


def keep_key(machine, frame, _):
    key = frame.stack.pop()
    frame.stack[-1].keys.append(key)
    frame.counter = 0


SORT = Code(None, "sort", None, 1)
SORT.emit(next_item, None, None)
SORT.emit(call, 1, None)
SORT.emit(keep_key, None, None)
