"""What the machine keeps of calls, handlers and unfinished business."""

UNSET = object()


class Frame:
    """A call that is active; the whole program is one without a parent.

    Each slot holds a cell, a list of one value, which functions that capture it share.
    """

    __slots__ = ("code", "instructions", "counter", "stack", "slots", "parent", "depth", "base")

    def __init__(self, code, parent, base, stack):
        self.code = code
        self.instructions = code.instructions
        self.counter = 0
        self.stack = stack
        self.slots = [None] * code.slots
        self.parent = parent
        self.depth = parent.depth + 1 if parent else 0
        self.base = base

    @property
    def place(self):
        """Where the instruction comes from that was begun last: the source and the position."""
        return f"{self.code.source}:{self.code.positions[self.counter - 1]}"

    @property
    def calling(self):
        """The frame of the active call that this one is part of."""
        return self


class HostFrame(Frame):
    """A builtin that calls functions: it is no active call, and has the place of the call of it."""

    __slots__ = ()

    def __init__(self, code, parent, base, stack):
        super().__init__(code, parent, base, stack)
        self.depth = parent.depth

    @property
    def calling(self):
        return self.parent.calling

    @property
    def place(self):
        return self.parent.place


class Handler:
    """Where a frame goes on when control leaves its code in an unusual way."""

    __slots__ = ("frame", "target", "height", "catches")

    def __init__(self, frame, target, height, catches):
        self.frame = frame
        self.target = target
        self.height = height
        self.catches = catches


class Handlers:
    """The handlers of all active frames, the innermost last, and how many of them catch."""

    __slots__ = ("entries", "catching")

    def __init__(self):
        self.entries = []
        self.catching = 0

    def __len__(self):
        return len(self.entries)

    def push(self, handler):
        self.entries.append(handler)
        self.catching += handler.catches

    def pop(self):
        handler = self.entries.pop()
        self.catching -= handler.catches
        return handler


class Leaving:
    """Control that leaves for another place of the same code, past a number of handlers."""

    __slots__ = ("target", "handlers", "height")

    def __init__(self, target, handlers, height):
        self.target = target
        self.handlers = handlers
        self.height = height

    def resume(self, machine):
        machine.leave(self)


class Returning:
    """Control that leaves a function with a value."""

    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value

    def resume(self, machine):
        machine.leave_function(self)


class Failing:
    """Control that looks for what catches a failure."""

    __slots__ = ("failure",)

    def __init__(self, failure):
        self.failure = failure

    def resume(self, machine):
        machine.unwind(self)
