"""How values are shown. Lists and maps can be of any depth, so nothing follows them by recursion."""

from lang import numbers
from lang.errors import Failure
from lang.maps import Map
from lang.sizes import Pieces
from lang.values import Builtin, Function

ESCAPES = str.maketrans(
    {character: f"\\u{{{ord(character):x}}}" for character in map(chr, [*range(32), 127])}
    | {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}
)
BRACKETS = {list: "[]", Map: "{}"}


def quoted(text):
    return f'"{text.translate(ESCAPES)}"'


def shown_function(function):
    return f"<fn {function.code.name}>" if function.code.name else "<fn>"


ATOMS = {
    type(None): lambda _: "nil",
    bool: lambda value: "true" if value else "false",
    str: quoted,
    Builtin: lambda builtin: f"<builtin {builtin.name}>",
    Function: shown_function,
}


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
            pieces.add(BRACKETS[type(container)][1])
            start = starts.pop()
            if start > last_circle:
                spans[id(container)] = pieces.span(start)
        elif type(item) is Piece:
            pieces.add(item)
        elif type(item) not in BRACKETS:
            pieces.add(ATOMS.get(type(item), numbers.shown)(item))
        elif id(item) in within:
            last_circle = len(pieces)
            pieces.add("...".join(BRACKETS[type(item)]))
        elif id(item) in spans:
            pieces.repeat(spans[id(item)])
        else:
            starts.append(len(pieces))
            opened.append(item)
            within.add(id(item))
            walks.append(contents(item))
            pieces.add(BRACKETS[type(item)][0])


def contents(container):
    """What stands between the brackets."""
    is_map = type(container) is Map
    for index, item in enumerate(container.items() if is_map else container):
        if index:
            yield Piece(", ")
        if is_map:
            yield item[0]
            yield Piece(": ")
        yield item[1] if is_map else item


def shown_in_short(value):
    """The value for who looks at the program; three points if it is too long."""
    try:
        return shown(value)
    except Failure:
        return "..."


def display(value):
    """The value as `print` writes it."""
    return value if type(value) is str else shown(value)
