"""What is told about a failure that nothing caught."""

from itertools import groupby

from lang.errors import Failed
from lang.showing import shown_in_short

MOST_LINES = 20


class Report:
    """The code and place of a failure, and the calls that were active then, the innermost first."""

    def __init__(self, failure, strand, frame):
        self.label = label(failure)
        self.place = frame.place
        self.calls = list(active_calls(strand, frame))

    def lines(self):
        return [f"{self.place}: {self.label}", *shortened(self.call_lines())]

    def call_lines(self):
        for call, group in groupby(self.calls):
            count = sum(1 for _ in group)
            times = f" ({count} times)" if count > 1 else ""
            yield f"  in {call}{times}"


def active_calls(strand, frame):
    """Each call with its place; strands are followed to those that resumed them."""
    frame = frame.calling
    while frame.parent or strand.resumer:
        name = frame.code.name or "fn"
        if frame.parent:
            frame = frame.parent.calling
            yield f"{name}, called at {frame.place}"
        else:
            strand = strand.resumer
            frame = strand.frame.calling
            yield f"{name}, resumed at {frame.place}"


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
