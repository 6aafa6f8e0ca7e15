"""The machine: frames, handlers and strands, and how control moves among them."""

from lang.errors import Failure
from lang.frames import Closing, Failing, Frame, Handler
from lang.strands import Strand
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
        self.strand = Strand("running")
        self.handlers = self.strand.handlers
        self.frame = Frame(module.code, None, 0, 0, [])
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
        depth = parent.depth + 1 if parent else 1
        if self.strand.calls + depth > MOST_CALLS:
            raise Failure("depth")
        frame = Frame(function.code, parent, depth, len(self.handlers.entries), arguments)
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
        if frame.parent:
            self.frame = frame.parent
            self.frame.stack.append(returning.value)
        else:
            self.end_strand(returning.value)

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
        if not failure.report and not self.is_sure_to_catch():
            failure.report = Report(failure, self.strand, self.frame)
        while not self.handlers:
            if not self.strand.resumer:
                raise Fault(failure.report)
            self.go_back("failed")
        handler = self.handlers.pop()
        self.go_to(handler, failure.value if handler.catches else failing)

    def is_sure_to_catch(self):
        """Whether what fails is caught, or replaced, whatever happens until then.

        If a `finally` comes first, its coroutine may be suspended there, and resumed where nothing catches.
        """
        strand = self.strand
        while not strand.handlers and strand.resumer:
            strand = strand.resumer
        return strand.handlers.catching

    def go_to(self, handler, value):
        frame = handler.frame
        del frame.stack[handler.height :]
        frame.stack.append(value)
        frame.counter = handler.target
        self.frame = frame

    def begin(self, coroutine, receiver):
        """Makes a coroutine the running strand."""
        if coroutine.state in ("running", "waiting"):
            raise Failure("busy")
        strand = self.strand
        calls = strand.calls + self.frame.depth
        if calls + coroutine.depth > MOST_CALLS:
            raise Failure("depth")
        coroutine.calls = calls
        coroutine.resumer = strand
        coroutine.receiver = receiver
        strand.frame = self.frame
        strand.state = "waiting"
        coroutine.state = "running"
        self.strand = coroutine
        self.handlers = coroutine.handlers
        self.frame = coroutine.frame

    def resume(self, coroutine, value, receiver):
        self.begin(coroutine, receiver)
        if coroutine.frame:
            self.frame.stack.append(value)
        else:
            self.enter(coroutine.function, coroutine.arguments, None)

    def go_back(self, state):
        """Leaves the running coroutine for the strand that resumed it."""
        coroutine = self.strand
        coroutine.state = state
        coroutine.frame = self.frame
        self.strand = coroutine.resumer
        self.strand.state = "running"
        self.handlers = self.strand.handlers
        self.frame = self.strand.frame
        coroutine.resumer = None

    def suspend(self, value):
        coroutine = self.strand
        if not coroutine.resumer:
            raise Failure("yield")
        if coroutine.is_closing:
            raise Failure("closing")
        self.go_back("suspended")
        coroutine.receiver.yielded(value)

    def end_strand(self, value):
        coroutine = self.strand
        self.go_back("done")
        coroutine.receiver.ended(value)

    def close(self, coroutine, receiver):
        self.begin(coroutine, receiver)
        coroutine.is_closing = True
        self.close_running(Closing())

    def close_running(self, closing):
        if not self.intercepted(0, closing):
            self.end_strand(None)
