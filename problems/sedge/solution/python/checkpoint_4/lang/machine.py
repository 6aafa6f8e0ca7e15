"""The machine: frames and handlers, and how control moves among them."""

from lang.errors import Failure
from lang.frames import Failing, Frame, Handler, Handlers
from lang.stretches import settle
from lang.trace import Report
from lang.values import Function

MOST_CALLS = 100_000


class Fault(Exception):
    """The program failed and nothing caught it."""

    def __init__(self, report):
        super().__init__(report)
        self.report = report


class Machine:
    def __init__(self, module):
        self.handlers = Handlers()
        self.frame = Frame(module.code, None, 0, [])
        module.slots = self.frame.slots

    def run(self):
        while self.frame:
            try:
                self.proceed()
            except Failure as failure:
                settle(failure)
                self.unwind(Failing(failure))

    def proceed(self):
        while frame := self.frame:
            operation, argument = frame.instructions[frame.counter]
            frame.counter += 1
            operation(self, frame, argument)

    def handle(self, target, catches):
        frame = self.frame
        self.handlers.push(Handler(frame, target, len(frame.stack), catches))

    def enter(self, function, arguments, parent):
        """Begins a call that returns to the parent."""
        if parent.depth == MOST_CALLS:
            raise Failure("depth")
        frame = Frame(function.code, parent, len(self.handlers.entries), arguments)
        if function.cells:
            slots = frame.slots
            for (_, slot), cell in zip(function.code.captures, function.cells):
                slots[slot] = cell
        self.frame = frame

    def run_module(self, module):
        """Begins to run a module that has not been run yet."""
        self.enter(Function(module.code, []), [], self.frame)
        module.slots = self.frame.slots

    def leave_function(self, returning):
        frame = self.frame
        if self.intercepted(frame.base, returning):
            return
        self.frame = frame.parent
        self.frame.stack.append(returning.value)

    def leave(self, leaving):
        frame = self.frame
        if self.intercepted(frame.base + leaving.handlers, leaving):
            return
        del frame.stack[leaving.height :]
        frame.counter = leaving.target

    def intercepted(self, keep, business):
        """Drops handlers down to so many; a `finally` among them comes first."""
        while len(self.handlers) > keep:
            handler = self.handlers.pop()
            if not handler.catches:
                self.go_to(handler, business)
                return True
        return False

    def unwind(self, failing):
        """Gives a failure to the innermost handler."""
        failure = failing.failure
        if not failure.report and not self.handlers.catching:
            failure.report = Report(failure, self.frame)
        if not self.handlers:
            raise Fault(failure.report)
        handler = self.handlers.pop()
        self.go_to(handler, failure.value if handler.catches else failing)

    def go_to(self, handler, value):
        frame = handler.frame
        del frame.stack[handler.height :]
        frame.stack.append(value)
        frame.counter = handler.target
        self.frame = frame
