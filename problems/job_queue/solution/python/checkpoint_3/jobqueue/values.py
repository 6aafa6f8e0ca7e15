"""JSON without loss: numbers keep their digits, and arrays and objects may lie in each other to any depth."""

import json
import re

TOKEN = re.compile(
    r"[ \t\n\r]*(?:"
    r'(?P<string>"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*")'
    r"|(?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]{1,9})?)"
    r"|(?P<word>null|true|false)"
    r"|(?P<mark>[][{}:,])"
    r"|(?P<end>\Z))"
)


class Number:
    """A number as it was written."""

    __slots__ = ("text",)

    def __init__(self, text):
        self.text = text

    def __str__(self):
        return self.text

    def canonical(self):
        """Return the same text for all numbers of the same value."""
        sign, whole, fraction, exponent = re.fullmatch(r"(-?)([0-9]+)\.?([0-9]*)(?:[eE](.+))?", self.text).groups()
        digits = (whole + fraction).lstrip("0")
        significant = digits.rstrip("0")
        if not significant:
            return "0"
        power = int(exponent or 0) - len(fraction) + len(digits) - len(significant)
        return f"{sign}{significant}e{power}"


class Kept:
    """A value as text, to be given back as it came."""

    __slots__ = ("text",)

    def __init__(self, text):
        self.text = text

    def __str__(self):
        return self.text

    def to_json(self):
        """Return what a journal has of it."""
        return {"json": self.text}

    def canonical(self):
        return write(parse(self.text), exact=False)


class Piece(str):
    """What stands between values that are still to be written."""


class Reader:
    """Reads a text token by token."""

    def __init__(self, text):
        self.text = text
        self.move_to(0)

    def move_to(self, start):
        self.token = TOKEN.match(self.text, start)
        if not self.token:
            raise ValueError("no token of JSON")

    def next(self, kind):
        """Return the text of the present token, which has to be of this kind, and go on."""
        text = self.token[kind]
        if text is None:
            raise ValueError(f"no {kind}")
        self.move_to(self.token.end())
        return text

    def skip(self, mark):
        """Go on if the present token is this mark, and tell whether it was."""
        is_here = self.token["mark"] == mark
        if is_here:
            self.move_to(self.token.end())
        return is_here

    def expect(self, mark):
        if not self.skip(mark):
            raise ValueError(f"no {mark}")

    def scalar(self):
        """Return a value that holds no others."""
        kind = self.token.lastgroup
        text = self.next(kind)
        return Number(text) if kind == "number" else json.loads(text)


class Array:
    closing = "]"

    def __init__(self):
        self.value = []

    def begin_item(self, reader):
        """Nothing stands before an item."""

    def add(self, item):
        self.value.append(item)


class Object:
    closing = "}"

    def __init__(self):
        self.value = {}

    def begin_item(self, reader):
        self.key = json.loads(reader.next("string"))
        if self.key in self.value:
            raise ValueError("a key twice")
        reader.expect(":")

    def add(self, item):
        self.value[self.key] = item


CONTAINERS = {"[": Array, "{": Object}


def parse(text):
    """Return the value that a text stands for."""
    reader = Reader(text)
    around = []
    while True:
        container = CONTAINERS.get(reader.token["mark"])
        if container:
            reader.next("mark")
            around.append(container())
            if not reader.skip(container.closing):
                around[-1].begin_item(reader)
                continue
            value = around.pop().value
        else:
            value = reader.scalar()
        while around:
            around[-1].add(value)
            if reader.skip(","):
                around[-1].begin_item(reader)
                break
            reader.expect(around[-1].closing)
            value = around.pop().value
        else:
            reader.next("end")
            return value


def write(value, exact=True):
    """Return the text of a value that was parsed, or of one of ours. Unless it is exact, equal values have the same."""
    pieces = []
    rest = [value]
    while rest:
        value = rest.pop()
        if isinstance(value, dict):
            members = value.items() if exact else sorted(value.items(), key=lambda member: member[0])
            rest += enclosed("{", [(f"{json.dumps(key)}:", item) for key, item in members], "}")
        elif isinstance(value, list) and not are_ids(value):
            rest += enclosed("[", [("", item) for item in value], "]")
        else:
            pieces.append(write_whole(value, exact))
    return "".join(pieces)


def are_ids(items):
    """Say whether a list is one of the many ids of a large batch, or empty."""
    return all(type(item) is int for item in items)


def write_whole(value, exact):
    """Return the text of what has no values of others' in it."""
    if isinstance(value, Number):
        return value.text if exact else value.canonical()
    return str(value) if isinstance(value, (Piece, Kept)) else json.dumps(value)


def enclosed(opening, items, closing):
    """Return what is to be written of an array or object, the last first."""
    parts = [Piece(opening)]
    for index, (label, item) in enumerate(items):
        parts += [Piece(f"{',' if index else ''}{label}"), item]
    parts.append(Piece(closing))
    return reversed(parts)


def write_line(change):
    """Return a line of the journal for a change, which is made of values that Python has, and of kept ones."""
    return json.dumps(change, default=Kept.to_json)


def parse_line(line):
    return json.loads(line, object_hook=lambda value: Kept(value["json"]) if value.keys() == {"json"} else value)
