"""The functions for coroutines that every program has."""

from lang.errors import Failed, Failure
from lang.strands import CallReceiver, CloseReceiver, Coroutine
from lang.values import Builtin, Function


def spawn(function, *arguments):
    if type(function) is not Function:
        raise Failure("type")
    if len(arguments) != function.code.parameters:
        raise Failure("arity")
    return Coroutine(function, list(arguments))


def checked(value):
    if type(value) is not Coroutine:
        raise Failure("type")
    return value


def status(value):
    return checked(value).state


def unfinished(value):
    coroutine = checked(value)
    if coroutine.state in ("done", "failed"):
        raise Failure("done")
    return coroutine


def resume(machine, frame, value, sent=None):
    machine.resume(unfinished(value), sent, CallReceiver(frame))


def interrupt(machine, frame, value, thrown):
    """Fails where the coroutine is suspended; one that has not begun fails at once."""
    coroutine = unfinished(value)
    if coroutine.state == "new":
        coroutine.state = "failed"
    else:
        machine.begin(coroutine, CallReceiver(frame))
    raise Failed(thrown)


def suspend(machine, frame, value=None):
    machine.suspend(value)


def close(machine, frame, value):
    """Ends a coroutine; one that has begun runs its `finally` blocks."""
    coroutine = checked(value)
    if coroutine.state == "new":
        coroutine.state = "done"
    if coroutine.state in ("done", "failed"):
        frame.stack.append(None)
    else:
        machine.close(coroutine, CloseReceiver(frame))


FUNCTIONS = (
    Builtin("spawn", 1, None, spawn),
    Builtin("status", 1, 1, status),
    Builtin("resume", 1, 2, resume, is_control=True),
    Builtin("interrupt", 2, 2, interrupt, is_control=True),
    Builtin("yield", 0, 1, suspend, is_control=True),
    Builtin("close", 1, 1, close, is_control=True),
)
