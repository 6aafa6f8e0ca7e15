"""Matches values against patterns, in all ways, one after the other."""

from lang import nodes
from lang.equality import equal
from lang.maps import Map


class Matching:
    """The ways that are still to be tried, the next on top.

    A way is a chain of patterns and values that have to match, `(pattern, value, rest)` or None,
    and what the names stand for by then.
    """

    __slots__ = ("ways", "pins")

    def __init__(self, pattern, value, pins):
        self.ways = [((pattern, value, None), {})]
        self.pins = pins

    def next(self):
        """What the names stand for in the next way that matches, or None."""
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
    if type(value) is not list:
        return FAILED
    before, after = len(pattern.before), len(pattern.after)
    if len(value) < before + after or pattern.middle is None and len(value) > before:
        return FAILED
    end = len(value) - after
    patterns = list(pattern.before)
    values = value[:before]
    if pattern.middle:
        patterns += [pattern.middle, *pattern.after]
        values += [value[before:end], *value[end:]]
    return chained(patterns, values, rest), bindings


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
    nodes.MapPattern: step_map,
    nodes.Choice: step_choice,
}
