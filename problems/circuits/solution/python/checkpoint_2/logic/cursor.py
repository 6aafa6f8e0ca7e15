"""A place in a list of tokens, and what can be read there whatever the context."""

from logic.errors import SyntaxProblem
from logic.literals import parse_index, parse_size
from logic.syntax import Part


class Cursor:
    def __init__(self, tokens):
        self.tokens = tokens
        self.index = 0

    @property
    def token(self):
        return self.tokens[self.index]

    def take(self):
        token = self.tokens[self.index]
        self.index += 1
        return token

    def at_symbol(self, *texts):
        return self.token.kind == "symbol" and self.token.text in texts

    def symbol(self, *texts):
        """Takes one of these symbols."""
        if not self.at_symbol(*texts):
            raise SyntaxProblem(self.token)
        return self.take()

    def number(self, parse):
        value = parse(self.token.text)
        if value is None:
            raise SyntaxProblem(self.token)
        self.index += 1
        return value

    def size(self):
        return self.number(parse_size)

    def part(self):
        """Takes `[index]` or `[high:low]`."""
        bracket = self.symbol("[")
        high = low = self.number(parse_index)
        if self.symbol(":", "]").text == ":":
            low = self.number(parse_index)
            self.symbol("]")
        return Part(high, low, bracket.position)
