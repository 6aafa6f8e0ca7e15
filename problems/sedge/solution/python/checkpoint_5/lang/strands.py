"""Strands of execution: the main one, and coroutines."""

from lang.frames import Handlers
from lang.kinds import KINDS


class Strand:
    """Frames with their handlers. While it is not the running one, `frame` is the innermost.

    `calls` counts the active calls of the strands that wait for this one.
    """

    def __init__(self, state):
        self.state = state
        self.handlers = Handlers()
        self.frame = None
        self.resumer = None
        self.calls = 0


class Coroutine(Strand):
    """A strand that can be resumed; its receiver takes what it yields and that it ends."""

    def __init__(self, function, arguments):
        super().__init__("new")
        self.function = function
        self.arguments = arguments
        self.receiver = None
        self.is_closing = False

    @property
    def depth(self):
        """How many active calls it has, or will have once it is resumed."""
        return self.frame.depth if self.frame else 1


KINDS |= {Coroutine: "coroutine"}


class CallReceiver:
    """A call that gets either as its result."""

    def __init__(self, frame):
        self.frame = frame

    def yielded(self, value):
        self.frame.stack.append(value)

    def ended(self, value):
        self.frame.stack.append(value)


class LoopReceiver:
    """A loop, for which each yielded value is an item."""

    def __init__(self, frame, target):
        self.frame = frame
        self.target = target

    def yielded(self, value):
        self.frame.stack.append(value)

    def ended(self, _):
        self.frame.stack.pop()
        self.frame.counter = self.target


class CloseReceiver:
    """A call that waits for the end."""

    def __init__(self, frame):
        self.frame = frame

    def ended(self, _):
        self.frame.stack.append(None)
