"""Source text to tokens."""

import re
from dataclasses import dataclass
from fractions import Fraction

from lang.errors import Position, StaticError
from lang.numbers import DIGITS, literal_value

KEYWORDS = frozenset(
    "let var if else while break continue true false nil and or not"
    " fn return for in try catch finally fail match case use as pub".split()
)

TOKEN = re.compile(
    r"""
    (?P<skip>(?:[ \t\n]|\#[^\n]*)+)
  | (?P<number>[0-9]+(?:\.[0-9]+)?)
  | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
  | (?P<text>")
  | (?P<symbol>\+\+=|\+\+|\+=|-=|\*\*|\*=|//|==|!=|<=|>=|\.\.|[-+*/%<>=()\[\]{},;.:|^])
    """,
    re.VERBOSE,
)
PLAIN = re.compile(r'[^"\\\n]*')
ESCAPE = re.compile(r"\\(?:([nt\"\\])|u\{([0-9a-fA-F]{1,6})\})")
ESCAPED = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}


@dataclass(slots=True)
class Token:
    """kind is `number`, `name`, `text`, `end`, `fault`, or a keyword or symbol itself."""

    kind: str
    value: str | int | Fraction | None
    position: Position
    fault: StaticError | None = None


def decode(data):
    """The source's text; a byte that is no UTF-8 is a fault at its place."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        line_start = before.rfind("\n") + 1
        place = Position(before.count("\n") + 1, len(before) - line_start + 1)
        raise StaticError("encoding", place) from None


class Lexer:
    """Walks over one source."""

    def __init__(self, source):
        self.source = source
        self.offset = 0
        self.line = 1
        self.line_start = 0

    def tokens(self):
        """All tokens, with `end` as the last, or one that has a fault."""
        found = []
        while not found or found[-1].kind != "end" and not found[-1].fault:
            match = TOKEN.match(self.source, self.offset)
            if match is None:
                found.append(self.last())
            elif match.lastgroup == "skip":
                self.skip(match)
            else:
                found.append(self.token(match))
        return found

    def last(self):
        position = self.place(self.offset)
        if self.offset == len(self.source):
            return Token("end", None, position)
        return Token("fault", None, position, StaticError("syntax", position))

    def place(self, offset):
        return Position(self.line, offset - self.line_start + 1)

    def skip(self, match):
        self.offset = match.end()
        feeds = match.group().count("\n")
        if feeds:
            self.line += feeds
            self.line_start = self.source.rfind("\n", 0, self.offset) + 1

    def token(self, match):
        position = self.place(match.start())
        self.offset = match.end()
        word = match.group()
        if match.lastgroup in ("number", "text"):
            return self.literal(match.lastgroup, word, position)
        if match.lastgroup == "name" and word not in KEYWORDS:
            return Token("name", word, position)
        return Token(word, None, position)

    def literal(self, kind, word, position):
        try:
            value = self.number(word, position) if kind == "number" else self.text(position)
        except StaticError as fault:
            return Token(kind, None, position, fault)
        return Token(kind, value, position)

    def number(self, word, position):
        if len(word) > DIGITS:
            raise StaticError("literal", position)
        return literal_value(word)

    def text(self, start):
        parts = []
        while True:
            plain = PLAIN.match(self.source, self.offset)
            parts.append(plain.group())
            self.offset = plain.end()
            ending = self.source[self.offset : self.offset + 1]
            if ending == '"':
                self.offset += 1
                return "".join(parts)
            if ending != "\\":
                raise StaticError("syntax", start)
            parts.append(self.escape())

    def escape(self):
        match = ESCAPE.match(self.source, self.offset)
        if match is None:
            raise StaticError("escape", self.place(self.offset))
        simple, digits = match.groups()
        character = ESCAPED[simple] if simple else self.code_point(int(digits, 16))
        self.offset = match.end()
        return character

    def code_point(self, number):
        if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
            raise StaticError("escape", self.place(self.offset))
        return chr(number)
