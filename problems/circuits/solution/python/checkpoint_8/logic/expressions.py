"""From tokens to expressions in postfix order, by operator precedence and without recursion."""

from logic.errors import SyntaxProblem
from logic.functions import FUNCTIONS
from logic.literals import parse_constant
from logic.syntax import Step

LEVELS = (("|",), ("^",), ("&",), ("==", "!="), ("<", "<=", ">", ">="), ("<<", ">>", "<<<", ">>>"), ("+", "-"), ("*",))
BINARY = {symbol: strength for strength, level in enumerate(LEVELS, 1) for symbol in level}
PREFIX = ("~", "-", "&", "|", "^")
PREFIX_STRENGTH = len(LEVELS) + 1
CHOICE_STRENGTH = 0
BRACKET_STRENGTH = -1


class Pending:
    """An operator or bracket whose end is still to come."""

    __slots__ = ("token", "kind", "strength", "count")

    def __init__(self, token, kind, strength, count):
        self.token = token
        self.kind = kind  # "operator", "prefix", "choice", "(", "{" or "call"
        self.strength = strength
        self.count = count

    def step(self):
        operator = self.token.text
        if self.kind == "prefix":
            operator = "prefix " + operator
        if self.kind == "{":
            operator = "join"
        return Step(operator, self.count, self.token.position)


class ExpressionParser:
    """Reads one expression, up to one of some symbols outside of brackets."""

    def __init__(self, cursor, *ends):
        self.cursor = cursor
        self.ends = ends
        self.pending = []
        self.steps = []
        self.symbols = {
            "?": self.choice,
            ":": self.colon,
            ",": self.comma,
            ")": self.close,
            "}": self.close_brace,
        }

    def parse(self):
        """The steps of the expression; its end is not taken."""
        while True:
            self.operand()
            while True:
                while self.cursor.at_symbol("["):
                    part = self.cursor.part()
                    self.steps.append(Step("part", 1, part.position, part))
                token = self.cursor.token
                if token.kind != "symbol":
                    raise SyntaxProblem(token)
                if token.text in self.ends:
                    self.reduce(CHOICE_STRENGTH)
                    if not self.pending:
                        return tuple(self.steps)
                self.cursor.index += 1
                if not self.continue_with(token):
                    break

    def operand(self):
        """Reads prefixes and opening brackets up to a constant or a signal."""
        while True:
            token = self.cursor.take()
            if token.kind == "symbol" and token.text in PREFIX:
                self.pending.append(Pending(token, "prefix", PREFIX_STRENGTH, 1))
            elif token.kind == "symbol" and token.text in ("(", "{"):
                self.pending.append(Pending(token, token.text, BRACKET_STRENGTH, 1))
            elif token.kind == "constant":
                self.steps.append(Step("constant", 0, token.position, parse_constant(token.text)))
                return
            elif token.kind == "name" and token.text in FUNCTIONS:
                self.cursor.symbol("(")
                self.pending.append(Pending(token, "call", BRACKET_STRENGTH, 1))
            else:
                self.cursor.index -= 1
                self.signal()
                return

    def signal(self):
        """Reads a signal, or an instance's output."""
        token = self.cursor.name()
        name = token.text
        if self.cursor.at_symbol("."):
            self.cursor.take()
            name += "." + self.cursor.name().text
        self.steps.append(Step("signal", 0, token.position, name))

    def continue_with(self, token):
        """Takes the symbol after an operand; whether a further symbol can follow, and not an operand."""
        if token.text in self.symbols:
            return self.symbols[token.text](token)
        if token.text not in BINARY:
            raise SyntaxProblem(token)
        strength = BINARY[token.text]
        self.reduce(strength)
        self.pending.append(Pending(token, "operator", strength, 2))
        return False

    def choice(self, token):
        self.reduce(CHOICE_STRENGTH + 1)
        self.pending.append(Pending(token, "choice", BRACKET_STRENGTH, 3))
        return False

    def colon(self, token):
        """The middle of a choice, or the number of times that a part of braces is repeated."""
        self.reduce(CHOICE_STRENGTH)
        bracket = self.innermost(token, "choice", "{")
        if bracket.kind == "choice":
            bracket.strength = CHOICE_STRENGTH
            return False
        self.steps.append(Step("repeat", 1, token.position, self.cursor.number()))
        following = self.cursor.symbol(",", "}")
        return self.continue_with(following)

    def comma(self, token):
        self.reduce(CHOICE_STRENGTH)
        self.innermost(token, "call", "{").count += 1
        return False

    def close(self, token):
        self.reduce(CHOICE_STRENGTH)
        bracket = self.innermost(token, "call", "(")
        self.pending.pop()
        if bracket.kind == "call":
            self.steps.append(bracket.step())
        return True

    def close_brace(self, token):
        self.reduce(CHOICE_STRENGTH)
        self.innermost(token, "{")
        self.steps.append(self.pending.pop().step())
        return True

    def innermost(self, token, *kinds):
        if not self.pending or self.pending[-1].kind not in kinds:
            raise SyntaxProblem(token)
        return self.pending[-1]

    def reduce(self, strength):
        """Ends all operators that bind at least this tightly."""
        while self.pending and self.pending[-1].strength >= strength:
            self.steps.append(self.pending.pop().step())
