"""What a compiler knows about the function that it is at."""

from lang.code import Code
from lang.frames import Leaving
from lang.scopes import Scope


class Loop:
    """A loop that is open: where it begins again, and what the code around it has set up.

    `breaks` and `jumps` lead to its end: those that leave handlers, and those that do not.
    """

    def __init__(self, start, handlers, height, iterations):
        self.start = start
        self.handlers = handlers
        self.height = height
        self.iterations = iterations
        self.breaks = []
        self.jumps = []

    def again(self):
        return Leaving(self.start, self.handlers, self.height + self.iterations)

    def end(self):
        """The target is set when the end is known."""
        leaving = Leaving(None, self.handlers, self.height)
        self.breaks.append(leaving)
        return leaving


class Unit:
    """One function while it is compiled.

    `handlers` and `height` count the handlers and the values that the code has set up, where a
    statement begins; `tries` the `try` statements around it.
    """

    def __init__(self, code: Code, scope: Scope):
        self.code = code
        self.scope = scope
        self.loops = []
        self.handlers = 0
        self.height = 0
        self.tries = 0
