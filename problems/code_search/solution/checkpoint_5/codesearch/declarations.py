"""The heads of functions that a word such as "def" introduces."""

from dataclasses import dataclass
from typing import Optional

from codesearch.tokens import METAVARIABLE, NAME

ANGLES = {"<": 1, ">": -1, ">>": -2}


@dataclass(frozen=True)
class Head:
    name: Optional[int]  # the index of the name
    parameters: int  # the index of the opening parenthesis


def head_at(tokens, partner, language, first):
    """Return the head that begins at a token, or None.

    After the word may stand: "*" in JavaScript, a receiver in Go, the name, type parameters.
    """
    if tokens[first].kind != NAME or tokens[first].text != language.function_word:
        return None

    def text(index):
        return tokens[index].text if index < len(tokens) else None

    def is_name(index):
        return index < len(tokens) and tokens[index].kind in (NAME, METAVARIABLE)

    index = first + 1 + (text(first + 1) == "*")
    if text(index) == "(" and index in partner and is_name(partner[index] + 1):
        after_receiver = partner[index] + 1
        if text(type_parameters_end(tokens, partner, after_receiver + 1)) == "(":
            index = after_receiver
    name = index if is_name(index) else None
    parameters = type_parameters_end(tokens, partner, index + is_name(index))
    return Head(name, parameters) if text(parameters) == "(" and parameters in partner else None


def type_parameters_end(tokens, partner, index):
    """Return the index after type parameters that begin at a token, the same without any."""
    if index >= len(tokens):
        return index
    if tokens[index].text == "[" and index in partner:
        return partner[index] + 1
    depth = 0
    for end in range(index, len(tokens)):
        depth += ANGLES.get(tokens[end].text, 0)
        if depth <= 0:
            return end + 1 if end > index else index
    return index
