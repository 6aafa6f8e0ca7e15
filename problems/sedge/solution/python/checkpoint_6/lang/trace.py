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

    @property
    def summary(self):
        return f"{self.place}: {self.label}"

    def lines(self):
        return [self.summary, *shortened(self.call_lines())]

    def call_lines(self):
        for call, group in groupby(self.calls):
            count = sum(1 for _ in group)
            times = f" ({count} times)" if count > 1 else ""
            yield f"  in {call}{times}"


def active_calls(strand, frame):
    """Each call with its place."""
    for above, below, how in walk(strand, frame):
        yield f"{name_of(above)}, {how} at {below.place}"


def walk(strand, frame):
    """The frame of each active call with the one below it; strands are followed to those that resumed them."""
    frame = frame.calling
    while frame.parent or strand.resumer:
        above = frame
        if above.parent:
            frame = above.parent.calling
            yield above, frame, "called"
        else:
            strand = strand.resumer
            frame = strand.frame.calling
            yield above, frame, "resumed"


def name_of(frame):
    return frame.code.name or "fn"


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
