"""The heads of functions that a word such as "def" introduces."""

from dataclasses import dataclass
from typing import Optional

from codesearch.tokens import METAVARIABLE, NAME

ANGLES = {"<": 1, ">": -1, ">>": -2}


@dataclass(frozen=True)
class Head:
    name: Optional[int]  # the index of the name
    parameters: int  # the index of the opening parenthesis


class HeadReader:
    def __init__(self, tokens, partner, language):
        self.tokens = tokens
        self.partner = partner
        self.language = language

    def head_at(self, first):
        """Return the head that begins at a token, or None.

        After the word may stand: "*" in JavaScript, a receiver in Go, the name, type parameters.
        """
        if self._text(first) != self.language.function_word or not self._is_name(first):
            return None
        index = first + 1 + (self._text(first + 1) == "*")
        if self._is_receiver(index):
            index = self.partner[index] + 1
        name = index if self._is_name(index) else None
        parameters = self._type_parameters_end(index + self._is_name(index))
        return Head(name, parameters) if self._is_parenthesis(parameters) else None

    def _text(self, index):
        return self.tokens[index].text if index < len(self.tokens) else None

    def _is_name(self, index):
        return index < len(self.tokens) and self.tokens[index].kind in (NAME, METAVARIABLE)

    def _is_parenthesis(self, index):
        return self._text(index) == "(" and index in self.partner

    def _is_receiver(self, index):
        """Whether a name and a parameter list come after the parentheses."""
        if not self._is_parenthesis(index):
            return False
        name = self.partner[index] + 1
        return self._is_name(name) and self._is_parenthesis(self._type_parameters_end(name + 1))

    def _type_parameters_end(self, index):
        """Return the index after type parameters that begin at a token, the same without any."""
        if self._text(index) == "[" and index in self.partner:
            return self.partner[index] + 1
        depth = 0
        for end in range(index, len(self.tokens)):
            depth += ANGLES.get(self.tokens[end].text, 0)
            if depth <= 0:
                return end + 1 if end > index else index
        return index
