"""How values are shown. Lists and maps can be of any depth, so nothing follows them by recursion."""

from lang import numbers
from lang.maps import Map
from lang.values import Builtin, Function

ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}
BRACKETS = {list: "[]", Map: "{}"}


def quoted(text):
    return '"' + "".join(map(escaped, text)) + '"'


def escaped(character):
    if character in ESCAPES:
        return ESCAPES[character]
    if character < " " or character == "\x7f":
        return f"\\u{{{ord(character):x}}}"
    return character


def shown_function(function):
    return f"<fn {function.code.name}>" if function.code.name else "<fn>"


ATOMS = {
    type(None): lambda _: "nil",
    bool: lambda value: "true" if value else "false",
    str: quoted,
    Builtin: lambda builtin: f"<builtin {builtin.name}>",
    Function: shown_function,
}


class Closing:
    """On a stack of what is to be shown: the end of a container."""

    def __init__(self, value):
        self.value = value


class Piece(str):
    """On a stack of what is to be shown: text that is shown as it is."""


def shown(value):
    """The value as it is shown inside of lists."""
    parts = []
    within = set()
    stack = [value]
    while stack:
        item = stack.pop()
        if type(item) is Piece:
            parts.append(item)
        elif type(item) is Closing:
            within.discard(id(item.value))
            parts.append(BRACKETS[type(item.value)][1])
        elif type(item) not in BRACKETS:
            parts.append(ATOMS.get(type(item), numbers.shown)(item))
        elif id(item) in within:
            parts.append("...".join(BRACKETS[type(item)]))
        else:
            within.add(id(item))
            parts.append(BRACKETS[type(item)][0])
            stack.append(Closing(item))
            stack.extend(reversed(contents(item)))
    return "".join(parts)


def contents(container):
    """What stands between the brackets."""
    spread = []
    is_map = type(container) is Map
    for item in container.items() if is_map else container:
        spread.append(Piece(", "))
        spread.extend((item[0], Piece(": "), item[1]) if is_map else (item,))
    return spread[1:]


def display(value):
    """The value as `print` writes it."""
    return value if type(value) is str else shown(value)
