"""From tokens to a netlist."""

from logic.errors import SyntaxProblem
from logic.expressions import ExpressionParser
from logic.functions import FUNCTIONS
from logic.syntax import DECLARATIONS, Assignment, Declaration, Netlist
from logic.tokens import tokenize

RESERVED = frozenset((*DECLARATIONS, *FUNCTIONS))


class Parser:
    def __init__(self, text):
        self.tokens = tokenize(text)
        self.index = 0
        self.netlist = Netlist()

    def parse(self):
        while self.tokens[self.index].kind != "end":
            token = self.tokens[self.index]
            if token.text in DECLARATIONS:
                self.index += 1
                self.declarations(token.text)
            else:
                self.assignment()
        return self.netlist

    def declarations(self, kind):
        while True:
            name = self.new_name()
            self.netlist.declarations.append(Declaration(kind, name.text, name.position))
            if self.symbol(",", ";") == ";":
                return

    def assignment(self):
        name = self.new_name()
        self.symbol("=")
        steps, self.index = ExpressionParser(self.tokens, self.index).parse()
        self.symbol(";")
        self.netlist.assignments.append(Assignment(name.text, name.position, steps))

    def new_name(self):
        token = self.tokens[self.index]
        if token.kind != "name" or token.text in RESERVED:
            raise SyntaxProblem(token)
        self.index += 1
        return token

    def symbol(self, *texts):
        token = self.tokens[self.index]
        if token.kind != "symbol" or token.text not in texts:
            raise SyntaxProblem(token)
        self.index += 1
        return token.text
