"""What is told about a failure that nothing caught."""

from itertools import groupby

from lang.errors import Failed
from lang.values import shown_in_short

MOST_LINES = 20


class Report:
    """The code and place of a failure, and the calls that were active then, the innermost first."""

    def __init__(self, failure, frame):
        self.label = label(failure)
        self.position = frame.position
        self.calls = []
        frame = frame.calling
        while frame.parent:
            self.calls.append((frame.code.name or "fn", frame.parent.position))
            frame = frame.parent.calling

    def lines(self, name):
        return [f"{name}:{self.position}: {self.label}", *shortened(self.call_lines(name))]

    def call_lines(self, name):
        for call, group in groupby(self.calls):
            count = sum(1 for _ in group)
            times = f" ({count} times)" if count > 1 else ""
            yield f"  in {call[0]}, called at {name}:{call[1]}{times}"


def label(failure):
    if isinstance(failure, Failed):
        return f"fail: {shown_in_short(failure.value)}"
    return failure.value


def shortened(lines):
    lines = list(lines)
    if len(lines) <= MOST_LINES:
        return lines
    half = MOST_LINES // 2
    return [*lines[:half], f"  ... {len(lines) - MOST_LINES} more", *lines[-half:]]
