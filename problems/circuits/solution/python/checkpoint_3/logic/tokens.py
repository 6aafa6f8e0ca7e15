"""From a netlist's text to tokens."""

import re

from logic.literals import parse_constant

TOKEN = re.compile(
    r"[ \t\r\n]+|#[^\n]*|(?P<symbol><<<|>>>|<<|>>|<=|>=|==|!=|[]=;,()~&^|?:{}[<>*+.-])"
    r"|(?P<word>(?:[0-9]+@)?\w+)|(?P<other>.)",
    re.DOTALL,
)


class Token:
    def __init__(self, kind, text, position):
        self.kind = kind  # "name", "constant", "symbol", "end", or "wrong", as numbers are where none is expected
        self.text = text
        self.position = position


def in_name(character):
    return character == "_" or character.isalpha() or character.isdecimal()


def is_name(text):
    if text.isascii():
        return text.isidentifier()
    return all(map(in_name, text)) and not text[0].isdecimal()


def word_kind(text):
    if is_name(text):
        return "name"
    return "constant" if parse_constant(text) is not None else "wrong"


def word_end(text):
    """How much of a word is in the token; numerals other than decimal digits are in none."""
    start = text.find("@") + 1
    return next((index for index in range(start, len(text)) if not in_name(text[index])), len(text))


def tokenize(text):
    """The tokens of a text; the last one is its end."""
    tokens = []
    line, line_start = 1, 0
    for match in TOKEN.finditer(text):
        position = (line, match.start() - line_start + 1)
        if match.lastgroup is None:
            breaks = match[0].count("\n")
            if breaks:
                line += breaks
                line_start = match.start() + match[0].rindex("\n") + 1
        elif match.lastgroup == "word":
            tokens.extend(words(match[0], position))
        else:
            tokens.append(Token("symbol" if match.lastgroup == "symbol" else "wrong", match[0], position))
    tokens.append(Token("end", "", (line, len(text) - line_start + 1)))
    return tokens


def words(text, position):
    if text.isascii():
        return [Token(word_kind(text), text, position)]
    end = word_end(text)
    first = [Token(word_kind(text[:end]), text[:end], position)] if end else []
    line, column = position
    rest = [Token("wrong", text[end:], (line, column + end))] if end < len(text) else []
    return first + rest
