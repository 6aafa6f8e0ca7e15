"""The tokens of a query."""

import json
import re
from dataclasses import dataclass

from logquery.errors import Position

LITERAL = r"[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
TOKEN = re.compile(
    "|".join(
        [
            rf"(?P<duration>{LITERAL}(?:ms|[smhdw]))(?![A-Za-z0-9_])",
            rf"(?P<number>{LITERAL})",
            r'(?P<string>"(?:[^"\\]|\\.)*")',
            r"(?P<word>[A-Za-z_][A-Za-z0-9_]*)",
            r"`(?P<name>[^`]+)`",
            r"(?P<operator>\?\?|\+\+|!=|<=|>=|[-+*/%=<>()\[\].,|:])",
            r"(?P<bad>.)",
        ]
    )
)
BLANKS = " \t"


@dataclass(frozen=True, slots=True)
class Token:
    """A number, duration (a number with a unit), string, word, name (in backticks), operator, bad character or the end."""

    kind: str
    text: str
    position: Position


def _is_string(text):
    try:
        json.loads(text).encode("utf-8")
    except ValueError:
        return False
    return True


def _line_tokens(number, text):
    offset = 0
    while offset < len(text):
        if text[offset] in BLANKS:
            offset += 1
            continue
        match = TOKEN.match(text, offset)
        kind = match.lastgroup
        content = match.group(kind)
        if kind == "string" and not _is_string(content):
            kind = "bad"
        yield Token(kind, content, Position(number, offset + 1))
        offset = match.end()


def tokenize(lines):
    """The tokens of numbered lines, and an end right behind the last one."""
    tokens = [token for number, text in lines for token in _line_tokens(number, text)]
    number, text = lines[-1]
    tokens.append(Token("end", "", Position(number, len(text.rstrip(BLANKS)) + 1)))
    return tokens
