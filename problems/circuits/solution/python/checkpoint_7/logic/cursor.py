"""A place in a list of tokens, and what can be read there whatever the context."""

from logic.errors import SyntaxProblem
from logic.functions import FUNCTIONS
from logic.literals import parse_constant, parse_integer
from logic.syntax import DECLARATIONS, Number, Parameter, Part

RESERVED = frozenset((*DECLARATIONS, *FUNCTIONS, "module"))


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

    def name(self):
        """Takes a name that is not reserved."""
        if self.token.kind != "name" or self.token.text in RESERVED:
            raise SyntaxProblem(self.token)
        return self.take()

    def constant(self):
        """Takes a constant; its bits, the highest first."""
        if self.token.kind != "constant":
            raise SyntaxProblem(self.token)
        return parse_constant(self.take().text)

    def number(self):
        position = self.token.position
        terms, sign = [], 1
        while True:
            factors = [self.factor()]
            while self.at_symbol("*"):
                self.take()
                factors.append(self.factor())
            terms.append((sign, tuple(factors)))
            if not self.at_symbol("+", "-"):
                return Number(tuple(terms), position)
            sign = 1 if self.take().text == "+" else -1

    def factor(self):
        value = parse_integer(self.token.text)
        if value is None:
            name = self.name()
            return Parameter(name.text, name.position)
        self.take()
        return value

    def part(self):
        """Takes `[index]` or `[high:low]`."""
        bracket = self.symbol("[")
        high = low = self.number()
        if self.symbol(":", "]").text == ":":
            low = self.number()
            self.symbol("]")
        return Part(high, low, bracket.position)
