"""Matching for patterns that can match in one way alone: as functions of the host.

A function takes a value, the values of the pins, and what the names stand for so far, to which it
adds. It tells whether the value matches.
"""

from lang import nodes
from lang.equality import equal
from lang.maps import Map, identity
from lang.patterns import parts


def one_way(pattern):
    """The function for a pattern, or None if there are choices in it."""
    return None if has_choices(pattern) else made(pattern)


def has_choices(pattern):
    waiting = [pattern]
    while waiting:
        item = waiting.pop()
        if type(item) is nodes.Choice or type(item) is nodes.Rest and not item.is_last:
            return True
        waiting.extend(parts(item))
    return False


def made(pattern):
    return MAKERS[type(pattern)](pattern)


def for_anything(_):
    return lambda value, pins, found: True


def for_name(pattern):
    name = pattern.name

    def fit(value, pins, found):
        if name in found:
            return equal(found[name], value)
        found[name] = value
        return True

    return fit


def for_literal(pattern):
    wanted = pattern.value
    kind = type(wanted)
    return lambda value, pins, found: type(value) is kind and value == wanted


def for_pin(pattern):
    index = pattern.index
    return lambda value, pins, found: equal(pins[index], value)


def for_list(pattern):
    if pattern.has_rest():
        return for_longer_list(pattern)
    fits = [made(item) for item in pattern.items]
    count = len(fits)

    def fit(value, pins, found):
        return type(value) is list and len(value) == count and all_fit(fits, value, pins, found)

    return fit


def all_fit(fits, values, pins, found):
    for fit, value in zip(fits, values):
        if not fit(value, pins, found):
            return False
    return True


def for_longer_list(pattern):
    fits = [made(item) for item in pattern.items]
    start = next(index for index, item in enumerate(pattern.items) if type(item) is nodes.Rest)
    before, rest, behind = fits[:start], fits[start], fits[start + 1 :]
    least = len(fits) - 1

    def fit(value, pins, found):
        if type(value) is not list or len(value) < least:
            return False
        end = len(value) - len(behind)
        return (
            all_fit(before, value, pins, found)
            and rest(value, start, end, pins, found)
            and all_fit(behind, value[end:], pins, found)
        )

    return fit


def for_rest(pattern):
    if type(pattern.pattern) is nodes.Anything:
        return lambda values, start, end, pins, found: True
    fit_name = made(pattern.pattern)
    return lambda values, start, end, pins, found: fit_name(values[start:end], pins, found)


def for_map(pattern):
    inner_fits = [(identity(key.value), made(inner)) for key, inner in pattern.entries]

    def fit(value, pins, found):
        if type(value) is not Map:
            return False
        entries = value.entries
        for key, inner in inner_fits:
            if key not in entries or not inner(entries[key], pins, found):
                return False
        return True

    return fit


MAKERS = {
    nodes.Anything: for_anything,
    nodes.Name: for_name,
    nodes.Literal: for_literal,
    nodes.Pin: for_pin,
    nodes.ListPattern: for_list,
    nodes.Rest: for_rest,
    nodes.MapPattern: for_map,
}
