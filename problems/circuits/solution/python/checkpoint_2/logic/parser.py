"""From tokens to a netlist."""

from logic.cursor import Cursor
from logic.errors import SyntaxProblem
from logic.expressions import ExpressionParser
from logic.functions import FUNCTIONS
from logic.syntax import DECLARATIONS, Assignment, Declaration, Netlist
from logic.tokens import tokenize

RESERVED = frozenset((*DECLARATIONS, *FUNCTIONS))


class Parser:
    def __init__(self, text):
        self.cursor = Cursor(tokenize(text))
        self.netlist = Netlist()

    def parse(self):
        while self.cursor.token.kind != "end":
            if self.cursor.token.text in DECLARATIONS:
                self.declarations(self.cursor.take().text)
            else:
                self.assignment()
        return self.netlist

    def declarations(self, kind):
        while True:
            name = self.new_name()
            width = self.width()
            self.netlist.declarations.append(Declaration(kind, name.text, name.position, width))
            if self.cursor.symbol(",", ";").text == ";":
                return

    def width(self):
        if not self.cursor.at_symbol("["):
            return 1
        self.cursor.take()
        width = self.cursor.size()
        self.cursor.symbol("]")
        return width

    def assignment(self):
        name = self.new_name()
        part = self.cursor.part() if self.cursor.at_symbol("[") else None
        self.cursor.symbol("=")
        steps = ExpressionParser(self.cursor).parse()
        self.cursor.symbol(";")
        self.netlist.assignments.append(Assignment(name.text, name.position, part, steps))

    def new_name(self):
        if self.cursor.token.kind != "name" or self.cursor.token.text in RESERVED:
            raise SyntaxProblem(self.cursor.token)
        return self.cursor.take()
