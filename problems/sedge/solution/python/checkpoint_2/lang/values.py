"""What values are: their kinds, how they are shown, when they are equal.

Values are `None`, `bool`, `int` and `Fraction`, `str`, `list`, and callables. Lists can be of
any depth and contain themselves, so nothing here follows them by recursion.
"""

from fractions import Fraction

from lang import numbers
from lang.errors import Failure
from lang.sizes import Pieces


class Builtin:
    """A function of the language that the host provides.

    One that is control gets the machine and the calling frame, too, and sees to its result itself.
    """

    __slots__ = ("name", "least", "most", "call", "is_control")

    def __init__(self, name, least, most, call, is_control=False):
        self.name = name
        self.least = least
        self.most = most
        self.call = call
        self.is_control = is_control

    def takes(self, count):
        return self.least <= count and (self.most is None or count <= self.most)


class Function:
    """A function of the program, with the cells of the variables that it captured."""

    __slots__ = ("code", "cells")

    def __init__(self, code, cells):
        self.code = code
        self.cells = cells


KINDS = {
    type(None): "nil",
    bool: "boolean",
    int: "number",
    Fraction: "number",
    str: "text",
    list: "list",
    Builtin: "function",
    Function: "function",
}
ESCAPES = str.maketrans(
    {character: f"\\u{{{ord(character):x}}}" for character in map(chr, [*range(32), 127])}
    | {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}
)


def kind(value):
    return KINDS[type(value)]


def is_number(value):
    return type(value) is int or type(value) is Fraction


def quoted(text):
    return f'"{text.translate(ESCAPES)}"'


def shown_atom(value):
    """A value that contains no others."""
    if value is None:
        return "nil"
    if type(value) is bool:
        return "true" if value else "false"
    if type(value) is str:
        return quoted(value)
    if type(value) is Builtin:
        return f"<builtin {value.name}>"
    if type(value) is Function:
        return f"<fn {value.code.name}>" if value.code.name else "<fn>"
    return numbers.shown(value)


class Piece(str):
    """Among what is to be shown: text that is shown as it is."""


END = object()


def shown(value):
    """The value as it is shown inside of lists.

    What is met again, and does not contain itself, is shown as it was.
    """
    pieces = Pieces()
    opened = []
    within = set()
    starts = []
    spans = {}
    last_circle = -1
    walks = [iter((value,))]
    while True:
        item = next(walks[-1], END)
        if item is END:
            walks.pop()
            if not opened:
                return pieces.joined()
            container = opened.pop()
            within.discard(id(container))
            pieces.add("]")
            start = starts.pop()
            if start > last_circle:
                spans[id(container)] = pieces.span(start)
        elif type(item) is Piece:
            pieces.add(item)
        elif type(item) is not list:
            pieces.add(shown_atom(item))
        elif id(item) in within:
            last_circle = len(pieces)
            pieces.add("[...]")
        elif id(item) in spans:
            pieces.repeat(spans[id(item)])
        else:
            starts.append(len(pieces))
            opened.append(item)
            within.add(id(item))
            walks.append(separated(item))
            pieces.add("[")


def separated(items):
    """The items with commas between."""
    for index, item in enumerate(items):
        if index:
            yield Piece(", ")
        yield item


def shown_in_short(value):
    """The value for who looks at the program; three points if it is too long."""
    try:
        return shown(value)
    except Failure:
        return "..."


def display(value):
    """The value as `print` writes it."""
    return value if type(value) is str else shown(value)


class Classes:
    """Lists that count as equal, by their identities: each knows another one of its class, or none."""

    def __init__(self):
        self.others = {}

    def joined(self, one, other):
        """Makes one class of two; false if they were one before."""
        first, second = self.last_of(id(one)), self.last_of(id(other))
        self.others[first] = second
        return first != second

    def last_of(self, member):
        others = self.others
        while others.get(member, member) != member:
            others[member] = member = others.get(others[member], others[member])
        return member


def equal(left, right):
    """Whether no difference can be reached; what is being compared counts as equal.

    Each comparison of two lists makes one class of two, so that there are fewer than lists.
    """
    if type(left) is type(right) and type(left) in (int, str):
        return left == right
    classes = Classes()
    pairs = [(left, right)]
    while pairs:
        one, other = pairs.pop()
        if one is other:
            continue
        if kind(one) != kind(other):
            return False
        if type(one) is not list:
            if one != other:
                return False
            continue
        if len(one) != len(other):
            return False
        if classes.joined(one, other):
            pairs.extend(zip(one, other))
    return True
