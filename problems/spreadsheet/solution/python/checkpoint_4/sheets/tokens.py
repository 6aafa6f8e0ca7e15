"""The tokens of a formula."""

import re
from collections import namedtuple

from sheets.values import ERRORS_BY_TEXT


class FormulaError(Exception):
    """A text that is no formula."""


Token = namedtuple("Token", ["kind", "text"])


TOKEN = re.compile(
    "|".join(
        [
            r"(?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)",
            r'(?P<text>"(?:[^"]|"")*")',
            r"(?P<sheet>(?:'(?:[^']|'')*'|[A-Za-z_][A-Za-z0-9_.]*)!(?=[$A-Za-z]))",
            r"(?P<cell>\$?[A-Za-z]{1,2}\$?[1-9][0-9]{0,4}(?![A-Za-z0-9_.$]))",
            r"(?P<word>[A-Za-z_][A-Za-z0-9_.]*)",
            "(?P<error>" + "|".join(map(re.escape, ERRORS_BY_TEXT)) + ")",
            r"(?P<operator><>|<=|>=|[-+*/^&=<>%(),:])",
        ]
    )
)
END = Token("end", "")


def tokenize(text):
    tokens = []
    position = 0
    while position < len(text):
        if text[position] == " ":
            position += 1
            continue
        match = TOKEN.match(text, position)
        if match is None:
            raise FormulaError
        tokens.append(Token(match.lastgroup, match.group()))
        position = match.end()
    tokens.append(END)
    return tokens
