"""From tokens to expressions in postfix order, by operator precedence and without recursion."""

from logic.errors import SyntaxProblem
from logic.functions import FUNCTIONS
from logic.syntax import DECLARATIONS, Step

BINARY = {"|": 1, "^": 2, "&": 3}
PREFIX = ("~",)
PREFIX_STRENGTH = 4
CHOICE_STRENGTH = 0
BRACKET_STRENGTH = -1


class Pending:
    """An operator or bracket whose end is still to come."""

    __slots__ = ("token", "kind", "strength", "count")

    def __init__(self, token, kind, strength, count):
        self.token = token
        self.kind = kind  # "operator", "choice", "(" or "call"
        self.strength = strength
        self.count = count

    def step(self):
        return Step(self.token.text, self.count, self.token.position)


class ExpressionParser:
    """Reads one expression from a token on."""

    def __init__(self, tokens, index):
        self.tokens = tokens
        self.index = index
        self.pending = []
        self.steps = []
        self.symbols = {"?": self.choice, ":": self.otherwise, ",": self.comma, ")": self.close}

    def parse(self):
        """The steps of the expression, and the index of the token after it."""
        while True:
            self.operand()
            while True:
                token = self.tokens[self.index]
                if token.kind != "symbol":
                    raise SyntaxProblem(token)
                if token.text == ";":
                    self.reduce(CHOICE_STRENGTH)
                    if self.pending:
                        raise SyntaxProblem(token)
                    return tuple(self.steps), self.index
                self.index += 1
                if not self.continue_with(token):
                    break

    def operand(self):
        """Reads prefixes and opening brackets up to a constant or a signal."""
        while True:
            token = self.tokens[self.index]
            self.index += 1
            if token.kind == "symbol" and token.text in PREFIX:
                self.pending.append(Pending(token, "operator", PREFIX_STRENGTH, 1))
            elif token.kind == "symbol" and token.text == "(":
                self.pending.append(Pending(token, "(", BRACKET_STRENGTH, 0))
            elif token.kind == "constant":
                self.steps.append(Step("constant", 0, token.position, token.text))
                return
            elif token.kind == "name" and token.text in FUNCTIONS:
                self.open_call(token)
            elif token.kind == "name" and token.text not in DECLARATIONS:
                self.steps.append(Step("signal", 0, token.position, token.text))
                return
            else:
                raise SyntaxProblem(token)

    def open_call(self, token):
        bracket = self.tokens[self.index]
        if bracket.text != "(":
            raise SyntaxProblem(bracket)
        self.index += 1
        self.pending.append(Pending(token, "call", BRACKET_STRENGTH, 1))

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

    def otherwise(self, token):
        self.reduce(CHOICE_STRENGTH)
        self.innermost(token, "choice").strength = CHOICE_STRENGTH
        return False

    def comma(self, token):
        self.reduce(CHOICE_STRENGTH)
        self.innermost(token, "call").count += 1
        return False

    def close(self, token):
        self.reduce(CHOICE_STRENGTH)
        bracket = self.innermost(token, "call", "(")
        self.pending.pop()
        if bracket.kind == "call":
            self.steps.append(bracket.step())
        return True

    def innermost(self, token, *kinds):
        if not self.pending or self.pending[-1].kind not in kinds:
            raise SyntaxProblem(token)
        return self.pending[-1]

    def reduce(self, strength):
        """Ends all operators that bind at least this tightly."""
        while self.pending and self.pending[-1].strength >= strength:
            self.steps.append(self.pending.pop().step())
