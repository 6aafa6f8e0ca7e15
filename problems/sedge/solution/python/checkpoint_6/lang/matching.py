"""Matches values against patterns, in all ways, one after the other."""

from lang import nodes
from lang.equality import equal
from lang.maps import Map


class Matching:
    """The ways that are still to be tried, the next on top.

    A way is a chain of patterns and values that have to match, `(pattern, value, rest)` or None,
    and what the names stand for by then. `fit` is for patterns that have one way.
    """

    __slots__ = ("fit", "ways", "pins")

    def __init__(self, pattern, fit, value, pins):
        self.fit = fit
        self.ways = [((pattern, value, None), {})]
        self.pins = pins

    def next(self):
        """What the names stand for in the next way that matches, or None."""
        if not self.fit:
            return self.next_way()
        if not self.ways:
            return None
        (_, value, _), found = self.ways.pop()
        return found if self.fit(value, self.pins, found) else None

    def next_way(self):
        while self.ways:
            chain, bindings = self.ways.pop()
            while chain and bindings is not None:
                pattern, value, rest = chain
                chain, bindings = STEPS[type(pattern)](self, pattern, value, rest, bindings)
            if bindings is not None:
                return bindings
        return None


FAILED = (None, None)


def step_anything(matching, pattern, value, rest, bindings):
    return rest, bindings


def step_name(matching, pattern, value, rest, bindings):
    if pattern.name not in bindings:
        return rest, {**bindings, pattern.name: value}
    return (rest, bindings) if equal(bindings[pattern.name], value) else FAILED


def step_literal(matching, pattern, value, rest, bindings):
    return (rest, bindings) if equal(pattern.value, value) else FAILED


def step_pin(matching, pattern, value, rest, bindings):
    return (rest, bindings) if equal(matching.pins[pattern.index], value) else FAILED


def step_list(matching, pattern, value, rest, bindings):
    if type(value) is not list or len(value) < pattern.singles():
        return FAILED
    if not pattern.has_rest() and len(value) > len(pattern.items):
        return FAILED
    return (Row(pattern.items, 0, 0), value, rest), bindings


class Row:
    """The items of a list pattern from one on, and the place in the list where they begin.

    If the first of them is a rest, `least` is how many items it has at least, for ways with fewer
    have been tried.
    """

    __slots__ = ("items", "index", "start", "least")

    def __init__(self, items, index, start, least=0):
        self.items = items
        self.index = index
        self.start = start
        self.least = least


def step_row(matching, row, values, rest, bindings):
    if row.index == len(row.items):
        return rest, bindings
    pattern = row.items[row.index]
    if type(pattern) is nodes.Rest:
        return step_rest(matching, row, values, rest, bindings)
    value = values[row.start]
    return (pattern, value, (Row(row.items, row.index + 1, row.start + 1), values, rest)), bindings


def step_rest(matching, row, values, rest, bindings):
    """The shortest of the stretches that are left for a rest; the others are for later ways."""
    pattern = row.items[row.index]
    longest = len(values) - row.start - pattern.behind
    count = longest if pattern.is_last else row.least
    if count < longest:
        longer = Row(row.items, row.index, row.start, count + 1)
        matching.ways.append(((longer, values, rest), bindings))
    end = row.start + count
    following = (Row(row.items, row.index + 1, end), values, rest)
    if type(pattern.pattern) is nodes.Anything:
        return following, bindings
    return (pattern.pattern, values[row.start : end], following), bindings


def step_map(matching, pattern, value, rest, bindings):
    if type(value) is not Map:
        return FAILED
    if not all(key.value in value for key, _ in pattern.entries):
        return FAILED
    patterns = [entry for _, entry in pattern.entries]
    return chained(patterns, [value[key.value] for key, _ in pattern.entries], rest), bindings


def step_choice(matching, pattern, value, rest, bindings):
    first, *others = pattern.options
    for option in reversed(others):
        matching.ways.append(((option, value, rest), bindings))
    return (first, value, rest), bindings


def chained(patterns, values, rest):
    for pattern, value in zip(reversed(patterns), reversed(values)):
        rest = (pattern, value, rest)
    return rest


STEPS = {
    nodes.Anything: step_anything,
    nodes.Name: step_name,
    nodes.Literal: step_literal,
    nodes.Pin: step_pin,
    nodes.ListPattern: step_list,
    Row: step_row,
    nodes.MapPattern: step_map,
    nodes.Choice: step_choice,
}
