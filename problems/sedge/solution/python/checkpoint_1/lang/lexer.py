"""Source text to tokens."""

import re

from lang.errors import Position, StaticError
from lang.numbers import DIGITS, literal_value

KEYWORDS = frozenset(
    "let var if else while break continue true false nil and or not".split()
)

TOKEN = re.compile(
    r"""
    (?P<skip>(?:[ \t\n]|\#[^\n]*)+)
  | (?P<number>[0-9]+(?:\.[0-9]+)?)
  | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
  | (?P<text>")
  | (?P<symbol>\+\+=|\+\+|\+=|-=|\*\*|\*=|//|==|!=|<=|>=|[-+*/%<>=()\[\]{},;])
    """,
    re.VERBOSE,
)
PLAIN = re.compile(r'[^"\\\n]*')
ESCAPE = re.compile(r"\\(?:([nt\"\\])|u\{([0-9a-fA-F]{1,6})\})")
# What tokens of texts are called: by whether an insertion ends before them, and one begins behind.
PIECES = {
    (False, False): "text",
    (False, True): "opening",
    (True, True): "between",
    (True, False): "closing",
}
ESCAPED = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}


class Token:
    """kind is `number`, `name`, one of `PIECES`, `end`, `fault`, or a keyword or symbol itself."""

    __slots__ = ("kind", "value", "position", "fault")

    def __init__(self, kind, value, position, fault=None):
        self.kind = kind
        self.value = value
        self.position = position
        self.fault = fault


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
    """Walks over one source. Of each insertion that is open, it counts the open parentheses."""

    def __init__(self, source):
        self.source = source
        self.insertions = []
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
        if match.lastgroup == "number":
            return self.number(word, position)
        if match.lastgroup == "text":
            return self.piece(position, False)
        if match.lastgroup == "name" and word not in KEYWORDS:
            return Token("name", word, position)
        if self.insertions and self.ends_insertion(word):
            return self.piece(position, True)
        return Token(word, None, position)

    def number(self, word, position):
        if len(word) > DIGITS:
            return Token("number", None, position, StaticError("literal", position))
        return Token("number", literal_value(word), position)

    def ends_insertion(self, word):
        self.insertions[-1] += {"(": 1, ")": -1}.get(word, 0)
        if self.insertions[-1] >= 0:
            return False
        self.insertions.pop()
        return True

    def piece(self, position, is_later):
        """A text, or what is before, between or behind its insertions."""
        try:
            value = self.text(position)
        except StaticError as fault:
            return Token(PIECES[is_later, False], None, position, fault)
        has_more = self.source[self.offset - 1] == "("
        if has_more:
            self.insertions.append(0)
        return Token(PIECES[is_later, has_more], value, position)

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
            if self.source.startswith("\\(", self.offset):
                self.offset += 2
                return "".join(parts)
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
