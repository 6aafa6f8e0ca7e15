"""Cutting source code and patterns into tokens."""

import functools
import re
from dataclasses import dataclass
from typing import Optional

from codesearch.languages.base import NAME as NAME_REGEX
from codesearch.languages.base import NUMBER, Language, Operator

NAME, LITERAL, STRING, MARK, LINE_END, METAVARIABLE = (
    "name",
    "literal",  # besides strings
    "string",
    "mark",
    "line_end",
    "metavariable",
)
OPENING = {"(": ")", "[": "]", "{": "}"}
CLOSING = {closing: opening for opening, closing in OPENING.items()}
BRACKETS = {*OPENING, *CLOSING}
METAVARIABLE_NAME = r"(?:\$[A-Z_][A-Z0-9_]*\??|\$\.\.\.[A-Z_][A-Z0-9_]*)"


@dataclass
class Token:
    kind: str
    text: str  # as compared; differs from the source in operators of several words only
    start: int
    end: int
    role: str = ""
    operator: Optional[Operator] = None


class Lexer:
    def __init__(self, language: Language, in_pattern=False):
        self.language = language
        punctuation = sorted(language.punctuation, key=len, reverse=True)
        groups = {
            "space": r"(?:[^\S\n]|\\\r?\n)+",
            "comment": language.comment,
            STRING: language.string,
            LITERAL: NUMBER,
            "joined": language.joined_words or r"(?!)",
            NAME: self._name(in_pattern),
            METAVARIABLE: METAVARIABLE_NAME if in_pattern else r"(?!)",
            "newline": r"\n",
            MARK: "|".join([*map(re.escape, punctuation), r"\$\$" if in_pattern else r"(?!)", r"[\s\S]"]),
        }
        self.token = re.compile("|".join(f"(?P<{kind}>{regex})" for kind, regex in groups.items()))
        self.regex_literal = re.compile(language.regex_literal or r"(?!)")

    def _name(self, in_pattern):
        sigil = re.escape(self.language.name_sigils)
        if not sigil:
            return NAME_REGEX
        sigil = sigil * 2 if in_pattern else sigil
        return rf"\#?(?:[^\W\d]|{sigil})(?:\w|{sigil})*"

    def tokenize(self, text):
        tokens = []
        line = Line()
        for kind, start, end in self._scan(text, tokens):
            if kind == "newline":
                self._end_line(tokens, line, start)
            else:
                token = make_token(kind, text, start, end)
                line.add(token)
                tokens.append(token)
        line.depth = 0
        self._end_line(tokens, line, len(text))
        return tokens

    def _end_line(self, tokens, line, offset):
        """End a line; where that has a meaning the line end is a token."""
        is_directive = line.first is not None and line.first == self.language.directive_mark
        is_logical_line = self.language.line_ends_matter and line.depth == 0
        if (is_directive or is_logical_line) and tokens and tokens[-1].kind != LINE_END:
            tokens.append(Token(LINE_END, "\n", offset, offset))
        line.first = None

    def _scan(self, text, tokens):
        """Yield (kind, start, end) of all but white space and comments."""
        offset = 0
        while offset < len(text):
            match = self.token.match(text, offset)
            kind = match.lastgroup
            if kind == MARK and match.group().startswith("/") and not ends_operand(tokens, self.language):
                literal = self.regex_literal.match(text, offset)
                match, kind = (literal, LITERAL) if literal else (match, kind)
            if kind not in ("space", "comment"):
                yield kind, offset, match.end()
            offset = match.end()


class Line:
    """The line that is being read."""

    def __init__(self):
        self.depth = 0  # of brackets
        self.first = None  # token's text

    def add(self, token):
        self.depth = max(0, self.depth + (token.text in OPENING) - (token.text in CLOSING))
        if self.first is None:
            self.first = token.text


def make_token(kind, text, start, end):
    if kind == "joined":
        return Token(MARK, "-".join(text[start:end].split()), start, end)
    return Token(kind, text[start:end], start, end)


def ends_operand(tokens, language):
    """Whether a slash after these tokens divides."""
    if not tokens:
        return False
    last = tokens[-1]
    if last.kind == NAME:
        return last.text not in language.reserved and last.text not in language.operators.prefix
    return last.kind != MARK or last.text in CLOSING


@functools.lru_cache(maxsize=None)
def lexer_for(language, in_pattern=False):
    return Lexer(language, in_pattern)
